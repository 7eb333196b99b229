import type { types } from '@slack/bolt';
import { parseOrderId } from '../src/input/fields.ts';
import { orderIdProblemText } from '../src/input/words.ts';
import { sentAt } from '../src/purchasing/model/order.ts';
import type { OrderId } from '../src/purchasing/model/order-id.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { type Block, fields, modal, section } from './blocks.ts';
import { contentLines, when } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { textInput } from './inputs.ts';
import { type Decoded, rawText, type Values } from './state.ts';

/** 40 digits, and what a copied link brings along. */
export const LONGEST_TYPED_ID = 300;

export function orderIdInput(optional: boolean): Block {
  return textInput({
    block: BLOCK.orderId,
    action: ACTION.orderId,
    label: 'Order id',
    placeholder: 'Digits, as the vendor shows it',
    optional,
    longest: LONGEST_TYPED_ID,
  });
}

export function orderIdView(draftId: string, { purchase }: PurchaseRecord): types.ModalView {
  return modal({
    callback: CALLBACK.orderId,
    title: 'Enter order id',
    draftId,
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      fields([
        ['Bought', contentLines(purchase)],
        ['When', when(sentAt(purchase))],
      ]),
      section("Copy it from the vendor's console. Renewals will pay for this order, so check every digit."),
      orderIdInput(false),
    ],
  });
}

/** The id, or what is wrong with what was typed. */
export function decodeOrderId(values: Values): Decoded<OrderId> {
  const reading = parseOrderId((rawText(values, BLOCK.orderId, ACTION.orderId) ?? '').slice(0, LONGEST_TYPED_ID));
  return reading.ok
    ? { ok: true, content: reading.orderId }
    : { ok: false, errors: { [BLOCK.orderId]: orderIdProblemText(reading.problem, reading.token) } };
}
