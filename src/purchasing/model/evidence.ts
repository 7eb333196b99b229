import { type Entry, type EntryDetail, THE_BOT } from './entries.ts';
import { difference, type Money } from './money.ts';
import type { Attempt, Purchase } from './purchase.ts';

// What the entries of a purchase prove.

export type Reading = Extract<EntryDetail, { kind: 'reading' }>;

/** A reading whose difference to the balance before belongs to this attempt alone. */
export type ProvingReading = Reading & { readonly balance: Money };

export function isProving(reading: Reading): reading is ProvingReading {
  return reading.alone && reading.balance !== null;
}

/** Answers and readings of earlier tries, which never left, prove nothing of the last. */
export function ofLastAttempt(entries: readonly Entry[]): readonly Entry[] {
  const started = entries.findLastIndex(({ to }) => to === 'sending');
  return started === -1 ? entries : entries.slice(started);
}

export function readingsOf(entries: readonly Entry[]): readonly Reading[] {
  return ofLastAttempt(entries).flatMap(({ detail }) => (detail.kind === 'reading' ? [detail] : []));
}

/** The balance after the attempt, as last read, and what has changed since before it: observed, not a price. */
export function balanceAfter(
  attempt: Attempt | null,
  entries: readonly Entry[],
): { readonly balance: Money; readonly difference: Money } | null {
  const last = readingsOf(entries).filter(isProving).at(-1);
  return attempt && last
    ? { balance: last.balance, difference: difference(last.balance, attempt.balanceBefore) }
    : null;
}

interface SettledBy {
  readonly by: string;
  readonly at: number;
  readonly placed: boolean;
  readonly note: string | null;
}

/** Who settled an unknown outcome, and how they know; null where nobody did. */
export function settlementOf(purchase: Purchase, entries: readonly Entry[]): SettledBy | null {
  const entry = entries.findLast(
    ({ from, to, by }) => from === 'unknown' && (to === 'completed' || to === 'declined') && by !== THE_BOT,
  );
  if (entry?.detail.kind !== 'transition') return null;
  const { by, at, to } = entry;
  return { by, at, placed: to === 'completed', note: textOf(entry.detail.evidence, 'note') ?? purchase.why };
}

/** The digest of the policy by which it moved last, as far as a policy had a say; null where that was not written down. */
export function policyOf(entries: readonly Entry[]): string | null {
  const named = entries.flatMap(({ detail }) =>
    detail.kind === 'transition' ? [textOf(detail.evidence, 'policy')] : [],
  );
  return named.findLast((digest) => digest !== null) ?? null;
}

function textOf(evidence: object, name: string): string | null {
  const value: unknown = Object.hasOwn(evidence, name) ? Reflect.get(evidence, name) : null;
  return typeof value === 'string' ? value : null;
}
