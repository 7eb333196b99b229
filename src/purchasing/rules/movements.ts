import type { KnownFall, Movement, MovementKind, Sent, Standing } from '../model/account.ts';
import { compare, difference, type Money } from '../model/money.ts';

/** A change between two links, as the ledger keeps it: what could explain it does not change any more, only what is known of that. */
export interface Change {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
  readonly before: Money;
  readonly after: Money;
  readonly known?: KnownFall;
  /** The ledger went back in time meanwhile, or just before, and may have forgotten what explains it. */
  readonly wentBack: boolean;
}

/** A purchase that had been sent, and was not booked yet for certain. */
export type Candidate = Sent & { readonly id: string };

export function standingOf({ state, readingsDue }: Sent): Standing {
  if (state === 'completed') return 'placed';
  if (state === 'sending' || state === 'unknown') return 'doubtful';
  return readingsDue ? 'doubtful' : 'not_placed';
}

export function movementOf({ wentBack, ...change }: Change, candidates: readonly Candidate[]): Movement {
  const explaining = candidates.filter((sent) => standingOf(sent) !== 'not_placed');
  const kind = kindOf(change, wentBack, explaining);
  return {
    ...change,
    difference: difference(change.after, change.before),
    kind,
    purchases: explaining.map(({ id }) => id),
    final: kind !== 'unknown' || wentBack,
  };
}

function kindOf(
  { before, after }: Pick<Change, 'before' | 'after'>,
  wentBack: boolean,
  explaining: readonly Candidate[],
): MovementKind {
  if (wentBack) return 'unknown';
  if (compare(after, before) > 0) return 'top_up';
  if (explaining.length === 0) return 'elsewhere';
  return explaining.some((sent) => standingOf(sent) === 'doubtful') ? 'unknown' : 'ours';
}

export interface Judgement {
  /** Final, and not judged before. */
  readonly settled: readonly Movement[];
  /** Of these, money that left and that nothing explains. */
  readonly unexplained: readonly Movement[];
  /** All up to here are final: what comes after is to be judged again, and what was told of it is known by its `seq`. */
  readonly judgedUpTo: number;
}

/** @param movements all after `judgedUpTo`, in their order */
export function judge(movements: readonly Movement[], judgedUpTo: number): Judgement {
  const settled = movements.filter(({ seq, final }) => final && seq > judgedUpTo);
  const open = movements.findIndex(({ final }) => !final);
  const done = open === -1 ? movements : movements.slice(0, open);
  return {
    settled,
    unexplained: settled.filter(({ kind }) => kind === 'elsewhere'),
    judgedUpTo: Math.max(judgedUpTo, done.at(-1)?.seq ?? 0),
  };
}
