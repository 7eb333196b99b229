import type { types } from '@slack/bolt';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { type Block, fields, modal, paragraph, section } from '../blocks.ts';
import { factsOf, reasonBlock, smallPrint } from '../facts.ts';
import { freezeLine } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { reasonInput } from '../inputs.ts';
import { orderLines } from '../renew/order-lines.ts';
import { type Decoded, proseProblem, typedText, type Values } from '../state.ts';
import { warningLines } from './card.ts';

/** What is decided on, and what whoever decides must know besides. */
export interface DecisionSubject {
  readonly record: PurchaseRecord;
  readonly now: number;
  /** Of the order to renew. */
  readonly order: OrderFacts | null;
  readonly freeze: Freeze | null;
}

export function approveView(draftId: string, subject: DecisionSubject): types.ModalView {
  const { freeze } = subject;
  return modal({
    callback: CALLBACK.approve,
    title: 'Approve request',
    draftId,
    submit: 'Approve',
    close: 'Cancel',
    blocks: [
      ...decidedOn(subject),
      section(
        freeze
          ? '*Approve* lets exactly this be sent to the vendor as soon as spending is no longer frozen, and real money is spent.'
          : '*Approve* sends exactly this to the vendor, and real money is spent. It cannot be taken back once it is sent.',
      ),
      ...paragraph([freezeLine(freeze)]),
      smallPrint(subject.record.purchase),
    ],
  });
}

export function rejectView(draftId: string, subject: DecisionSubject): types.ModalView {
  return modal({
    callback: CALLBACK.reject,
    title: 'Reject request',
    draftId,
    submit: 'Reject',
    close: 'Cancel',
    // Theirs, since a reason of one's own is asked for below.
    blocks: [...decidedOn(subject, 'Their reason'), reasonInput('Told to the person who asked')],
  });
}

/** Why it is rejected, or what is wrong with that. */
export function decodeReject(values: Values): Decoded<string> {
  const reason = typedText(values, BLOCK.reason, ACTION.reason) ?? '';
  const wrong = proseProblem(reason, 'Say in a few words why');
  return wrong ? { ok: false, errors: { [BLOCK.reason]: wrong } } : { ok: true, content: reason };
}

/** What is decided on, once more. */
function decidedOn(subject: DecisionSubject, reasonLabel?: string): readonly Block[] {
  const { record, order, now } = subject;
  const { purchase } = record;
  return [
    ...paragraph(warningLines(record, subject)),
    fields(factsOf(purchase)),
    ...(purchase.kind === 'renew' ? paragraph(orderLines(order, now)) : []),
    reasonBlock(purchase.reason, reasonLabel),
  ];
}
