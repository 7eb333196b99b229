import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { freezeLine } from '../amounts.ts';
import { reasonBlock, requestLine } from '../approval/card.ts';
import { actions, button, fields, type Message, paragraph, section } from '../blocks.ts';
import { contentLines, contentShort, planLines } from '../describe.ts';
import { decisionLine } from '../history.ts';
import { ACTION } from '../ids.ts';
import { NOBODY_ELSE } from '../review.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';
import { when } from '../when.ts';

/**
 * The requester's direct message from filing on; edited on the way. Withdraw stands on it until sending starts. The outcome comes as a
 * message of its own, with the evidence, so this one stays short.
 */
export function statusMessage(record: PurchaseRecord, context: Surroundings): Message {
  const { purchase } = record;
  const { state } = purchase;
  const withdrawable = state === 'requested' || state === 'approved';
  return {
    text: `Your request: ${purchase.kind === 'buy' ? 'buy' : 'renew'} ${contentShort(purchase)}: ${stateWord(state)}`,
    blocks: [
      section(outcomeSentence(purchase)),
      ...(state === 'requested' ? [section(`Open until ${when(purchase.expiresAt)}.`)] : []),
      ...(state === 'requested' && context.someoneElse === false ? [section(NOBODY_ELSE)] : []),
      fields([
        ['You asked for', contentLines(purchase)],
        ['Plan', planLines(purchase.plan, purchase.kind)],
        ['Asked', when(purchase.createdAt)],
      ]),
      ...paragraph([decisionLine(record)]),
      ...(withdrawable ? paragraph([freezeLine(context.freeze)]) : []),
      requestLine(purchase),
      reasonBlock(purchase),
      ...actions(withdrawable ? [button('Withdraw', ACTION.withdraw, purchase.id)] : []),
    ],
  };
}
