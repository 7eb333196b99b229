import type { Freeze } from './freeze.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';
import type { Right } from './policy.ts';
import type { Purchase, State, Twin } from './purchase.ts';

/**
 * Every expected "no", with what a sentence about it needs. Each has one sentence, in `views/sentences.ts`.
 * Whatever is not here and goes wrong is a bug or an outage, and is thrown.
 */
export type Refusal =
  // who
  | { readonly refused: 'not_in_group'; readonly right: Right }
  | { readonly refused: 'nobody_in_group'; readonly right: Right }
  | { readonly refused: 'barred'; readonly as: 'guest' | 'bot' | 'deactivated' | 'outsider' }
  | { readonly refused: 'rights_unreadable'; readonly retryAfterSeconds: number }
  | { readonly refused: 'own_purchase' }
  /** They have marked the order Keep, which has filed its renewal. */
  | { readonly refused: 'kept_by_you' }
  | { readonly refused: 'not_requester' }
  | { readonly refused: 'first_yes_is_yours' }
  | { readonly refused: 'not_first_approver'; readonly firstApprover: string | null }
  | { readonly refused: 'wrong_card' }
  // what is asked
  | { readonly refused: 'no_such_purchase' }
  | { readonly refused: 'plan_gone'; readonly name: string }
  | { readonly refused: 'over_order_limit'; readonly quantity: number; readonly limit: number }
  | { readonly refused: 'over_day_limit'; readonly quantity: number; readonly counted: number; readonly limit: number }
  | {
      readonly refused: 'over_dollar_limit';
      readonly whose: 'person' | 'everybody';
      readonly spent: Money;
      /** Null where no price is known. */
      readonly cost: Money | null;
      readonly limit: Money;
      /** Whose month it is. */
      readonly timeZone: string;
    }
  | { readonly refused: 'twin_open'; readonly twin: Twin }
  | { readonly refused: 'twin_just_declined'; readonly twin: Twin; readonly retryAfterSeconds: number }
  | { readonly refused: 'twin_completed'; readonly twin: Twin }
  /** By another form, since the review was shown that was submitted. */
  | { readonly refused: 'asked_since'; readonly twin: Twin }
  | { readonly refused: 'order_never_seen'; readonly orderId: OrderId }
  | { readonly refused: 'approval_now_needed' }
  /** Another price was observed than the review showed; null where none was, or none holds any more. */
  | { readonly refused: 'cost_changed'; readonly shown: Money | null; readonly now: Money | null }
  /** Of renewals asked for together: all of them are filed, or none. */
  | { readonly refused: 'rows_refused'; readonly rows: readonly RefusedRow[] }
  /** Of a batch that the ledger has forgotten, a row that was put back. */
  | { readonly refused: 'filed_alone'; readonly id: string; readonly state: State }
  /** What was submitted is not the review that is shown now: it shows what is no longer meant. */
  | { readonly refused: 'review_outdated' }
  // the order book
  | { readonly refused: 'order_not_in_book'; readonly orderId: string }
  | { readonly refused: 'not_owner'; readonly owner: string | null }
  | { readonly refused: 'heir_may_not_renew'; readonly user: string }
  | { readonly refused: 'wrong_reminder' }
  | { readonly refused: 'ends_before_tomorrow'; readonly orderId: OrderId }
  | { readonly refused: 'not_kept_now'; readonly orderId: OrderId }
  | { readonly refused: 'kept_while_frozen'; readonly freeze: Freeze }
  /** The ledger went back in time since, and nobody approves: it may be renewed already. */
  | { readonly refused: 'kept_before_restore' }
  // saved baskets
  | { readonly refused: 'no_such_basket' }
  | { readonly refused: 'not_basket_maker'; readonly by: string }
  | { readonly refused: 'basket_name_missing' }
  | { readonly refused: 'basket_name_too_long'; readonly limit: number }
  | { readonly refused: 'basket_name_taken' }
  | { readonly refused: 'too_many_baskets'; readonly limit: number }
  // where the purchase stands
  | { readonly refused: 'wrong_state'; readonly purchase: Purchase; readonly decidedBy: string | null }
  | { readonly refused: 'order_id_taken'; readonly orderId: OrderId; readonly holder: string }
  | { readonly refused: 'order_id_known'; readonly orderId: OrderId }
  | { readonly refused: 'no_answer_kept' }
  | { readonly refused: 'already_frozen'; readonly by: string; readonly reason: string }
  | { readonly refused: 'not_frozen' }
  /** Somebody said yes, or took it back, while this click was looked at. */
  | { readonly refused: 'first_yes_changed' }
  | { readonly refused: 'nudged_already'; readonly retryAfterMinutes: number }
  | { readonly refused: 'no_approvals_channel' }
  | { readonly refused: 'no_such_question' }
  | { readonly refused: 'question_answered' }
  // money that left the account
  | { readonly refused: 'no_such_fall' }
  | { readonly refused: 'fall_known'; readonly by: string }
  // what Slack delivers again: the first delivery counted
  | { readonly refused: 'delivered_again' }
  | { readonly refused: 'command_delivered_again'; readonly freeze: Freeze | null };

/** Why a row of a batch cannot be filed. */
export interface RefusedRow {
  readonly orderId: OrderId;
  readonly because: Refusal;
}

/** A no to the person, whatever was asked. */
export function isAboutRights({ refused }: Refusal): boolean {
  return ['not_in_group', 'nobody_in_group', 'barred', 'rights_unreadable'].includes(refused);
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}
