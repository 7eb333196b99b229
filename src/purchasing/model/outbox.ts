import { type Batch, isUnderWay } from './batch.ts';
import type { Purchase, State } from './purchase.ts';
import type { Month } from './spend.ts';

/**
 * A message owed to somebody in Slack, kept until delivered. A message about a purchase shows one version of the purchase, and is
 * drawn again when there is a higher one.
 */
export type NoticeKind =
  /** The approval card. */
  | 'card'
  /** The requester's direct message, from filing on. */
  | 'status'
  /** A new direct message to the requester: outcome, rejection, expiry. */
  | 'outcome'
  /** Evidence, with the two buttons that settle it. */
  | 'unknown_card'
  /** The one card on which a batch is decided. */
  | 'batch_card'
  /** The requester's direct message about a batch, from filing on. */
  | 'batch_status'
  /** A new direct message to the requester of a batch: it is over, or it waits for somebody. */
  | 'batch_outcome'
  /** Those who approve are reminded of what nobody has decided. */
  | 'reminder'
  /** Others are told that nobody has decided. */
  | 'escalation'
  /** The requester asks for a decision. */
  | 'nudge'
  /** An approver asks the requester something, who answers. */
  | 'question'
  | 'answer'
  /** Spending was frozen, or unfrozen. */
  | 'frozen'
  | 'unfrozen'
  /** Orders that end soon, or have ended: to their owner, or to those who approve. */
  | 'ending'
  /** The renewal of an order that is kept could not be filed. */
  | 'not_kept'
  /** Money left the account, and nothing that was sent explains it. */
  | 'fall'
  /** Money came into the account. */
  | 'top_up'
  /** A month that is over; posted once, and never edited. */
  | 'report'
  /** Its CSV, under the report. */
  | 'report_csv'
  /** Something that those who run the bot must look at. */
  | 'alert';

/**
 * Who gets it: the requester, or those who approve (the approvals channel, or each of them where there is none), or whoever reads the
 * thread under the card (said there once, and never edited), or one person.
 */
export type Audience = 'requester' | 'approvers' | 'thread' | `user:${string}`;

export interface NewNotice {
  /** One notice for one key. */
  readonly key: string;
  readonly kind: NoticeKind;
  readonly audience: Audience;
  /** The state that an outcome tells of. */
  readonly about: State | null;
  /** The reason of a freeze, the text of an alert; the id of a question, also in its answer; by what the orders that end are found; the `seq` of a change of the balance; the month and the time zone of a report. */
  readonly text: string | null;
  /** Who froze or unfroze, nudged, asked or answered; whose the order is that was not kept. */
  readonly by: string | null;
}

export interface Notice extends NewNotice {
  readonly id: number;
  readonly purchaseId: string | null;
  readonly batchId: string | null;
  /** Where it was posted; null before. */
  readonly channel: string | null;
  readonly ts: string | null;
  readonly attempts: number;
  /** The process that leases it may deliver it until then. */
  readonly leasedUntil: number;
  /** Rises with what a message shows beside its purchase, as a purchase's version does: orders, a freeze, the policy. */
  readonly revision: number;
  /** The digest of the message that certainly stands there; null where nobody knows. */
  readonly shown: string | null;
  readonly createdAt: number;
}

/** What a purchase that has just been filed owes. Rows of a batch are told of by the messages of their batch. */
export function owedAtFiling(purchase: Pick<Purchase, 'id' | 'state' | 'batch'>): readonly NewNotice[] {
  if (purchase.batch !== null) return [];
  const status = notice(purchase.id, 'status', 'requester', null);
  return purchase.state === 'requested' ? [status, notice(purchase.id, 'card', 'approvers', null)] : [status];
}

