import type { types } from '@slack/bolt';
import { policyOf } from '../src/purchasing/model/evidence.ts';
import { shortDigest } from '../src/purchasing/model/policy-digest.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { type Block, button, context, foreign } from './blocks.ts';
import { contentLines, person, planIds, planName, uncapital } from './format.ts';
import { canEnterOrderId, hasAnswerToShow, repeatOf } from './history.ts';
import { ACTION } from './ids.ts';
import { completedTwin } from './sentences.ts';
import { literal, plainLines } from './text.ts';

// What every message and modal about a purchase says of it, in the same words.

export type Labelled = readonly [label: string, text: string];

/** Who asked, for what, on which plan. */
export function factsOf(purchase: Purchase): readonly Labelled[] {
  return [['Who', person(purchase.requester)], ...ownFactsOf(purchase, 'What')];
}

/** To the person who asked. @param what the label of what was asked for */
export function ownFactsOf(purchase: Purchase, what = 'You asked for'): readonly Labelled[] {
  return [
    [what, contentLines(purchase)],
    ['Plan', planName(purchase.plan)],
  ];
}

/** Says that the same was completed before this was filed; null where it was not. @param reader Slack user id */
export function repeatLine(record: PurchaseRecord, now: number, reader: string): string | null {
  const twin = repeatOf(record);
  if (twin === null) return null;
  return `⚠️ *Repeat*: ${uncapital(completedTwin(twin, { now, user: reader }))} If approved, it is paid a second time.`;
}

/** The reason in a block of its own, as it was typed; the last of all facts, so that nothing in it can pass for one of them. */
export function reasonBlock(reason: string, label = 'Reason'): Block {
  return foreign(plainLines(`${label}: ${reason.trim() === '' ? 'none given' : reason}`, 2_800));
}

/** The purchase's id, and the vendor's ids of what is bought. @param policy a digest; by which policy it is judged, or was */
export function smallPrint(
  { id, plan, kind }: Pick<Purchase, 'id' | 'plan' | 'kind'>,
  policy: string | null = null,
): Block {
  return context(`Request ${literal(id, 60)} · ${planIds(plan, kind)}${policyPrint(policy)}`);
}

/** What is still to be decided is judged by the policy in force; what was, by the one that stands in its entries. */
export function cardPrint({ purchase, entries }: PurchaseRecord, { policy }: Pick<Surroundings, 'policy'>): Block {
  return smallPrint(purchase, purchase.state === 'requested' ? policy : policyOf(entries));
}

/** @param policy a digest */
export function policyPrint(policy: string | null): string {
  return policy === null ? '' : ` · policy ${literal(shortDigest(policy), 20)}`;
}

/** On card and receipt, and in the list of orders. */
export function enterOrderIdButton({ id }: Pick<Purchase, 'id'>): types.Button {
  return button('Enter order id', ACTION.enterOrderId, id);
}

/** What can be done with a purchase whose answer is in: on the card and on the receipt. */
export function finalButtons(record: PurchaseRecord): readonly types.Button[] {
  const { id } = record.purchase;
  return [
    ...(canEnterOrderId(record.purchase) ? [enterOrderIdButton(record.purchase)] : []),
    ...(hasAnswerToShow(record) ? [button('Show the answer', ACTION.showAnswer, id)] : []),
  ];
}
