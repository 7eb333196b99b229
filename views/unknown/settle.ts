import type { types } from '@slack/bolt';
import { parseOrderId } from '../../src/input/order-id.ts';
import type { Kind } from '../../src/purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import type { Settlement } from '../../src/purchasing/rules/decisions.ts';
import { fields, modal, paragraph, section } from '../blocks.ts';
import { factsOf } from '../facts.ts';
import { balanceLines } from '../history.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { LONGEST_REASON, textInput } from '../inputs.ts';
import { type Decoded, proseProblem, rawText, typedText, type Values } from '../state.ts';
import { LONGEST_TYPED_ID, orderIdInput } from '../status/order-id.ts';
import { orderIdProblemText } from '../typed-problems.ts';

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
