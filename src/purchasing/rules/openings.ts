import type { Answer } from '../model/answer.ts';
import type { Change } from '../model/change.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import type { PurchaseAction } from '../model/right.ts';
import { type Card, isElsewhere, isForDecisions } from './cards.ts';
import { type Clicker, isRequester, refuse, refuseOthers, wrongState } from './decisions.ts';

// A click on a message that opens something. It decides nothing: whatever is submitted then is decided on its own.

export type Opening = Exclude<PurchaseAction, 'withdraw' | 'show the answer'>;

/** Why this person does not go on with it there. */
export function refuseOpening(
  action: Opening,
  purchase: Purchase,
  by: Clicker,
  card: Card,
  policy: Policy,
): Refusal | undefined {
  if (isRefusal(by.allowed)) return by.allowed;
  if (action === 'enter order id') return isElsewhere(card, policy) ? { refused: 'wrong_card' } : undefined;
  if (purchase.state !== (action === 'settle' ? 'unknown' : 'requested')) return wrongState(purchase);
  if (isRequester(purchase, by)) return { refused: 'own_purchase' };
  return isForDecisions(card, policy) || !isElsewhere(card, policy) ? undefined : { refused: 'wrong_card' };
}

export interface ShownAnswer {
  readonly purchase: Purchase;
  readonly answer: Answer;
}

/** The vendor's raw answer may hold proxy logins: it is for the requester and those who approve, and each look is an entry. */
export function decideShowing(
  purchase: Purchase,
  by: Clicker,
  card: Card,
  policy: Policy,
  answer: Answer | undefined,
): Change<ShownAnswer | Refusal> {
  const no = isRefusal(by.allowed)
    ? by.allowed
    : isElsewhere(card, policy)
      ? { refused: 'wrong_card' as const }
      : refuseOthers(purchase, by);
  if (no) return refuse('show the answer', by, no);
  if (!answer) return refuse('show the answer', by, { refused: 'no_answer_kept' });
  const entries = [{ by: by.user, from: null, to: null, detail: { kind: 'answer_opened' as const } }];
  return { result: { purchase, answer }, by: by.user, entries };
}
