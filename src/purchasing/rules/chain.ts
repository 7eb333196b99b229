import type { Link, ProcessTime, Standing, Unbooked } from '../model/account.ts';
import { compare, difference, type Money } from '../model/money.ts';

/**
 * Vendors book late: one seen here takes 70 s. Measured from the first link after the POST has ended, by one process, whose clock never
 * jumps; by then all three readings that follow a purchase are taken. Where processes come and go, it takes longer.
 */
export const BOOKED_WITHIN_MS = 10 * 60_000;

/** A reading that is to become a link. */
export interface NewLink {
  readonly balance: Money;
  readonly taken: ProcessTime;
  /** The last entry of the ledger when it was asked for. */
  readonly askedAfter: number;
}

/** What the ledger knows, at the commit, of what was sent. */
export interface SentFacts {
  readonly standing: Standing;
  readonly completed: boolean;
  /** The entry with which its POST ended; null as long as it may be under way. */
  readonly endedBy: number | null;
}

export interface Meanwhile {
  /** Purchases that entered `sending` after the link before was written: each could be in this one. */
  readonly started: readonly string[];
  /** Of these, and of what was not booked yet. */
  readonly sent: ReadonlyMap<string, SentFacts>;
  /** The ledger went back in time since the link before. */
  readonly wentBack: boolean;
}

export interface Linked {
  readonly unbooked: readonly Unbooked[];
  /** Null where the balance is what it was. */
  readonly change: { readonly purchases: readonly string[]; readonly wentBack: boolean } | null;
  /** Purchases that stood alone, and what they cost. */
  readonly observed: readonly { readonly id: string; readonly cost: Money }[];
}

/**
 * Adds a link to the chain. A purchase may explain a fall from its POST on, until a fall was seen that only it explains, or until it
 * should long have been booked. What it says of the past is never changed by a link: only by what becomes of the purchases.
 */
export function nextLink(previous: Link | null, link: NewLink, { started, sent, wentBack }: Meanwhile): Linked {
  const { process, ms } = link.taken;
  const before = (previous?.unbooked ?? []).filter(({ id }) => id === null || !started.includes(id));
  const all = [...before, ...started.map(justSent)].filter(
    ({ id }) => id === null || sent.get(id)?.standing !== 'not_placed',
  );
  const candidates = all.filter(({ cost }) => cost === null);
  const [only, ...others] = candidates;
  const sole = others.length === 0 && !wentBack ? only : undefined;
  const direction = previous ? compare(link.balance, previous.balance) : 0;
  const fell = direction < 0;
  const forgotten = wentBack || (fell && candidates.some(({ id }) => id === null));

  const observed: { id: string; cost: Money }[] = [];
  const unbooked: Unbooked[] = wentBack ? [{ id: null, readAfter: {}, alone: false, cost: null }] : [];
  for (const item of all) {
    const { id } = item;
    const facts = id === null ? undefined : sent.get(id);
    // What is taken for its booking may have been another's, and its own is this.
    const mistaken = fell && candidates.length === 0;
    const alone = item.alone && sole !== undefined && direction <= 0;
    const booked = fell && item === sole && id !== null;
    if (booked && !alone) continue;
    if (item.cost !== null && mistaken) continue;
    const cost = booked && previous ? difference(previous.balance, link.balance) : item.cost;
    const ended = id === null || (facts?.endedBy != null && facts.endedBy <= link.askedAfter);
    const readAfter = ended ? { [process]: ms, ...item.readAfter } : item.readAfter;
    const over = ms - (readAfter[process] ?? ms) >= BOOKED_WITHIN_MS;
    // By the first link that could show it: there was hardly time for anything else.
    const atOnce = booked && Object.keys(item.readAfter).length === 0;
    const isObserved = id !== null && cost !== null && facts?.completed === true && (atOnce || over);
    if (isObserved) observed.push({ id, cost });
    if (!isObserved && !over) unbooked.push({ id, readAfter, alone: cost === null ? alone : item.alone, cost });
  }
  const change = direction === 0 ? null : { purchases: candidates.flatMap(({ id }) => id ?? []), wentBack: forgotten };
  return { unbooked, change, observed };
}

function justSent(id: string): Unbooked {
  return { id, readAfter: {}, alone: true, cost: null };
}