/** The new messages that a transition owes; posted ones are edited besides. `occasion` tells two transitions to one state apart. */
export function owedAtTransition(
  { id: purchaseId, batch }: Pick<Purchase, 'id' | 'batch'>,
  to: State,
  occasion: string,
): readonly NewNotice[] {
  const card = notice(purchaseId, 'unknown_card', 'approvers', to, occasion);
  if (batch !== null) return to === 'unknown' ? [card] : [];
  switch (to) {
    case 'completed':
    case 'declined':
    case 'rejected':
    case 'expired':
      return [notice(purchaseId, 'outcome', 'requester', to, occasion)];
    case 'unknown':
      return [notice(purchaseId, 'outcome', 'requester', to, occasion), card];
    case 'requested':
    case 'approved':
    case 'sending':
    case 'withdrawn':
      return [];
    default:
      return to satisfies never;
  }
}

/** To a requester who has not made it so themselves. */
export function outcomeNotice(id: string, about: State): NewNotice {
  return notice(id, 'outcome', 'requester', about);
}

/** What a batch that has just been filed owes. */
export function owedAtBatchFiling(id: string, state: State): readonly NewNotice[] {
  const status = notice(id, 'batch_status', 'requester', null);
  return state === 'requested' ? [status, notice(id, 'batch_card', 'approvers', null)] : [status];
}

/**
 * What a batch owes when a row of it has moved: news where the rest waits for somebody since, and news when it is over. Whoever has
 * withdrawn all of it knows.
 */
export function owedByBatch({ id, rows }: Pick<Batch, 'id' | 'rows'>, moved: Purchase): readonly NewNotice[] {
  const occasion = `${moved.id} ${moved.version}`;
  if (moved.state === 'unknown')
    return rows.filter(({ state }) => state === 'unknown').length === 1
      ? [notice(id, 'batch_outcome', 'requester', 'unknown', occasion)]
      : [];
  const over = !rows.some(isUnderWay) && rows.some(({ state }) => state !== 'withdrawn');
  return over ? [notice(id, 'batch_outcome', 'requester', null, occasion)] : [];
}

/** What a batch owes that waits for money; once for the row that would be next. */
export function owedByShortBatch(next: Pick<Purchase, 'id' | 'batch'>): readonly NewNotice[] {
  return next.batch === null ? [] : [notice(next.batch.id, 'batch_outcome', 'requester', 'approved', next.id)];
}

/** Under the card, and to the requester where they have to do something. @param occasion tells two of a kind apart */
export function saidOf(
  purchaseId: string,
  kind: 'reminder' | 'escalation' | 'nudge' | 'question' | 'answer',
  audience: 'thread' | 'requester',
  occasion: string,
  { by = null, text = null }: { readonly by?: string | null; readonly text?: string | null } = {},
): NewNotice {
  return { ...notice(purchaseId, kind, audience, null, `${audience}:${occasion}`), by, text };
}

export function freezeNotice(occasion: string, reason: string | null, by: string): NewNotice {
  const kind = reason === null ? 'unfrozen' : 'frozen';
  return { key: `${kind}:${occasion}`, kind, audience: 'approvers', about: null, text: reason, by };
}

/** @param seq of the change of the balance that it tells of: told once */
export function movementNotice(kind: 'fall' | 'top_up', seq: number): NewNotice {
  return { key: `${kind}:${seq}`, kind, audience: 'approvers', about: null, text: String(seq), by: null };
}

const REPORT = 'report:';
const REPORT_CSV = 'report csv:';

/** One for each month. @param text as {@link NewNotice.text} */
export function reportNotices(month: Month, text: string): readonly NewNotice[] {
  const of = { audience: 'approvers', about: null, text, by: null } as const;
  return [
    { ...of, key: `${REPORT}${month}`, kind: 'report' },
    { ...of, key: `${REPORT_CSV}${month}`, kind: 'report_csv' },
  ];
}

/** The key of the report that a CSV goes under, also where each of several people gets both. */
export function reportOfCsv({ key }: Pick<NewNotice, 'key'>): string {
  return `${REPORT}${key.slice(REPORT_CSV.length)}`;
}

export function alert(key: string, text: string): NewNotice {
  return { key: `alert:${key}`, kind: 'alert', audience: 'approvers', about: null, text, by: null };
}

function notice(id: string, kind: NoticeKind, audience: Audience, about: State | null, occasion = ''): NewNotice {
  return { key: [id, kind, about ?? '', occasion].join(':'), kind, audience, about, text: null, by: null };
}
