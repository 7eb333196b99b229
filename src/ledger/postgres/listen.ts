import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** While nobody listens, everything is found by looking: once a second. */
const AGAIN_AFTER_MS = 1_000;

/**
 * Wakes at whatever another process wrote: a hint, which may come late, twice or, while the connection is away, never. Ends
 * with `signal`.
 */
export async function listen(config: pg.ClientConfig, wake: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client(config);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    client.on('error', () => end());
    client.on('end', () => end());
    client.on('notification', wake);
    const stop = () => end();
    signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query('LISTEN proxy_desk');
      // What was written while nobody listened.
      wake();
      await over;
    } catch {
      // The workers, who use the database in earnest, say what is wrong with it.
    }
    signal.removeEventListener('abort', stop);
    await Promise.race([client.end().catch(() => undefined), sleep(AGAIN_AFTER_MS)]);
    await sleep(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}
