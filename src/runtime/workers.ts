import type { Clock } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';

/** A worker looks this often without being woken: deadlines pass, and other processes write to the ledger. */
const POLL_MS = 1_000;

/** The pause after a pass that failed. */
const AFTER_TROUBLE_MS = 1_000;

/** Does what is due. @returns whether it changed anything: then it is called again at once. */
export type Pass = () => Promise<boolean>;

/** Loops that do what is due, until stopped. When one has changed something, the others look too: one waits for what another writes. */
export class Workers {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #around: (name: string, pass: Pass) => Pass;
  readonly #running: Promise<void>[] = [];
  readonly #stop = new AbortController();
  #sleepers = new Set<AbortController>();
  /** Counts wake-ups, so that one that comes during a pass is not lost. */
  #wakeUps = 0;

  /** @param deps.around what each pass is done within */
  constructor(deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly around: (name: string, pass: Pass) => Pass;
  }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#around = deps.around;
  }

  run(name: string, pass: Pass): void {
    this.#running.push(this.#loop(name, this.#around(name, pass)));
  }

  wake(): void {
    this.#wakeUps += 1;
    const sleepers = this.#sleepers;
    this.#sleepers = new Set();
    for (const sleeper of sleepers) sleeper.abort('woken');
  }

  /** Begins no new pass. Resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await Promise.all(this.#running);
  }

  async #loop(name: string, pass: Pass): Promise<void> {
    const lasting = new Lasting(this.#clock);
    while (!this.#stop.signal.aborted) {
      const seen = this.#wakeUps;
      try {
        const moved = await pass();
        lasting.end();
        if (moved) {
          this.wake();
          continue;
        }
        if (seen === this.#wakeUps) await this.#sleep(POLL_MS);
      } catch (error) {
        const news = lasting.news(error instanceof Error ? error.message : String(error));
        this.#log[news ? 'error' : 'debug']({ worker: name, err: error, ...news }, 'a worker had trouble; it goes on');
        await this.#clock.sleep(AFTER_TROUBLE_MS, this.#stop.signal);
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    const sleeper = new AbortController();
    this.#sleepers.add(sleeper);
    await this.#clock.sleep(ms, sleeper.signal);
    this.#sleepers.delete(sleeper);
  }
}
