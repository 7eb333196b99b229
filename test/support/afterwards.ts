import { onTestFinished } from 'vitest';

/**
 * Runs after the test, whatever became of it: the latest first, each also where another has failed. Registered with the test itself,
 * because a hook of a module that several test files share would be that of the first of them alone. Not for concurrent tests.
 */
export function afterwards(action: () => unknown): void {
  onTestFinished(async () => {
    await action();
  });
}

export function closeAfterwards<T extends { close(): unknown }>(open: T): T {
  afterwards(() => open.close());
  return open;
}
