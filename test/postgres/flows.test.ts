import { everyOfficeOn } from '../support/office.ts';

// The same promises with the ledger in PostgreSQL. Several files in one: they share a server.
everyOfficeOn('postgres');
await import('../flows/journey.test.ts');
await import('../flows/approvals.test.ts');
await import('../flows/withdraw-expire.test.ts');
