import type { types } from '@slack/bolt';
import { plural } from '../../src/plural.ts';
import type { BatchRecord } from '../../src/purchasing/model/batch.ts';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { reasonOf, rowContent, sharedFacts, sizeOf, smallPrintOf } from '../batch-rows.ts';
import { type Block, fields, modal, paragraph, section } from '../blocks.ts';
import { costFieldsOf, rowCost } from '../cost.ts';
import { reasonBlock } from '../facts.ts';
import { capital, freezeLine, orderNumber, person } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { reasonInput } from '../inputs.ts';
import { renewalWarnings } from '../renew/order-lines.ts';
import { chosenOf, type Decoded, proseProblem, typedText, type Values } from '../state.ts';
import { plain } from '../text.ts';

/** What is decided on: the rows that wait, as they are shown. */
export interface BatchDecisionSubject {
  readonly batch: BatchRecord;
  readonly waiting: readonly Purchase[];
  /** Of each row that waits. */
  readonly orders: readonly OrderFacts[];
  /** As of now, by purchase id. */
  readonly costs: ReadonlyMap<string, ExpectedCost>;
  readonly now: number;
  readonly freeze: Freeze | null;
}

/** Slack takes no more boxes in a block. */
const BOXES_A_BLOCK = 10;

/**
 * All rows are approved but those that are ticked. A row is struck out by a tick and not kept by one, since Slack may leave out of a
 * view's state what a box was preset to: what it leaves out strikes out nothing that the approver has not touched.
 */
export function approveBatchView(draftId: string, subject: BatchDecisionSubject): types.ModalView {
  const { batch, waiting, freeze } = subject;
  return modal({
    callback: CALLBACK.approveBatch,
    title: 'Approve request',
    draftId,
    submit: 'Approve',
    close: 'Cancel',
    blocks: [
      ...decidedOn(subject),
      ...inParts(waiting).map((rows, part) => strikeOut(rows, part)),
      reasonInput('Why are they struck out? Told to the person who asked', { optional: true }),
      section(
        freeze
          ? '*Approve* lets exactly this, without what is struck out, be sent to the vendor as soon as spending is no longer frozen, and real money is spent.'
          : '*Approve* sends exactly this, without what is struck out, to the vendor, one after the other, and real money is spent. It cannot be taken back once it is sent.',
      ),
      ...paragraph([freezeLine(freeze)]),
      smallPrintOf(batch),
    ],
  });
}

export function rejectBatchView(draftId: string, subject: BatchDecisionSubject): types.ModalView {
  return modal({
    callback: CALLBACK.rejectBatch,
    title: 'Reject request',
    draftId,
    submit: 'Reject',
    close: 'Cancel',
    blocks: [...decidedOn(subject, 'Their reason'), reasonInput('Told to the person who asked')],
  });
}

function strikeOut(rows: readonly Purchase[], part: number): Block {
  return {
    type: 'input',
    block_id: BLOCK.strikeOut(part),
    label: plain(part === 0 ? 'Strike out' : 'Strike out, continued', 150),
    hint: plain('What is ticked is rejected.', 300),
    optional: true,
    element: {
      type: 'checkboxes',
      action_id: ACTION.strikeOut,
      options: rows.map((row) => ({
        text: plain(`Order ${orderNumber(row.orderId)}`, 75),
        description: plain(sizeOf(row), 75),
        value: row.id,
      })),
    },
  };
}

function inParts(rows: readonly Purchase[]): readonly (readonly Purchase[])[] {
  return Array.from({ length: Math.ceil(rows.length / BOXES_A_BLOCK) }, (_, part) =>
    rows.slice(part * BOXES_A_BLOCK, (part + 1) * BOXES_A_BLOCK),
  );
}

function decidedOn(
  { batch, waiting, orders, costs, now }: BatchDecisionSubject,
  reasonLabel?: string,
): readonly Block[] {
  return [
    section(`*Renew ${plural(waiting.length, 'order')}*`),
    fields([
      ['Who', person(batch.requester)],
      ...sharedFacts(waiting),
      ...costFieldsOf(waiting, batch.costs, costs, null),
    ]),
    ...paragraph(
      waiting.map((row, index) => {
        const warnings = renewalWarnings(orders[index] ?? null, row.plan, now);
        return [
          `${index + 1}. ${capital(rowContent(row, waiting))}${rowCost(row, batch.costs, costs)}`,
          ...warnings,
        ].join('\n');
      }),
    ),
    reasonBlock(reasonOf(batch), reasonLabel),
  ];
}

/** Which rows are struck out, and why, or what is wrong with that. @param shown the rows of the view */
export function decodeApproveBatch(
  values: Values,
  shown: readonly string[],
): Decoded<{ readonly struck: readonly string[]; readonly reason: string }> {
  const parts = Math.ceil(shown.length / BOXES_A_BLOCK);
  const ticked = Array.from({ length: parts }, (_, part) => chosenOf(values, BLOCK.strikeOut(part), ACTION.strikeOut));
  const struck = ticked.flat().filter((id) => shown.includes(id));
  const reason = typedText(values, BLOCK.reason, ACTION.reason) ?? '';
  const wrong = struck.length > 0 ? proseProblem(reason, 'Say in a few words why they are struck out') : undefined;
  return wrong ? { ok: false, errors: { [BLOCK.reason]: wrong } } : { ok: true, content: { struck, reason } };
}
