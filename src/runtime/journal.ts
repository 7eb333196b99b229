import type { Change } from '../purchasing/model/change.ts';
import type { NewPurchase } from '../purchasing/model/filing.ts';
import type { Freeze } from '../purchasing/model/freeze.ts';
import type { Purchase, State } from '../purchasing/model/purchase.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { Log } from '../purchasing/ports/log.ts';

/**
 * The ledger; logs one line for each purchase that this process files or moves to another state.
 * @param about hears which one that is
 */
export function journalled(ledger: Ledger, log: Log, about: (purchase: string) => void): Ledger {
  return {
    ...ledger,
    async file(subject, decide) {
      let filed: NewPurchase | undefined;
      const result = await ledger.file(subject, (facts) => {
        const decided = decide(facts);
        filed = decided.file;
        return decided;
      });
      if (filed) {
        const { id, kind, state, requester, quantity } = filed;
        about(id);
        log.info({ purchase: id, kind, state, requester, quantity }, 'filed');
      }
      return result;
    },
    async change(id, decide, ...rest) {
      about(id);
      let done: { readonly from: State; readonly change: Change<unknown> } | undefined;
      const result = await ledger.change(
        id,
        (purchase, facts) => {
          const change = decide(purchase, facts);
          done = { from: purchase.state, change };
          return change;
        },
        ...rest,
      );
      if (done) tellOfMove(log, id, done.from, done.change);
      return result;
    },
  };
}

function tellOfMove(log: Log, purchase: string, from: State, { to, by, set }: Change<unknown>): void {
  if (to === undefined && set?.firstApprover !== undefined)
    log.info(
      { purchase, by },
      set.firstApprover === null ? 'the first yes was taken back' : 'the first of two said yes',
    );
  if (to === undefined || to === from) return;
  const said = MOVES[to](from);
  if (said === undefined) return;
  // A reason that a person typed is not logged.
  const why = to === 'declined' || to === 'unknown' ? plainWhy(from, set) : {};
  log[to === 'unknown' ? 'warn' : 'info']({ purchase, from, to, by, ...why }, said);
}

function plainWhy(from: State, set: Partial<Purchase> | undefined): { readonly why?: string } {
  return from === 'unknown' || typeof set?.why !== 'string' ? {} : { why: set.why };
}

/** The line for entering a state; undefined where another line says it already. */
const MOVES: Record<State, (from: State) => string | undefined> = {
  requested: () => undefined,
  approved: (from) => (from === 'sending' ? 'not sent: to be tried again' : 'approved'),
  // The lane logs each attempt and its answer.
  sending: () => undefined,
  completed: (from) => (from === 'unknown' ? 'settled: it was placed' : 'completed'),
  declined: (from) => (from === 'unknown' ? 'settled: it was not placed' : 'declined'),
  unknown: () => 'the outcome is unknown: somebody has to settle it',
  rejected: () => 'rejected',
  withdrawn: () => 'withdrawn',
  expired: () => 'expired',
};

/**
 * Logs each freeze and each end of one, whoever caused it: a person, a refusal by the vendor, a restored ledger, another process.
 * @param read hears at each look whether the ledger could be read
 * @returns a worker's pass.
 */
export function freezeWatch(
  ledger: Pick<Ledger, 'freeze'>,
  log: Log,
  read: (succeeded: boolean) => void,
): () => Promise<boolean> {
  let known: Freeze | null = null;
  return async () => {
    const freeze = await ledger.freeze().catch((error: unknown) => {
      read(false);
      throw error;
    });
    read(true);
    if (freeze && freeze.at !== known?.at) {
      const { by, reason } = freeze;
      log.warn({ by, reason }, 'spending is frozen');
    }
    if (!freeze && known) log.info({}, 'spending is no longer frozen');
    known = freeze;
    return false;
  };
}
