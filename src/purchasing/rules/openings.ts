import type { Answer } from '../model/answer.ts';
import type { Batch } from '../model/batch.ts';
import type { Change } from '../model/change.ts';
import { keptOf } from '../model/entries.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase, PurchaseAction } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import type { PurchaseRecord } from '../ports/ledger.ts';
import { type Clicked, isElsewhere } from './clicks.ts';
import { refuse, refuseKeeper, refuseOthers, wrongState } from './decisions.ts';
import { type Allowed, type Clicker, isRequester } from './rights.ts';

// A click on a message that opens something. It decides nothing: whatever is submitted then is decided on its own.

export type Opening = Exclude<PurchaseAction, 'withdraw' | 'take back' | 'nudge' | 'answer' | 'show the answer'>;

/** Why this person does not go on with it there. */
export function refuseOpening(
  action: Opening,
  { purchase, entries }: PurchaseRecord,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): Refusal | undefined {
  if (isRefusal(by.allowed)) return by.allowed;
  if (action === 'enter order id')
    return isElsewhere(purchase, clicked, policy) ? { refused: 'wrong_card' } : undefined;
  if (purchase.state !== (action === 'settle' ? 'unknown' : 'requested')) return wrongState(purchase);
  if (isRequester(purchase, by.allowed)) return { refused: 'own_purchase' };
  const keptBy = keptOf({ entries })?.by ?? null;
  const keeper = action === 'approve' || action === 'settle' ? refuseKeeper({ keptBy }, by.allowed) : undefined;
  if (keeper) return keeper;
  return isElsewhere(purchase, clicked, policy, true) ? { refused: 'wrong_card' } : undefined;
}

/** The same for the rows of a batch that wait, which are decided together. */
export function refuseBatchOpening(
  { rows }: Batch,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
  action: 'approve' | 'reject' | 'ask',
): Refusal | undefined {
  const row = rows.find(({ state }) => state === 'requested') ?? rows[0];
  return row
    ? refuseOpening(action, { purchase: row, entries: [] }, by, clicked, policy)
    : { refused: 'no_such_purchase' };
}

/** Why this person does not ask for the same again: only the requester does. */
export function refuseAskingAgain(purchase: Purchase, allowed: Allowed): Refusal | undefined {
  if (isRefusal(allowed)) return allowed;
  return isRequester(purchase, allowed) ? undefined : { refused: 'not_requester' };
}

export interface ShownAnswer {
  readonly purchase: Purchase;
  readonly answer: Answer;
}

/** The vendor's raw answer may hold proxy logins: it is for the requester and those who approve, and each look is an entry. */
export function decideShowing(
  purchase: Purchase,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
  answer: Answer | undefined,
): Change<ShownAnswer | Refusal> {
  const no = isRefusal(by.allowed)
    ? by.allowed
    : isElsewhere(purchase, clicked, policy)
      ? { refused: 'wrong_card' as const }
      : refuseOthers(purchase, by);
  if (no) return refuse('show the answer', by, no);
  if (!answer) return refuse('show the answer', by, { refused: 'no_answer_kept' });
  const entries = [{ by: by.user, from: null, to: null, detail: { kind: 'answer_opened' as const } }];
  return { result: { purchase, answer }, by: by.user, entries };
}
