import type { types } from '@slack/bolt';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { actions, type Block, button, fields, type Message, paragraph, section } from '../blocks.ts';
import { factsOf, finalButtons, reasonBlock, smallPrint } from '../facts.ts';
import { groups, person, requestShort, when } from '../format.ts';
import { historyLines } from '../history.ts';
import { ACTION } from '../ids.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';

/** The evidence about an unknown outcome, with the buttons that settle it; later, how it was settled. */
export function unknownCard(record: PurchaseRecord, { mention }: Surroundings): Message {
  const { purchase } = record;
  const open = purchase.state === 'unknown';
  const notified = groups(mention);
  return {
    text: `${open ? 'Outcome unknown' : `Was unknown, now ${stateWord(purchase.state)}`}: ${requestShort(purchase)} for ${person(purchase.requester)}`,
    blocks: [
      ...(notified === '' ? [] : [section(notified)]),
      section(`${outcomeSentence(purchase)}${open ? '' : '\nIts outcome was unknown; it is settled.'}`),
      ...(open
        ? [
            section(
              "Look whether the vendor's console has the order, then say so here. It is never sent again by itself, and nobody can ask for the same until then.",
            ),
          ]
        : []),
      fields([...factsOf(purchase), ['Sent', purchase.attempt === null ? 'not known' : when(purchase.attempt.at)]]),
      ...paragraph(historyLines(record)),
      smallPrint(purchase),
      reasonBlock(purchase.reason),
      ...(open ? settleButtons(purchase, finalButtons(record)) : actions(finalButtons(record))),
    ],
  };
}

/** On the card, and in the private list. */
export function settleButtons({ id }: Pick<Purchase, 'id'>, more: readonly types.Button[] = []): readonly Block[] {
  return actions([
    button('It was placed', ACTION.placed, id),
    button('It was not placed', ACTION.notPlaced, id),
    ...more,
  ]);
}
