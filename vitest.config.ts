import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './sandbox/slack/index.ts';

export default defineConfig({
  test: {
    // Most tests wait for sockets and processes, not for the processor.
    maxWorkers: 2,
    // Only how soon a test gives up: others may be at work on the same machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
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
