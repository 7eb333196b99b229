import type { types } from '@slack/bolt';
import { parseOrderId } from '../src/input/fields.ts';
import { orderIdProblemText } from '../src/input/words.ts';
import { isKept } from '../src/purchasing/model/filing.ts';
import type { Kind, Purchase } from '../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import type { Settlement } from '../src/purchasing/rules/decisions.ts';
import { actions, type Block, button, type DrawnMessage, fields, modal, paragraph, section } from './blocks.ts';
import { cardPrint, factsOf, finalButtons, reasonBlock } from './facts.ts';
import { contactName, groups, person, requestShort, when } from './format.ts';
import { balanceLines, historyLines } from './history.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { LONGEST_REASON, textInput } from './inputs.ts';
import { LONGEST_TYPED_ID, orderIdInput } from './order-id.ts';
import { outcomeSentence, stateWord } from './sentences.ts';
import { type Decoded, proseProblem, rawText, typedText, type Values } from './state.ts';

/** The evidence about an unknown outcome, with the buttons that settle it; later, how it was settled. */
export function unknownCard(record: PurchaseRecord, around: Surroundings): DrawnMessage {
  const { purchase } = record;
  const open = purchase.state === 'unknown';
  const notified = groups(around.mention);
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
            ...paragraph([nobodySettles(purchase, around)]),
          ]
        : []),
      fields([...factsOf(purchase), ['Sent', purchase.attempt === null ? 'not known' : when(purchase.attempt.at)]]),
      ...paragraph(historyLines(record)),
      cardPrint(record, around),
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

/** Where nobody who approves may settle it; null where somebody may, or that was not read. */
function nobodySettles(
  purchase: Pick<Purchase, 'submission'>,
  { othersWhoApprove, contact, cardsIn }: Pick<Surroundings, 'othersWhoApprove' | 'contact' | 'cardsIn'>,
): string | null {
  if (othersWhoApprove !== 0) return null;
  const why = isKept(purchase)
    ? 'nobody settles a renewal of their own order, or of one that they marked “Keep”'
    : 'nobody settles their own purchase';
  const then = cardsIn === null ? 'then gets its card by direct message' : 'can then settle it on its card';
  return `*Nobody can settle it at present*: ${why}, and the groups that approve have no other usable member. Somebody else has to be let into one of them, and ${then}. Tell ${contactName(contact)}.`;
}

/** What messages about the purchase say beside its card: where it is settled, or that nobody is there who may. */
export function whereSettled(purchase: Pick<Purchase, 'submission'>, around: Surroundings): string {
  const settled = `It is settled on ${unknownCardPlace(around)}.`;
  const nobody = nobodySettles(purchase, around);
  if (nobody === null) return settled;
  // Without a channel, nobody has a card yet.
  return around.cardsIn === null ? nobody : `${settled} ${nobody}`;
}

/** Where the card of an unknown outcome is, for the other messages about the purchase. */
export function unknownCardPlace({ links, cardsIn }: Pick<Surroundings, 'links' | 'cardsIn'>): string {
  if (links.unknownCard !== null) return `<${links.unknownCard}|the card of its unknown outcome>`;
  return cardsIn === null
    ? 'the card that each approver has by direct message'
    : `the card of its unknown outcome in <#${cardsIn}>`;
}

export function settleView(draftId: string, record: PurchaseRecord, placed: boolean): types.ModalView {
  const { purchase } = record;
  return modal({
    callback: CALLBACK.settle,
    title: placed ? 'It was placed' : 'It was not placed',
    draftId,
    submit: 'Settle',
    close: 'Cancel',
    blocks: [
      section(
        placed
          ? "Say so only if you have seen the order in the vendor's console: it then counts as *bought*, and its money as spent."
          : "Say so only if the vendor's console does not show the order: it then counts as *declined*, and may be asked and paid for again.",
      ),
      fields(factsOf(purchase)),
      ...paragraph(balanceLines(record)),
      textInput({
        block: BLOCK.note,
        action: ACTION.note,
        label: 'Note',
        placeholder: 'How do you know?',
        multiline: true,
        longest: LONGEST_REASON,
      }),
      ...(placed && purchase.kind === 'buy' ? [orderIdInput(true)] : []),
    ],
  });
}

/** What a person says of an unknown outcome, or what is wrong with that. */
export function decodeSettle(
  values: Values,
  { placed, kind }: { readonly placed: boolean; readonly kind: Kind },
): Decoded<Settlement> {
  const note = typedText(values, BLOCK.note, ACTION.note) ?? '';
  const wrongNote = proseProblem(note, 'Say how you know');
  const typed = placed && kind === 'buy' ? (rawText(values, BLOCK.orderId, ACTION.orderId) ?? '') : '';
  const reading = parseOrderId(typed.slice(0, LONGEST_TYPED_ID));
  const left = !reading.ok && reading.problem === 'order_id_missing';
  const wrongId = reading.ok || left ? undefined : orderIdProblemText(reading.problem, reading.token);
  if (wrongNote || wrongId)
    return {
      ok: false,
      errors: { ...(wrongNote ? { [BLOCK.note]: wrongNote } : {}), ...(wrongId ? { [BLOCK.orderId]: wrongId } : {}) },
    };
  return { ok: true, content: { placed, note, orderId: reading.ok ? reading.orderId : null } };
}
