export const MIGRATIONS = new URL('../migrations/sqlite/', import.meta.url);
