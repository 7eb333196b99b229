import type { BatchChange, BatchRow } from '../model/batch-change.ts';
import { THE_BOT } from '../model/entries.ts';
import type { Money } from '../model/money.ts';
import { owedByShortBatch } from '../model/outbox.ts';
import type { Purchase } from '../model/purchase.ts';

// What keeps the rows of a batch back. Nobody else's purchases wait for that.

/** What the other rows of a batch wait for, in one clause for people. */
export type Held =
  | { readonly by: 'unknown'; readonly row: Purchase; readonly why: string }
  /** Until the balance is above the one at which the vendor refused. */
  | { readonly by: 'balance'; readonly row: Purchase; readonly above: Money; readonly why: string };

/** The first row that is unknown, or that the vendor refused for want of money, holds the rest of its batch. */
export function heldBy(rows: readonly Purchase[]): Held | null {
  const unknown = rows.find(({ state }) => state === 'unknown');
  if (unknown) return { by: 'unknown', row: unknown, why: `the outcome of ${unknown.id} is unknown` };
  const short = rows
    .filter(({ state, declinedHow, attempt }) => state === 'declined' && declinedHow === 'vendor' && attempt?.short)
    .toSorted((a, b) => (a.attempt?.at ?? 0) - (b.attempt?.at ?? 0))
    .at(-1);
  const above = short?.attempt?.balanceBefore;
  if (!short || above === undefined) return null;
  return {
    by: 'balance',
    row: short,
    above,
    why: `the vendor refused ${short.id}, and the balance has not risen since`,
  };
}

/** How the vendor refuses for want of money is documented nowhere. A wrong guess makes the other rows wait, and spends nothing. */
export function speaksOfMoney(text: string | null): boolean {
  return /\b(?:balance|funds?|credit|money)\b/i.test(text ?? '');
}

/** The balance is asked for again so long after it did not do. */
const AGAIN_AFTER_MS = 60_000;

/** Money is missing: no row is sent, and none is given up for that before it is too old. */
export function decideShortage(rows: readonly BatchRow[], next: Purchase, why: string): BatchChange<null> {
  const waiting = rows.filter(({ purchase }) => purchase.state === 'approved');
  const changes = waiting.map(
    ({ purchase, facts }) =>
      [
        purchase.id,
        {
          result: null,
          by: THE_BOT,
          set: { sendAfter: facts.now + AGAIN_AFTER_MS, ...(purchase.why === why ? {} : { why }) },
        },
      ] as const,
  );
  return { result: null, changes: new Map(changes), notices: changes.length === 0 ? [] : owedByShortBatch(next) };
}
