import { type Batch, type Request, rowsOf } from '../model/batch.ts';
import { type Entry, questionsOf } from '../model/entries.ts';
import type { Freeze } from '../model/freeze.ts';
import { alert, type NewNotice, type Notice } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { backoff } from '../ports/clock.ts';
import type { Undelivered } from '../ports/messenger.ts';
import { stillHolds } from './end-reminders.ts';

/** 2 s, 4 s, 8 s … 5 min: an outage of Slack must not become a storm at its end. */
const RETRY_FIRST_MS = 2_000;
const RETRY_AT_MOST_MS = 300_000;

/** A person mends an archived channel, a missing scope or a refused token, and the message follows soon: 1, 2, 4 … 10 min. */
const MENDED_FIRST_MS = 60_000;
const MENDED_AT_MOST_MS = 600_000;

/** What a notice is about; null where it is about none of them. */
export type Subject = Request | null;

export function isBatch(subject: Subject): subject is Batch {
  return subject !== null && 'rows' in subject;
}

function isPurchase(subject: Subject): subject is Purchase {
  return subject !== null && 'state' in subject;
}

/** Whether somebody has to approve or reject it, or a row of it. */
export function waitsForDecision(subject: Subject): boolean {
  return rowsOf(subject).some(({ state }) => state === 'requested');
}

/** Whether the message says so where nobody is left who may decide or settle. */
export function tellsWhoIsLeft({ kind }: Pick<Notice, 'kind'>, subject: Subject): boolean {
  const isStatus = kind === 'status' || kind === 'batch_status';
  const isUnknown = rowsOf(subject).some(({ state }) => state === 'unknown');
  return (isStatus && waitsForDecision(subject)) || ((isStatus || kind === 'unknown_card') && isUnknown);
}

/** Whether somebody still has to act on what a notice says: approve or reject, settle, or end the freeze. */
export function isOpen(notice: Notice, purchase: Subject, freeze: Freeze | null): boolean {
  switch (notice.kind) {
    case 'batch_card':
      return isBatch(purchase) && waitsForDecision(purchase);
    case 'card':
      return isPurchase(purchase) && waitsForDecision(purchase);
    case 'unknown_card':
      return isPurchase(purchase) && purchase.state === 'unknown';
    case 'frozen':
      return freeze !== null && freeze.reason === notice.text && freeze.by === notice.by;
    case 'reminder':
    case 'escalation':
    case 'nudge':
    case 'question':
    case 'answer':
    case 'status':
    case 'outcome':
    case 'batch_status':
    case 'batch_outcome':
    case 'unfrozen':
    case 'alert':
    case 'ending':
    case 'not_kept':
    case 'fall':
    case 'top_up':
    case 'report':
    case 'report_csv':
      return false;
    default:
      return notice.kind satisfies never;
  }
}

/** Whether nothing of what it was to tell holds any more: then it is not posted. */
export function isOver({ kind, ts }: Notice, { reminder, now }: Pick<Surroundings, 'reminder' | 'now'>): boolean {
  return kind === 'ending' && ts === null && !reminder.some((row) => stillHolds(row, now));
}

/** Whether it is still worth saying under the card: whoever is pressed for a decision must not have made it meanwhile. */
export function isStillSaid({ kind }: Notice, subject: Subject, { approvals }: Policy): boolean {
  if (approvals.mode === 'off') return false;
  if (kind === 'escalation' && approvals.escalation === null) return false;
  return kind === 'question' || kind === 'answer' || waitsForDecision(subject);
}

/** What is not said under the card any more, and still is of use: an answer goes to whoever has asked. */
export function owedWhereUnsaid(notice: Notice, talk: readonly Entry[]): readonly NewNotice[] {
  if (notice.kind !== 'answer') return [];
  const asked = questionsOf(talk).find(({ id }) => id === notice.text);
  return asked ? [{ ...notice, key: `${notice.key}:${asked.by}`, audience: `user:${asked.by}` }] : [];
}

