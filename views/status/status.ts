import type { types } from '@slack/bolt';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { actions, button, confirmed, fields, type Message, paragraph, section } from '../blocks.ts';
import { finalButtons, ownFactsOf, reasonBlock, smallPrint } from '../facts.ts';
import { freezeLine, requestShort, when } from '../format.ts';
import { hasAnswerToShow, historyLines } from '../history.ts';
import { ACTION } from '../ids.ts';
import { nobodyElse } from '../review.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';
import { unknownCardPlace } from '../unknown/place.ts';

/**
 * The requester's direct message from filing on, with all the facts; edited on the way, up to the outcome. Withdraw stands on it until
 * sending starts.
 */
export function statusMessage(record: PurchaseRecord, around: Surroundings): Message {
  const { purchase } = record;
  const { state, kind } = purchase;
  const withdrawable = state === 'requested' || state === 'approved';
  return {
    text: `Your request: ${requestShort(purchase)}: ${stateWord(state)}`,
    blocks: [
      section(outcomeSentence(purchase)),
      ...(state === 'requested' ? [section(`Open until ${when(purchase.expiresAt)}.`)] : []),
      ...(state === 'requested' && around.someoneElse === false ? [section(nobodyElse(around.contact))] : []),
      ...(state === 'unknown' ? [section(`It is settled on ${unknownCardPlace(around)}.`)] : []),
      fields([...ownFactsOf(purchase), ['Asked', when(purchase.createdAt)]]),
      ...paragraph(historyLines(record)),
      ...(withdrawable ? paragraph([freezeLine(around.freeze)]) : []),
      ...(state === 'completed' && kind === 'buy' ? [section(whereProxiesAre(record))] : []),
      smallPrint(purchase),
      reasonBlock(purchase.reason),
      ...actions([...buttonsOf(purchase), ...finalButtons(record)]),
    ],
  };
}

/** Until sending starts it can be withdrawn; what came to nothing can be asked for again, with the same content. */
function buttonsOf({ id, state }: Purchase): readonly types.Button[] {
  switch (state) {
    case 'requested':
    case 'approved':
      return [
        confirmed(button('Withdraw', ACTION.withdraw, id), {
          title: 'Withdraw this request?',
          text: 'Nothing of it is sent then. It can be asked for again.',
          yes: 'Withdraw',
          no: 'Keep it',
        }),
      ];
    case 'rejected':
    case 'declined':
    case 'expired':
      return [button('Ask again', ACTION.askAgain, id)];
    case 'sending':
    case 'completed':
    case 'unknown':
    case 'withdrawn':
      return [];
    default:
      return state satisfies never;
  }
}

function whereProxiesAre(record: PurchaseRecord): string {
  return hasAnswerToShow(record)
    ? "Fetch the proxies from the vendor's answer (*Show the answer*, only you and approvers can open it) or from the vendor's console."
    : "Fetch the proxies from the vendor's console.";
}
