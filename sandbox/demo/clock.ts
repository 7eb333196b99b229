/** The time of a sandbox: the real one, put forward by whoever looks at it. It never goes back. */
export interface SandboxClock {
  readonly now: () => number;
  readonly aheadMs: number;
  forward(ms: number): void;
}

export function createClock(aheadMs: number): SandboxClock {
  let ahead = aheadMs;
  return {
    now: () => Date.now() + ahead,
    get aheadMs() {
      return ahead;
    },
    forward(ms) {
      ahead += ms;
    },
  };
}
