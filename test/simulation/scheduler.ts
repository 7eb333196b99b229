import type { Clock } from '../../src/purchasing/ports/clock.ts';

/** One incarnation of a process, or of one task in it. When it dies, whatever it waits for never comes. */
export interface Life {
  readonly name: string;
  /** Tasks of one process die together. */
  readonly process: string;
  alive: boolean;
  /** The whole process stands still until then (a suspended machine, a long collection of garbage). */
  pausedUntil: number;
  /** For so long its machine slept: its monotonic clock stood still, and the wall clock did not. */
  asleepMs: number;
  /** What the next step is called in the trace. */
  label: string;
  /** Everything that its steps have given back: with the same, a deterministic task is at the same point. */
  seen: string;
}

export interface Step {
  readonly life: Life;
  readonly what: string;
  dueAt: number;
  /** A worker that only looks whether there is something to do. */
  readonly idle: boolean;
  readonly perform: () => Promise<void>;
}

/**
 * Every await of a port is a step that waits here. Whoever drives the run chooses which is performed next; nothing else moves.
 * Time is virtual, and moves only when the driver moves it.
 */
export class Scheduler {
  /** True time, in ms: what a monotonic clock shows that never stands still. */
  time = 0;
  /** Wall clock − true time; somebody may set the clock. */
  wallOffset = Date.UTC(2026, 0, 31, 12);
  steps: Step[] = [];
  readonly #lives = new Set<Life>();
  note: (who: string, what: string) => void = () => {};
  /** Set where the driver compares states. */
  remembers = false;

  wall(): number {
    return this.time + this.wallOffset;
  }

  /** The effect happens, all at once, when the step is chosen. */
  wait<T>(life: Life, what: string, effect: () => T | Promise<T>, dueAt = 0, idle = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (!life.alive) return promise;
    const perform = async () => {
      try {
        const result = await effect();
        if (!life.alive) return;
        if (this.remembers) life.seen += `${what}=${JSON.stringify(result)};`;
        resolve(result);
      } catch (error) {
        if (!life.alive) return;
        if (this.remembers) life.seen += `${what}!${String(error)};`;
        reject(error);
      }
    };
    this.steps.push({ life, what, dueAt, idle, perform });
    return promise;
  }

  /** What a task sees in passing, at no step of its own. */
  glance<T>(life: Life, seen: T): T {
    if (this.remembers) life.seen += `${JSON.stringify(seen)};`;
    return seen;
  }

  clockOf(life: Life): Clock {
    return {
      now: () => this.glance(life, this.wall()),
      monotonic: () => this.glance(life, this.time - life.asleepMs),
      sleep: (ms, signal) => this.#sleep(life, ms, signal),
    };
  }

  ready(): readonly Step[] {
    return this.steps.filter((step) => step.dueAt <= this.time && step.life.pausedUntil <= this.time);
  }

  /** Performs it, and lets everybody who can go on reach the next await. */
  async run(step: Step): Promise<void> {
    this.steps.splice(this.steps.indexOf(step), 1);
    if (!step.idle) this.note(step.life.name, step.what);
    await step.perform();
    await settled();
  }

  born(name: string, process = name): Life {
    const life: Life = { name, process, alive: true, pausedUntil: 0, asleepMs: 0, label: '', seen: '' };
    this.#lives.add(life);
    return life;
  }

  /** All that the living have been given back. */
  remembered(): string {
    return Array.from(this.#lives, ({ name, seen }) => `${name}:${seen}`)
      .sort()
      .join('\n');
  }

  kill(process: string): void {
    for (const life of this.#lives) {
      if (life.process !== process) continue;
      life.alive = false;
      this.#lives.delete(life);
    }
    this.steps = this.steps.filter(({ life }) => life.alive);
  }

  #sleep(life: Life, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!life.alive) return promise;
    if (signal?.aborted) return Promise.resolve();
    const step: Step = {
      life,
      what: `slept ${ms} ms`,
      dueAt: this.time + ms,
      idle: true,
      perform: async () => {
        this.glance(life, `slept ${ms} ms`);
        resolve();
      },
    };
    this.steps.push(step);
    signal?.addEventListener(
      'abort',
      () => {
        const index = this.steps.indexOf(step);
        if (index < 0) return;
        this.steps.splice(index, 1);
        resolve();
      },
      { once: true },
    );
    return promise;
  }
}

/** Everything that can go on without a port has gone on. Only promises run in a simulation, so one turn does. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
