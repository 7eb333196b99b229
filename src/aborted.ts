/**
 * A promise of the signal's abort, for a race with what may end before. To be let go of with `using`: a race leaves something behind on
 * each promise that it waited for, and one of a signal that lives as long as the program would keep all that was ever raced with it.
 */
export function whenAborted(signal: AbortSignal): Disposable & { readonly promise: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', end) };
}