/** Whether a message that was deleted is posted anew: somebody has to act on it, or it is the one with the facts for the requester. */
export function isMissed(notice: Notice, purchase: Subject): boolean {
  return notice.kind === 'status' || notice.kind === 'batch_status' || isOpen(notice, purchase, null);
}

/** What becomes of a notice that was not delivered. */
export interface AfterTrouble {
  /** Not tried again before; null = never. New news goes out as new messages. */
  readonly retryAfterMs: number | null;
  /** So that whoever waits for it hears of it another way. */
  readonly owed: readonly NewNotice[];
}

export function afterTrouble(notice: Notice, purchase: Subject, trouble: Undelivered): AfterTrouble {
  const retryAfterMs = retryAfter(trouble, notice.attempts);
  switch (trouble.kind) {
    case 'rate_limited':
    case 'unreachable':
      return { retryAfterMs, owed: [] };
    case 'refused':
    case 'impossible':
    case 'gone':
      return { retryAfterMs, owed: owedInstead(notice, purchase, trouble.why) };
    default:
      return trouble satisfies never;
  }
}

/** Milliseconds until it is tried again, after so many failures; null: never. */
export function retryAfter(trouble: Undelivered, attempts: number): number | null {
  switch (trouble.kind) {
    case 'rate_limited':
      return trouble.retryAfterSeconds * 1000;
    case 'unreachable':
      return backoff(attempts, RETRY_FIRST_MS, RETRY_AT_MOST_MS);
    case 'refused':
      return backoff(attempts, MENDED_FIRST_MS, MENDED_AT_MOST_MS);
    case 'impossible':
    case 'gone':
      return null;
    default:
      return trouble satisfies never;
  }
}

/** Only for what was never posted. What approvers were to pass on is not passed on again. */
function owedInstead(notice: Notice, purchase: Subject, why: string): readonly NewNotice[] {
  if (notice.ts !== null) return [];
  // To its owner, and not to one of the approvers: those would pass it on to each other.
  if (notice.kind === 'ending' && notice.key === notice.text && notice.audience !== 'approvers')
    return [{ ...notice, key: `${notice.key}:passed on`, audience: 'approvers' }];
  if (purchase === null) return [];
  if ((notice.kind === 'outcome' || notice.kind === 'batch_outcome') && notice.audience === 'requester')
    return [{ ...notice, key: `${notice.key}:passed on`, audience: 'approvers' }];
  if (notice.kind === 'question' && notice.audience === 'requester')
    return [alert(`question ${notice.text}`, questionUnsent(purchase.id, why))];
  if ((notice.kind === 'card' || notice.kind === 'batch_card') && notice.audience === 'approvers')
    return [{ ...alert(`card of ${purchase.id}`, cardUnposted(purchase.id, why)), audience: 'requester' }];
  if (notice.kind === 'unknown_card' && notice.audience === 'approvers')
    return [{ ...alert(`unknown card of ${purchase.id}`, unknownUnposted(purchase.id, why)), audience: 'requester' }];
  return [];
}

function questionUnsent(id: string, why: string): string {
  return `A question about the request ${id} could not be sent to whoever asked for it (${why}). It stands under the card; please ask another way.`;
}

function cardUnposted(id: string, why: string): string {
  return (
    `The request ${id} could not be posted in the approvals channel (${why}), so nobody can approve it yet. No money has moved. ` +
    'Ask an admin to look at the channel: the card is posted as soon as that works. You can withdraw the request meanwhile.'
  );
}

function unknownUnposted(id: string, why: string): string {
  return (
    `The card on which the unknown outcome of the request ${id} is settled could not be posted in the approvals channel (${why}), so those who approve ` +
    'may not have heard of it. Money may have been spent: do not ask for it again. Ask one of them to settle it from /proxy requests, and an admin to look at the channel.'
  );
}
