import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Most tests wait for sockets and processes, not for the processor.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Only how soon a test gives up: a loaded machine can stand still for seconds.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: 'test/support/scratch-root.ts',
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: ['test/flows/**'] },
      },
      {
        extends: true,
        // Each opens an office of its own and leaves nothing behind; loading Bolt anew for every file would take a third of the time.
        test: { name: 'flows', include: ['test/flows/**/*.test.ts'], isolate: false },
      },
    ],
  },
});
