import type { Purchase, State } from './purchase.ts';

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
  /** The reason of a freeze, the text of an alert; the id of a question, also in its answer. */
  readonly text: string | null;
  /** Who froze or unfroze, nudged, asked or answered. */
  readonly by: string | null;
}

export interface Notice extends NewNotice {
  readonly id: number;
  readonly purchaseId: string | null;
  /** Where it was posted; null before. */
  readonly channel: string | null;
  readonly ts: string | null;
  readonly attempts: number;
  /** The process that leases it may deliver it until then. */
  readonly leasedUntil: number;
  readonly createdAt: number;
}

/** What a purchase that has just been filed owes. */
export function owedAtFiling(purchase: Pick<Purchase, 'id' | 'state'>): readonly NewNotice[] {
  const status = notice(purchase.id, 'status', 'requester', null);
  return purchase.state === 'requested' ? [status, notice(purchase.id, 'card', 'approvers', null)] : [status];
}

/** The new messages that a transition owes; posted ones are edited besides. `occasion` tells two transitions to one state apart. */
export function owedAtTransition(purchaseId: string, to: State, occasion: string): readonly NewNotice[] {
  switch (to) {
    case 'completed':
    case 'declined':
    case 'rejected':
    case 'expired':
      return [notice(purchaseId, 'outcome', 'requester', to, occasion)];
    case 'unknown':
      return [
        notice(purchaseId, 'outcome', 'requester', to, occasion),
        notice(purchaseId, 'unknown_card', 'approvers', to, occasion),
      ];
    case 'requested':
    case 'approved':
    case 'sending':
    case 'withdrawn':
      return [];
    default:
      return to satisfies never;
  }
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

export function alert(key: string, text: string): NewNotice {
  return { key: `alert:${key}`, kind: 'alert', audience: 'approvers', about: null, text, by: null };
}

function notice(id: string, kind: NoticeKind, audience: Audience, about: State | null, occasion = ''): NewNotice {
  return { key: [id, kind, about ?? '', occasion].join(':'), kind, audience, about, text: null, by: null };
}
