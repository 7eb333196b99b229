import type { types } from '@slack/bolt';
import { plural } from '../src/plural.ts';
import { type Batch, type BatchRecord, isUnderWay } from '../src/purchasing/model/batch.ts';
import type { Purchase, State } from '../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import { cameToNothing } from '../src/purchasing/rules/batches.ts';
import { heldBy } from '../src/purchasing/rules/holding.ts';
import { takeBackButton } from './approval.ts';
import { inShort, reasonOf, rowsBlocks, sharedFacts, smallPrintOf, yesLinesOf } from './batch-rows.ts';
import {
  actions,
  type Block,
  button,
  confirmed,
  type DrawnMessage,
  fields,
  paragraph,
  section,
  selectNow,
} from './blocks.ts';
import { costFieldsOf } from './cost.ts';
import { reasonBlock } from './facts.ts';
import { ago, balanceNow, capital, freezeLine, groups, orderNumber, person, when } from './format.ts';
import { ACTION } from './ids.ts';
import { tooFewApprove } from './status.ts';
import { nudgeLine, talkLines } from './talk.ts';
import { literal } from './text.ts';
import { settleButtons, whereSettled } from './unknown.ts';

// The messages about renewals that were asked for together. Each shows all rows, and is edited as they go.

/** The card on which all rows are decided. What is known of an unknown row stands on the card that settles it. */
export function batchCard(batch: BatchRecord, around: Surroundings): DrawnMessage {
  const { requester, rows } = batch;
  const waiting = waitingOf(rows);
  const mention = groups(around.mention);
  const what = `renew ${plural(rows.length, 'order')}`;
  return {
    text:
      waiting.length > 0
        ? `${person(requester)} asks to ${what}`
        : `${capital(what)} for ${person(requester)}: ${inShort(rows)}`,
    blocks: [
      ...(mention === '' ? [] : [section(mention)]),
      section(waiting.length > 0 ? `*Approval needed: ${what}*` : `*${capital(what)}*: ${inShort(rows)}`),
      fields([
        ['Who', person(requester)],
        ...sharedFacts(rows),
        ...costFieldsOf(rows, batch.costs, around.costs, around.balance),
        ...(waiting.length > 0
          ? ([
              ['Balance', balanceNow(around.balance, 'could not be read in time')],
              ['Asked', `${when(batch.createdAt)} (${ago(batch.createdAt, around.now)})${openUntil(waiting)}`],
            ] as const)
          : ([['Asked', when(batch.createdAt)]] as const)),
      ]),
      ...rowsBlocks(rows, batch.costs, around),
      ...standing(batch, around),
      ...paragraph(talkLines(batch)),
      smallPrintOf(batch, waiting.length > 0 ? around.policy : null),
      reasonBlock(reasonOf(batch)),
      ...actions([...(waiting.length > 0 ? cardButtons(batch) : []), ...answerButtons(batch)]),
    ],
  };
}

/** The requester's direct message from filing on. Withdraw stands on it as long as anything is not sent. */
export function batchStatus(batch: BatchRecord, around: Surroundings): DrawnMessage {
  const { rows } = batch;
  const waiting = waitingOf(rows);
  const text = `Your request: renew ${plural(rows.length, 'order')}: ${inShort(rows)}`;
  return {
    text,
    blocks: [
      section(`*Renew ${plural(rows.length, 'order')}*: ${inShort(rows)}`),
      ...(waiting.length > 0
        ? paragraph([
            `No money has moved for what waits for approval.${openUntil(waiting)}`,
            around.othersWhoApprove !== undefined && around.othersWhoApprove < (around.twoPeople ? 2 : 1)
              ? tooFewApprove(around)
              : null,
          ])
        : []),
      fields([
        ...sharedFacts(rows),
        ...costFieldsOf(rows, batch.costs, around.costs, around.balance),
        ['Asked', when(batch.createdAt)],
      ]),
      ...rowsBlocks(rows, batch.costs),
      ...standing(batch, around),
      ...paragraph([...talkLines(batch), waiting.length > 0 ? nudgeLine(batch) : null]),
      smallPrintOf(batch),
      reasonBlock(reasonOf(batch)),
      ...actions([...batchRequesterButtons(batch, around), ...answerButtons(batch)]),
    ],
  };
}

