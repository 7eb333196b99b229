import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { freezeLine } from '../amounts.ts';
import { finalButtons, reasonBlock, requestLine } from '../approval/card.ts';
import { actions, button, fields, type Message, paragraph, section } from '../blocks.ts';
import { contentLines, contentShort, planLines } from '../describe.ts';
import { hasAnswerToShow, storyLines } from '../history.ts';
import { ACTION } from '../ids.ts';
import { NOBODY_ELSE } from '../review.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';
import { unknownCardPlace } from '../unknown/place.ts';
import { when } from '../when.ts';

/**
 * The requester's direct message from filing on, with all the facts; edited on the way, up to the outcome. Withdraw stands on it until
 * sending starts.
 */
export function statusMessage(record: PurchaseRecord, around: Surroundings): Message {
  const { purchase } = record;
  const { state, kind } = purchase;
  const withdrawable = state === 'requested' || state === 'approved';
  return {
    text: `Your request: ${kind === 'buy' ? 'buy' : 'renew'} ${contentShort(purchase)}: ${stateWord(state)}`,
    blocks: [
      section(outcomeSentence(purchase)),
      ...(state === 'requested' ? [section(`Open until ${when(purchase.expiresAt)}.`)] : []),
      ...(state === 'requested' && around.someoneElse === false ? [section(NOBODY_ELSE)] : []),
      ...(state === 'unknown' ? [section(`It is settled on ${unknownCardPlace(around)}.`)] : []),
      fields([
        ['You asked for', contentLines(purchase)],
        ['Plan', planLines(purchase.plan, kind)],
        ['Asked', when(purchase.createdAt)],
      ]),
      ...paragraph(storyLines(record)),
      ...(withdrawable ? paragraph([freezeLine(around.freeze)]) : []),
      ...(state === 'completed' && kind === 'buy' ? [section(whereProxiesAre(record))] : []),
      requestLine(purchase),
      reasonBlock(purchase),
      ...actions(withdrawable ? [button('Withdraw', ACTION.withdraw, purchase.id)] : finalButtons(record)),
    ],
  };
}

function whereProxiesAre(record: PurchaseRecord): string {
  return hasAnswerToShow(record)
    ? "Fetch the proxies from the vendor's answer (*Show the answer*, only you and approvers can open it) or from the vendor's console."
    : "Fetch the proxies from the vendor's console.";
}
