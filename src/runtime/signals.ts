import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';

export interface SignalsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly on: (signal: NodeJS.Signals, hear: () => void) => void;
  /** Finishes what is being sent; then the process ends. */
  readonly stop: () => Promise<void>;
  /** Records what is being sent as unknown; then the process ends at once. */
  readonly abandon: () => Promise<void>;
  /** Reads the policy again. */
  readonly reload: () => void;
  readonly end: (how: 'stopped' | 'abandoned' | 'failed') => void;
}

const STOPS = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** npm and a supervisor both pass a signal on, within milliseconds: that is one stop, asked for once. */
const SAME_STOP_MS = 3_000;

export function obeySignals({ clock, log, on, stop, abandon, reload, end }: SignalsDeps): void {
  let askedAt: number | undefined;
  const ending = (work: Promise<void>, how: 'stopped' | 'abandoned') =>
    work.then(
      () => end(how),
      (err: unknown) => {
        log.error({ err }, 'could not stop cleanly');
        end('failed');
      },
    );
  for (const signal of STOPS)
    on(signal, () => {
      const now = clock.monotonic();
      if (askedAt === undefined) {
        askedAt = now;
        log.info({ signal }, 'stopping: what is being sent is finished first');
        void ending(stop(), 'stopped');
      } else if (now - askedAt < SAME_STOP_MS)
        log.info({ signal }, 'asked to stop again at once: that is the same stop');
      else {
        log.warn({ signal }, 'stopping at once');
        void ending(abandon(), 'abandoned');
      }
    });
  on('SIGHUP', reload);
}