/** The new direct message that rings the bell: it is over, or it waits for somebody. @param about null: it was over then */
export function batchOutcome(batch: Batch, about: State | null, around: Surroundings): DrawnMessage {
  const { id, rows } = batch;
  const over = !rows.some(isUnderWay);
  const { receipt } = around.links;
  const facts = receipt === null ? 'all about it is in your first message' : `<${receipt}|all about it>`;
  const text = `Renew ${plural(rows.length, 'order')}: ${inShort(rows)}`;
  return {
    text,
    blocks: paragraph([
      about === 'unknown' && over ? 'It was told to you that an outcome is unknown; it is settled since.' : null,
      `*Renew ${plural(rows.length, 'order')}*: ${inShort(rows)}`,
      ...standingLines(batch, around),
      `request ${literal(id, 60)} · ${facts}`,
    ]),
  };
}

/** The same for approvers, with all the facts: the requester cannot be written to, and may have got nothing. */
export function passedOnBatch(batch: BatchRecord, around: Surroundings): DrawnMessage {
  const whose = `For ${person(batch.requester)}, who cannot be written to. Please pass it on.`;
  const { text, blocks } = batchStatus(batch, around);
  return { text, blocks: [section(whose), ...blocks.filter(({ type }) => type !== 'actions')] };
}

/** In a list of requests: all rows in one place. */
export function batchLines(batch: Batch, now: number): string {
  const { id, requester, rows, createdAt } = batch;
  return [
    `*Renew ${plural(rows.length, 'order')}* for ${person(requester)}: ${inShort(rows)}`,
    ...yesLinesOf(rows, null),
    ...endLines(rows),
    `Asked ${ago(createdAt, now)}${openUntil(waitingOf(rows), ', open until')} · request ${literal(id, 60)}`,
  ].join('\n');
}

/**
 * In a list, for whoever may decide on what waits of it, and settle what is unknown of it: the first, since that holds the others.
 * @param theirs the ids of the rows that the reader may decide or settle
 */
export function batchDecidingBlocks({ id, rows }: Batch, theirs: ReadonlySet<string>): readonly Block[] {
  const own = rows.filter((row) => theirs.has(row.id));
  const unknown = own.find(({ state }) => state === 'unknown');
  return [
    ...(own.some(({ state }) => state === 'requested') ? actions(decideButtons(id)) : []),
    ...(unknown
      ? [section(`Unknown: order ${orderNumber(unknown.orderId)} (request ${literal(unknown.id, 60)})`)]
      : []),
    ...(unknown ? settleButtons(unknown) : []),
  ];
}

/** Until it is sent it can be withdrawn; what came to nothing can be asked for again, all of it in one form. */
export function batchRequesterButtons(
  { id, rows }: Batch,
  { cardsIn }: Pick<Surroundings, 'cardsIn'>,
): readonly types.Button[] {
  const waits = waitingOf(rows).length > 0;
  return [
    ...(waits && cardsIn !== null ? [button('Nudge', ACTION.nudge, id)] : []),
    ...(waits || rows.some(({ state }) => state === 'approved')
      ? [
          confirmed(button('Withdraw', ACTION.withdrawBatch, id), {
            title: 'Withdraw this request?',
            text: 'Nothing of it that has not been sent is sent then. It can be asked for again.',
            yes: 'Withdraw',
            no: 'Keep it',
          }),
        ]
      : []),
    ...(!waits && cameToNothing(rows).length > 0 ? [button('Ask again', ACTION.askAgainBatch, id)] : []),
  ];
}

