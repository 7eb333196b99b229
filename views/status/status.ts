import type { types } from '@slack/bolt';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { actions, button, confirmed, fields, type Message, paragraph, section } from '../blocks.ts';
import { ownFactsOf, reasonBlock, smallPrint } from '../facts.ts';
import { freezeLine, requestShort, when } from '../format.ts';
import { decisionLine } from '../history.ts';
import { ACTION } from '../ids.ts';
import { nobodyElse } from '../review.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';

/**
 * The requester's direct message from filing on; edited on the way. Withdraw stands on it until sending starts. The outcome comes as a
 * message of its own, with the evidence, so this one stays short.
 */
export function statusMessage(record: PurchaseRecord, { freeze, someoneElse, contact }: Surroundings): Message {
  const { purchase } = record;
  const { state } = purchase;
  const withdrawable = state === 'requested' || state === 'approved';
  return {
    text: `Your request: ${requestShort(purchase)}: ${stateWord(state)}`,
    blocks: [
      section(outcomeSentence(purchase)),
      ...(state === 'requested' ? [section(`Open until ${when(purchase.expiresAt)}.`)] : []),
      ...(state === 'requested' && someoneElse === false ? [section(nobodyElse(contact))] : []),
      fields([...ownFactsOf(purchase), ['Asked', when(purchase.createdAt)]]),
      ...paragraph([decisionLine(record)]),
      ...(withdrawable ? paragraph([freezeLine(freeze)]) : []),
      smallPrint(purchase),
      reasonBlock(purchase.reason),
      ...actions(buttonsOf(purchase)),
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
