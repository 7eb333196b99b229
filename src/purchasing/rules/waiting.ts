import type { BalanceReading } from '../model/answer.ts';
import type { Purchase } from '../model/purchase.ts';
import type { LaneView } from '../ports/ledger.ts';

/** What is sent now, what is sent next, and what that waits for. */
export interface LaneStanding {
  readonly sending: Purchase | null;
  readonly next: { readonly purchase: Purchase; readonly why: string } | null;
}

interface Seen {
  readonly lane: Pick<LaneView, 'sending' | 'next' | 'frozen' | 'firstReadingDue'>;
  readonly approved: readonly Purchase[];
  /** The last reading of the balance that is known of; null where none was taken. */
  readonly reading: BalanceReading | null;
  readonly now: number;
}

/** Told to people; nothing is decided by it. */
export function laneStanding({ lane, approved, reading, now }: Seen): LaneStanding {
  const { sending } = lane;
  const next = lane.next ?? approved.toSorted((a, b) => since(a) - since(b))[0];
  return { sending, next: next ? { purchase: next, why: why(next) } : null };

  function why(purchase: Purchase): string {
    if (lane.frozen) return 'spending is frozen';
    if (sending) return 'one purchase is sent at a time';
    if (lane.firstReadingDue) return 'the balance after the one before is read first';
    if (purchase.sendAfter !== null && purchase.sendAfter > now)
      return purchase.why ?? 'the rights of the people concerned could not be read; they are asked again';
    if (purchase.id !== lane.next?.id)
      return purchase.batch === null
        ? 'it is too old, and expires'
        : 'another row of its batch has to be settled first';
    if (reading && !reading.ok) return `the balance could not be read: ${reading.why}`;
    return 'rights and balance are being asked for';
  }
}

/** As the lane takes them: what has waited longest since it might be sent. */
function since({ sendAfter, changedAt }: Purchase): number {
  return sendAfter ?? changedAt;
}
