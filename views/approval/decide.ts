import type { types } from '@slack/bolt';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { type Block, fields, modal, section } from '../blocks.ts';
import { contentLines, person, planLines } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { reasonInput } from '../inputs.ts';
import { type Decoded, proseProblem, typedText, type Values } from '../state.ts';
import { reasonBlock } from './card.ts';

export function approveView(draftId: string, { purchase }: PurchaseRecord): types.ModalView {
  return modal({
    callback: CALLBACK.approve,
    title: 'Approve request',
    draftId,
    submit: 'Approve',
    close: 'Cancel',
    blocks: [
      ...repeated(purchase),
      section(
        '*Approve* sends exactly this to the vendor, and real money is spent. It cannot be taken back once it is sent.',
      ),
    ],
  });
}

export function rejectView(draftId: string, { purchase }: PurchaseRecord): types.ModalView {
  return modal({
    callback: CALLBACK.reject,
    title: 'Reject request',
    draftId,
    submit: 'Reject',
    close: 'Cancel',
    blocks: [...repeated(purchase), reasonInput(`Told to the person who asked`)],
  });
}

/** Why it is rejected, or what is wrong with that. */
export function decodeReject(values: Values): Decoded<string> {
  const reason = typedText(values, BLOCK.reason, ACTION.reason) ?? '';
  const wrong = proseProblem(reason, 'Say in a few words why');
  return wrong ? { ok: false, errors: { [BLOCK.reason]: wrong } } : { ok: true, content: reason };
}

/** What is decided on, once more. */
export function repeated(purchase: Purchase): readonly Block[] {
  return [
    fields([
      ['Who', person(purchase.requester)],
      ['What', contentLines(purchase)],
      ['Plan', planLines(purchase.plan, purchase.kind)],
    ]),
    reasonBlock(purchase),
  ];
}
