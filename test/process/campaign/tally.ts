import type { RoundReport } from './round.ts';

/** The figures of a campaign. */
export interface Tally {
  add(report: RoundReport): void;
  readonly rounds: number;
  readonly violations: number;
  /** The closing table. */
  text(): string;
}

export function startTally(): Tally {
  const states = new Map<string, number>();
  const faults = new Map<string, number>();
  const sums = { rounds: 0, aboutOrders: 0, posts: 0, triedAgain: 0, twice: 0, violations: 0 };
  return {
    get rounds() {
      return sums.rounds;
    },
    get violations() {
      return sums.violations;
    },
    add({ plan, violations, states: reached, posts, triedAgain, twice, faults: played }) {
      sums.rounds += 1;
      if (plan.renewals) sums.aboutOrders += 1;
      sums.posts += posts;
      sums.triedAgain += triedAgain;
      sums.twice += twice;
      sums.violations += violations.length;
      for (const state of reached) count(states, state);
      for (const fault of played) count(faults, fault);
    },
    text() {
      const purchases = Array.from(states.values()).reduce((sum, each) => sum + each, 0);
      const rows: readonly (readonly [string, number])[] = [
        ['rounds', sums.rounds],
        ['  about orders that end', sums.aboutOrders],
        ['violations', sums.violations],
        ['purchases', purchases],
        ...sorted(states).map(([state, times]) => [`  ${state}`, times] as const),
        ['POSTs', sums.posts],
        ['never left, and tried again', sums.triedAgain],
        ['messages posted twice', sums.twice],
        ['faults', Array.from(faults.values()).reduce((sum, each) => sum + each, 0)],
        ...sorted(faults).map(([fault, times]) => [`  ${fault}`, times] as const),
      ];
      const width = Math.max(...rows.map(([name]) => name.length));
      return rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(6)}`).join('\n');
    },
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: Map<string, number>): readonly [string, number][] {
  return [...counts].sort(([one], [other]) => one.localeCompare(other));
}
