import type { Batch } from '../src/purchasing/model/batch.ts';
import { isUnderWay } from '../src/purchasing/model/batch.ts';
import type { Purchase, State } from '../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import { heldBy } from '../src/purchasing/rules/holding.ts';
import {
  actions,
  type Block,
  button,
  confirmed,
  context,
  type DrawnMessage,
  fields,
  paragraph,
  section,
} from './blocks.ts';
import { type Labelled, policyPrint, reasonBlock } from './facts.ts';
import {
  ago,
  balanceNow,
  capital,
  countriesShort,
  freezeLine,
  groups,
  ips,
  orderNumber,
  person,
  planName,
  quoted,
  when,
} from './format.ts';
import { ACTION } from './ids.ts';
import { stateWord } from './sentences.ts';
import { tooFewApprove } from './status.ts';
import { literal } from './text.ts';
import { unknownCardPlace } from './unknown.ts';

// The messages about renewals that were asked for together. Each shows all rows, and is edited as they go.

/** The card on which all rows are decided. What is known of an unknown row stands on the card that settles it. */
export function batchCard(batch: Batch, around: Surroundings): DrawnMessage {
  const { requester, rows } = batch;
  const waiting = rows.filter(({ state }) => state === 'requested');
  const mention = groups(around.mention);
  const what = `renew ${ordersCount(rows.length)}`;
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
        ...(waiting.length > 0
          ? ([
              ['Balance', balanceNow(around.balance, 'could not be read in time')],
              ['Asked', `${when(batch.createdAt)} (${ago(batch.createdAt, around.now)})${openUntil(waiting)}`],
            ] as const)
          : ([['Asked', when(batch.createdAt)]] as const)),
      ]),
      ...rowsBlocks(rows),
      ...standing(rows, around),
      smallPrint(batch, waiting.length > 0 ? around.policy : null),
      reasonBlock(reasonOf(batch)),
      ...(waiting.length > 0
        ? actions([
            button('Approve', ACTION.approveBatch, batch.id, 'primary'),
            button('Reject', ACTION.rejectBatch, batch.id, 'danger'),
          ])
        : []),
    ],
  };
}

/** The requester's direct message from filing on. Withdraw stands on it as long as anything is not sent. */
export function batchStatus(batch: Batch, around: Surroundings): DrawnMessage {
  const { rows } = batch;
  const waiting = rows.filter(({ state }) => state === 'requested');
  const withdrawable = rows.some(({ state }) => state === 'requested' || state === 'approved');
  const text = `Your request: renew ${ordersCount(rows.length)}: ${inShort(rows)}`;
  return {
    text,
    blocks: [
      section(`*Renew ${ordersCount(rows.length)}*: ${inShort(rows)}`),
      ...(waiting.length > 0
        ? paragraph([
            `No money has moved for what waits for approval.${openUntil(waiting)}`,
            around.othersWhoApprove === 0 ? tooFewApprove(around) : null,
          ])
        : []),
      fields([...sharedFacts(rows), ['Asked', when(batch.createdAt)]]),
      ...rowsBlocks(rows),
      ...standing(rows, around),
      smallPrint(batch),
      reasonBlock(reasonOf(batch)),
      ...(withdrawable
        ? actions([
            confirmed(button('Withdraw', ACTION.withdrawBatch, batch.id), {
              title: 'Withdraw this request?',
              text: 'Nothing of it that has not been sent is sent then. It can be asked for again.',
              yes: 'Withdraw',
              no: 'Keep it',
            }),
          ])
        : []),
    ],
  };
}

/** The new direct message that rings the bell: it is over, or it waits for somebody. @param about null: it was over then */
export function batchOutcome({ id, rows }: Batch, about: State | null, around: Surroundings): DrawnMessage {
  const over = !rows.some(isUnderWay);
  const { receipt } = around.links;
  const facts = receipt === null ? 'all about it is in your first message' : `<${receipt}|all about it>`;
  const text = `Renew ${ordersCount(rows.length)}: ${inShort(rows)}`;
  return {
    text,
    blocks: paragraph([
      about === 'unknown' && over ? 'It was told to you that an outcome is unknown; it is settled since.' : null,
      `*Renew ${ordersCount(rows.length)}*: ${inShort(rows)}`,
      ...standingLines(rows, around),
      `request ${literal(id, 60)} · ${facts}`,
    ]),
  };
}

/** The same for approvers, with all the facts: the requester cannot be written to, and may have got nothing. */
export function passedOnBatch(batch: Batch, around: Surroundings): DrawnMessage {
  const whose = `For ${person(batch.requester)}, who cannot be written to. Please pass it on.`;
  const { text, blocks } = batchStatus(batch, around);
  return { text, blocks: [section(whose), ...blocks.filter(({ type }) => type !== 'actions')] };
}

