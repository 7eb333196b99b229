import type { Unbooked } from '../purchasing/model/account.ts';
import { type Answer, OUTCOMES } from '../purchasing/model/answer.ts';
import type { Allocation } from '../purchasing/model/basket.ts';
import type { CostAtFiling } from '../purchasing/model/cost.ts';
import type { EntryDetail, QuestionId } from '../purchasing/model/entries.ts';
import { type Money, parseMoney } from '../purchasing/model/money.ts';
import type { ImportedOrder, Intent, OrderEntryDetail } from '../purchasing/model/order.ts';
import { isOrderId, type OrderId } from '../purchasing/model/order-id.ts';
import { type Plan, TERM_UNITS } from '../purchasing/model/policy.ts';
import type { Attempt, PurchaseAction } from '../purchasing/model/purchase.ts';
import {
  among,
  being,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  recordOf,
  type Shape,
  text,
  yes,
  yesOrNo,
} from './shapes.ts';
import type { Row } from './sql.ts';

// The shapes of what stands in JSON columns. A field that a newer version has added is kept as it is: its process may run beside this one.

const money = being<Money>((value) => typeof value === 'string' && parseMoney(value) === value, 'not an amount');
const orderId = being<OrderId>((value) => typeof value === 'string' && isOrderId(value), 'not an order id');
/** Perhaps of a newer version. */
const action = being<PurchaseAction>((value) => typeof value === 'string', 'not a text');
const question = being<QuestionId>((value) => typeof value === 'string' && /\.\d+$/.test(value), 'not a question');
const divisor = being<string>((value) => typeof value === 'string' && /^[1-9]\d*$/.test(value), 'not a divisor');
const time = number;

export const plan = object({
  productId: text,
  name: text,
  type: text,
  networkType: text,
  term: nullable(object({ amount: number, unit: among(TERM_UNITS) })),
  termText: text,
}) satisfies Shape<Plan>;

export const basket = listOf(object({ country: text, quantity: number })) satisfies Shape<readonly Allocation[]>;

export const attempt = object(
  {
    id: text,
    number,
    firstAt: time,
    at: time,
    deadline: time,
    balanceBefore: money,
    balanceBeforeAt: time,
    refused: yesOrNo,
  },
  { short: yes, forgotten: yes },
) satisfies Shape<Attempt>;

/** What a person has put together, of which only they know what it is. */
export const anything = object({});

/** What the entry of a freeze holds. */
export const frozen = object({ reason: text });

/** What somebody said of money that left the account. */
export const known = object({ note: text });

const cost = oneOf(
  object({ amount: money, divisor, oldest: time, latest: time, observations: number }),
  object({ missing: listOf(text) }),
) satisfies Shape<CostAtFiling>;

/** What the entry of a filing holds beside what is only shown. */
export const filingDetail = object({}, { cost });

/** Of a link of the chain of balance readings. */
export const unbooked = listOf(
  object({ id: nullable(text), readAfter: recordOf(time), alone: yesOrNo, cost: nullable(money) }),
) satisfies Shape<readonly Unbooked[]>;

const answer = object({
  outcome: among(OUTCOMES),
  why: text,
  httpStatus: nullable(number),
  code: nullable(text),
  vendorText: nullable(text),
  orderIds: listOf(orderId),
  rawBody: nullable(text),
  rawBodyTruncated: yesOrNo,
  startedAt: nullable(time),
  endedAt: time,
  unauthorized: yesOrNo,
}) satisfies Shape<Answer>;

/** What an entry of each kind holds, beside its kind. */
const DETAILS = {
  transition: anything,
  answer: object({ attemptId: text, answer, late: yesOrNo }),
  reading: object({ nth: number, balance: nullable(money), readAt: time, why: nullable(text), alone: yesOrNo }),
  first_yes: anything,
  first_yes_taken_back: anything,
  nudge: anything,
  question: object({ question, text }),
  question_answered: object({ question, text }),
  refused: object({ action, refused: text }),
  order_id: object({ orderId, before: nullable(orderId) }),
  answer_opened: anything,
  fall_known: known,
} satisfies { [K in EntryDetail['kind']]: Shape<DetailOf<K>> };

/** What an entry about an order holds. */
const ORDER_DETAILS = {
  order_imported: object({
    plan,
    basket,
    boughtAt: nullable(time),
    owner: nullable(text),
    note: nullable(text),
  }) satisfies Shape<ImportedOrder>,
  order_owner: object({ owner: text, before: nullable(text) }),
  order_note: object({ note: text }),
  order_intent: object({
    intent: nullable(among(['keep', 'let_end'])) satisfies Shape<Intent | null>,
    endsAt: nullable(time),
  }),
  order_remind_again: object({ endsAt: time, rung: number }),
} satisfies { [K in OrderEntryDetail['kind']]: Shape<Omit<Extract<OrderEntryDetail, { kind: K }>, 'kind'>> };

type DetailOf<K extends EntryDetail['kind']> = K extends 'transition'
  ? object
  : Omit<Extract<EntryDetail, { kind: K }>, 'kind'>;

/** @throws with the place and what is wrong there, and nothing of what it holds: an answer may hold proxy logins. */
export function json<T>(row: Row, column: string, shape: Shape<T>): T {
  const value = parse(row, column);
  const fault = shape.fault(value);
  if (fault) throw unreadable(row, column, `${fault.path.join('.') || 'all of it'}: ${fault.what}`);
  return value as T;
}

/** The trigger writes a transition's evidence as it is; every other detail is stored whole, without its kind. */
export function detailOf(row: Row, kind: string): EntryDetail {
  // An entry of a newer version, whose process may run beside this one: whoever shows all of it shows it, and nobody else asks for it.
  const shape = Object.hasOwn(DETAILS, kind) ? DETAILS[kind as EntryDetail['kind']] : anything;
  const detail = json<object>(row, 'detail', shape);
  return kind === 'transition' ? { kind, evidence: detail } : ({ kind, ...detail } as EntryDetail);
}

export function orderDetailOf(row: Row, kind: string): OrderEntryDetail {
  const shape = Object.hasOwn(ORDER_DETAILS, kind) ? ORDER_DETAILS[kind as OrderEntryDetail['kind']] : anything;
  return { kind, ...json<object>(row, 'detail', shape) } as OrderEntryDetail;
}

function parse(row: Row, column: string): unknown {
  try {
    return JSON.parse(String(row[column]));
  } catch {
    throw unreadable(row, column, 'not JSON');
  }
}

function unreadable(row: Row, column: string, how: string): Error {
  const place = row['id'] === undefined ? `entry ${row['seq']}` : String(row['id']);
  return new Error(`the ledger cannot be understood at ${place}, column ${column}: ${how}`);
}
