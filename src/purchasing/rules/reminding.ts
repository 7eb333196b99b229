import { type NewNotice, saidOf } from '../model/outbox.ts';
import type { Approvals, QuietHours } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';

// When those who approve are reminded of what nobody has decided. All of it is said in the thread of the request's card.

type Channel = Extract<Approvals, { readonly mode: 'channel' }>;

/** The shortest wait after which anything is due; null where nothing ever is. */
export function shortestWaitMs(approvals: Approvals): number | null {
  if (approvals.mode === 'off') return null;
  const waits = [...approvals.remindAfterMs, ...(approvals.escalation ? [approvals.escalation.afterMs] : [])];
  return waits.length === 0 ? null : Math.min(...waits);
}

/**
 * What is due of a request that nobody has decided, and was not owed before: of the rungs that it has reached, only the latest. In quiet
 * hours nothing is; what falls into them is due at their end.
 * @param owed the keys of what is owed already, or was posted
 */
export function dueReminders(
  { id, createdAt }: Pick<Purchase, 'id' | 'createdAt'>,
  owed: ReadonlySet<string>,
  now: number,
  { remindAfterMs, quiet, escalation }: Channel,
): readonly NewNotice[] {
  if (quiet && isQuiet(quiet, now)) return [];
  const waited = now - createdAt;
  const rung = remindAfterMs.findLast((ms) => ms <= waited);
  const due = [
    ...(rung === undefined ? [] : [saidOf(id, 'reminder', 'thread', String(rung))]),
    ...(escalation && escalation.afterMs <= waited ? [saidOf(id, 'escalation', 'thread', '')] : []),
  ];
  return due.filter(({ key }) => !owed.has(key));
}

/** By the clocks of its time zone, summer time included. */
export function isQuiet({ fromMinutes, untilMinutes, timeZone }: QuietHours, now: number): boolean {
  const minutes = minutesOfDay(now, timeZone);
  return fromMinutes < untilMinutes
    ? minutes >= fromMinutes && minutes < untilMinutes
    : minutes >= fromMinutes || minutes < untilMinutes;
}

function minutesOfDay(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = parts.format(at).split(':').map(Number);
  return hour * 60 + minute;
}
