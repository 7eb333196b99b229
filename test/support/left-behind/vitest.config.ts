import { defineConfig } from 'vitest/config';

/** A run that fails, for left-behind.test.ts: its files share a worker and its modules, as those of test/flows do. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.case.ts'],
    globalSetup: '../scratch-root.ts',
    isolate: false,
    maxWorkers: 1,
  },
});
