import { plural } from '../src/plural.ts';
import type { Batch, BatchRecord } from '../src/purchasing/model/batch.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import type { Surroundings, TwoPeople } from '../src/purchasing/model/surroundings.ts';
import { heldBy } from '../src/purchasing/rules/holding.ts';
import { type Block, context, paragraph } from './blocks.ts';
import { rowCost } from './cost.ts';
import { type Labelled, policyPrint } from './facts.ts';
import { capital, countriesShort, ips, orderNumber, person, planName, quoted } from './format.ts';
import { whyTwoForDollars } from './history.ts';
import { oddInShort } from './renew/order-lines.ts';
import { stateWord } from './sentences.ts';
import { literal } from './text.ts';

// The rows of a batch, as every message, list and modal about it shows them.

/** `2 completed, 1 unknown, 3 held back` */
export function inShort(rows: readonly Purchase[]): string {
  const held = heldBy(rows) !== null;
  const words = Map.groupBy(rows, (row) => rowWord(row, held));
  return Array.from(words, ([word, of]) => `${of.length} ${word}`).join(', ');
}

function rowWord({ state }: Purchase, held: boolean): string {
  if (state === 'approved') return held ? 'held back' : 'waiting to be sent';
  return stateWord(state);
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
  return `${ips(known)}, and ${plural(unknown, 'order')} of unknown size`;
}

/** Of a line: 25 of them fit into a message. */
const LONGEST_PLAN = 30;
const LONGEST_WHY = 200;
const LONGEST_WHY_OF_MANY = 30;
const MANY = 8;

/** `Order 123 · 15 IPs (US 10, DE 5) · Monthly` @param rows all of them, since a plan that all share is said once */
export function rowContent(
  { orderId, quantity, basket, plan }: Pick<Purchase, 'orderId' | 'quantity' | 'basket' | 'plan'>,
  rows: readonly Pick<Purchase, 'plan'>[],
): string {
  const named = samePlan(rows) === null ? ` · ${literal(plan.name, LONGEST_PLAN)}` : '';
  return `order ${orderNumber(orderId)} · ${sizeOf({ quantity, basket })}${named}`;
}

/** `15 IPs (US 10, DE 5)` */
export function sizeOf({ quantity, basket }: Pick<Purchase, 'quantity' | 'basket'>): string {
  const size = quantity === null ? 'size not known' : ips(quantity);
  return basket.length === 0 ? size : `${size} (${countriesShort(basket, 4)})`;
}

/** @param around where somebody decides on those that wait: what is odd about them */
export function rowsBlocks(
  rows: readonly Purchase[],
  then: BatchRecord['costs'],
  around?: Pick<Surroundings, 'orders' | 'now' | 'costs'>,
): readonly Block[] {
  const held = heldBy(rows) !== null;
  // What holds of all rows stands above them.
  const same = rows.every(({ state }) => state === rows[0]?.state);
  return paragraph(
    rows.map((row, index) => {
      const why = whyOf(row, rows.length > MANY ? LONGEST_WHY_OF_MANY : LONGEST_WHY);
      const state = same && why === '' ? '' : `: *${rowWord(row, held)}*${why}`;
      // Of many, what they come to together by now stands above them.
      const cost = rowCost(row, then, rows.length > MANY ? NONE : (around?.costs ?? NONE));
      const line = `${index + 1}. ${capital(rowContent(row, rows))}${cost}${state}`;
      const order = around?.orders.find(({ orderId }) => orderId === row.orderId);
      const odd = around && order && row.state === 'requested' ? oddInShort(order, row.plan, around.now) : null;
      return odd === null ? line : `${line}\n⚠️ ${odd}`;
    }),
  );
}

const NONE: Surroundings['costs'] = new Map();

function whyOf({ state, why, approver, requester }: Purchase, longest: number): string {
  switch (state) {
    case 'rejected':
      return ` by ${person(approver ?? requester)}${why === null ? '' : `: ${quoted(why, longest)}`}`;
    case 'declined':
    case 'expired':
    case 'unknown':
      return why === null ? '' : `: ${literal(why, longest)}`;
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

/** Where two people have to approve, as long as they have not. */
export function yesLinesOf(rows: readonly Purchase[], twoPeople: TwoPeople | null): readonly string[] {
  const waiting = rows.filter(({ state }) => state === 'requested');
  const half = waiting.filter(({ firstApprover }) => firstApprover !== null);
  const who = [...new Set(half.flatMap(({ firstApprover }) => firstApprover ?? []))];
  if (half.length > 0)
    return [`*${who.map(person).join(' and ')} said yes* to ${plural(half.length, 'order')}; one more person has to.`];
  const [first] = waiting;
  if (!first || !twoPeople) return [];
  const why = twoPeople.dollars ? whyTwoForDollars(twoPeople.dollars, first.requester) : '';
  return [`*Two people have to approve it*${why}.`];
}

export function reasonOf({ rows }: Batch): string {
  return rows[0]?.reason ?? '';
}

/** @param policy as on the card of a single purchase */
export function smallPrintOf({ id, rows }: Batch, policy: string | null = null): Block {
  const [first, last] = [rows[0], rows.at(-1)];
  const ids = first && last && first !== last ? `${first.id} … ${last.id}` : (first?.id ?? '');
  return context(
    `Request ${literal(id, 60)} · each order is a request of its own: ${literal(ids, 120)}${policyPrint(policy)}`,
  );
}