function cardButtons({ id, rows }: Batch): readonly types.Button[] {
  const half = waitingOf(rows).some(({ firstApprover }) => firstApprover !== null);
  return [
    ...decideButtons(id),
    button('Ask a question', ACTION.askBatch, id),
    ...(half ? [takeBackButton(ACTION.takeBackBatch, id)] : []),
  ];
}

function decideButtons(id: string): readonly types.Button[] {
  return [button('Approve', ACTION.approveBatch, id, 'primary'), button('Reject', ACTION.rejectBatch, id, 'danger')];
}

/** The vendor's answers, each opened by itself. */
function answerButtons({ rows, answered }: BatchRecord): readonly (types.Button | types.StaticSelect)[] {
  const to = rows.filter(({ id }) => answered.has(id));
  const [only, ...others] = to;
  if (!only) return [];
  if (others.length === 0) return [button('Show the answer', ACTION.showAnswer, only.id)];
  const options = to.map(({ id, orderId }) => ({ text: `Order ${orderNumber(orderId)}`, value: id }));
  return [selectNow('Show the answer', ACTION.showAnswerTo, options)];
}

function waitingOf(rows: readonly Purchase[]): readonly Purchase[] {
  return rows.filter(({ state }) => state === 'requested');
}

function standing(batch: Batch, around: Surroundings): readonly Block[] {
  const waits = batch.rows.some(({ state }) => state === 'requested' || state === 'approved');
  return paragraph([...standingLines(batch, around), waits ? freezeLine(around.freeze) : null]);
}

/** Who decided, and what the rest waits for. */
function standingLines({ rows }: Batch, around: Surroundings): readonly string[] {
  const deciders = [
    ...new Set(rows.flatMap(({ state, approver }) => (state !== 'rejected' && approver ? [approver] : []))),
  ];
  const unknown = rows.find(({ state }) => state === 'unknown');
  return [
    ...yesLinesOf(rows, around.twoPeople),
    ...(deciders.length === 0 ? [] : [`Approved by ${deciders.map(person).join(' and ')}.`]),
    ...(unknown ? [`*An outcome is unknown*: money may have been spent. ${whereSettled(unknown, around)}`] : []),
    ...endLines(rows),
  ];
}

/** What the rest waits for and until when; or that it has waited too long, and what can be done. */
function endLines(rows: readonly Purchase[]): readonly string[] {
  const held = heldBy(rows);
  const expired = rows.filter(({ state, sendBy }) => state === 'expired' && sendBy !== null);
  const [first] = expired;
  if (!first) return waitLines(rows);
  const why = held?.why ?? first.why;
  return [
    ...waitLines(rows),
    `*${plural(expired.length, 'order')} approved and not sent in time*${why === null ? '' : `: ${literal(why, 300)}`}. ` +
      'No money moved for that. Whoever asked can renew it with *Ask again*, which does not wait for the rest.',
  ];
}

function waitLines(rows: readonly Purchase[]): readonly string[] {
  const approved = rows.filter(({ state }) => state === 'approved');
  const [next] = approved;
  if (!next) return [];
  const held = heldBy(rows);
  const until = next.sendBy === null ? '' : ` What is not sent by ${when(next.sendBy)} expires.`;
  const rest = `${plural(approved.length, 'order')} ${approved.length === 1 ? 'waits' : 'wait'}`;
  if (held?.by === 'unknown') return [`*The rest is held back*: ${rest} until it is settled.${until}`];
  if (held) return [`*The rest is held back*: ${literal(held.why, 300)}. ${capital(rest)} until it has.${until}`];
  if (next.sendAfter !== null && next.why !== null && next.attempt === null)
    return [`*Held back*: ${literal(next.why, 300)}. ${capital(rest)} until there is money.${until}`];
  return [];
}

function openUntil([first]: readonly Purchase[], words = '\nOpen until'): string {
  return first ? `${words} ${when(first.expiresAt)}${words.startsWith('\n') ? '.' : ''}` : '';
}