/** `3 orders` */
export function ordersCount(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

/** `2 completed, 1 unknown` */
function inShort(rows: readonly Purchase[]): string {
  const states = Map.groupBy(rows, ({ state }) => state);
  return Array.from(states, ([state, of]) => `${of.length} ${stateWord(state)}`).join(', ');
}

/** IPs of all rows, and the plan where all have the same. */
export function sharedFacts(rows: readonly Pick<Purchase, 'quantity' | 'plan'>[]): readonly Labelled[] {
  const plan = samePlan(rows);
  return [['IPs', totalIps(rows)], ...(plan === null ? [] : ([['Plan', planName(plan)]] as const))];
}

function samePlan(rows: readonly Pick<Purchase, 'plan'>[]): Purchase['plan'] | null {
  const [first] = rows;
  return first && rows.every(({ plan }) => plan.productId === first.plan.productId) ? first.plan : null;
}

function totalIps(rows: readonly Pick<Purchase, 'quantity'>[]): string {
  const known = rows.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
  const unknown = rows.filter(({ quantity }) => quantity === null).length;
  if (unknown === 0) return ips(known);
  return `${ips(known)}, and ${ordersCount(unknown)} of unknown size`;
}

/** Of a line: 25 of them fit into a message. */
const LONGEST_PLAN = 40;
const LONGEST_WHY = 90;

/** `Order 123 · 15 IPs (US 10, DE 5) · Monthly` @param rows all of them, since a plan that all share is said once */
export function rowContent(
  { orderId, quantity, basket, plan }: Pick<Purchase, 'orderId' | 'quantity' | 'basket' | 'plan'>,
  rows: readonly Pick<Purchase, 'plan'>[],
): string {
  const size = quantity === null ? 'size not known' : ips(quantity);
  const countries = basket.length === 0 ? '' : ` (${countriesShort(basket, 4)})`;
  const named = samePlan(rows) === null ? ` · ${literal(plan.name, LONGEST_PLAN)}` : '';
  return `order ${orderNumber(orderId)} · ${size}${countries}${named}`;
}

function rowsBlocks(rows: readonly Purchase[]): readonly Block[] {
  return paragraph(
    rows.map((row, index) => `${index + 1}. ${capital(rowContent(row, rows))}: *${stateWord(row.state)}*${whyOf(row)}`),
  );
}

function whyOf({ state, why, approver, requester }: Purchase): string {
  switch (state) {
    case 'rejected':
      return ` by ${person(approver ?? requester)}${why === null ? '' : `: ${quoted(why, LONGEST_WHY)}`}`;
    case 'declined':
    case 'expired':
    case 'unknown':
      return why === null ? '' : `: ${literal(why, LONGEST_WHY)}`;
    case 'requested':
    case 'approved':
    case 'sending':
    case 'completed':
    case 'withdrawn':
      return '';
    default:
      return state satisfies never;
  }
}

function standing(rows: readonly Purchase[], around: Surroundings): readonly Block[] {
  const waits = rows.some(({ state }) => state === 'requested' || state === 'approved');
  return paragraph([...standingLines(rows, around), waits ? freezeLine(around.freeze) : null]);
}

/** Who decided, and what the rest waits for. */
function standingLines(rows: readonly Purchase[], around: Surroundings): readonly string[] {
  const deciders = [
    ...new Set(rows.flatMap(({ state, approver }) => (state !== 'rejected' && approver ? [approver] : []))),
  ];
  const unknown = rows.some(({ state }) => state === 'unknown');
  return [
    ...yesLines(rows),
    ...(deciders.length === 0 ? [] : [`Approved by ${deciders.map(person).join(' and ')}.`]),
    ...(unknown
      ? [`*An outcome is unknown*: money may have been spent. It is settled on ${unknownCardPlace(around)}.`]
      : []),
    ...waitLines(rows),
  ];
}

/** Where two people have to approve. */
function yesLines(rows: readonly Purchase[]): readonly string[] {
  const half = rows.filter(({ state, firstApprover }) => state === 'requested' && firstApprover !== null);
  const who = [...new Set(half.flatMap(({ firstApprover }) => firstApprover ?? []))];
  return half.length === 0
    ? []
    : [`*${who.map(person).join(' and ')} said yes* to ${ordersCount(half.length)}; one more person has to.`];
}

function waitLines(rows: readonly Purchase[]): readonly string[] {
  const approved = rows.filter(({ state }) => state === 'approved');
  const [next] = approved;
  if (!next) return [];
  const held = heldBy(rows);
  const until = next.sendBy === null ? '' : ` What is not sent by ${when(next.sendBy)} expires.`;
  const rest = `${ordersCount(approved.length)} ${approved.length === 1 ? 'waits' : 'wait'}`;
  if (held?.by === 'unknown') return [`*The rest is held back*: ${rest} until it is settled.${until}`];
  if (held) return [`*The rest is held back*: ${literal(held.why, 300)}. ${capital(rest)} until it has.${until}`];
  if (next.sendAfter !== null && next.why !== null && next.attempt === null)
    return [`*Held back*: ${literal(next.why, 300)}. ${capital(rest)} until there is money.${until}`];
  return [];
}

function openUntil([first]: readonly Purchase[]): string {
  return first ? `\nOpen until ${when(first.expiresAt)}.` : '';
}

export function reasonOf({ rows }: Batch): string {
  return rows[0]?.reason ?? '';
}

/** @param policy as on the card of a single purchase */
export function smallPrint({ id, rows }: Batch, policy: string | null = null): Block {
  const [first, last] = [rows[0], rows.at(-1)];
  const ids = first && last && first !== last ? `${first.id} … ${last.id}` : (first?.id ?? '');
  return context(
    `Request ${literal(id, 60)} · each order is a request of its own: ${literal(ids, 120)}${policyPrint(policy)}`,
  );
}
