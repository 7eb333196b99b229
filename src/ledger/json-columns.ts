import * as z from 'zod/mini';
import { late } from '../late.ts';
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
import type { Row } from './sql.ts';

// The shapes of what stands in JSON columns. A field that a newer version has added is kept as it is: its process may run beside this one. Each
// is made when it is first needed, of the smaller half of zod: all of them are a good part of the time that a short command takes.

const money = z.custom<Money>((value) => typeof value === 'string' && parseMoney(value) === value, 'not an amount');
const orderId = z.custom<OrderId>((value) => typeof value === 'string' && isOrderId(value), 'not an order id');
/** Perhaps of a newer version. */
const action = z.custom<PurchaseAction>((value) => typeof value === 'string', 'not a text');
const question = z.custom<QuestionId>((value) => typeof value === 'string' && /\.\d+$/.test(value), 'not a question');
const time = z.number();

export const plan = late(
  () =>
    z.looseObject({
      productId: z.string(),
      name: z.string(),
      type: z.string(),
      networkType: z.string(),
      term: z.nullable(z.object({ amount: z.number(), unit: z.enum(TERM_UNITS) })),
      termText: z.string(),
    }) satisfies z.ZodMiniType<Plan>,
);

export const basket = late(
  () =>
    z.array(z.looseObject({ country: z.string(), quantity: z.number() })) satisfies z.ZodMiniType<
      readonly Allocation[]
    >,
);

export const attempt = late(
  () =>
    z.looseObject({
      id: z.string(),
      number: z.number(),
      firstAt: time,
      at: time,
      deadline: time,
      balanceBefore: money,
      balanceBeforeAt: time,
      refused: z.boolean(),
      short: z.exactOptional(z.literal(true)),
      forgotten: z.exactOptional(z.literal(true)),
    }) satisfies z.ZodMiniType<Attempt>,
);

/** Of what only who has written it knows the shape. */
export const anything = late(() => z.looseObject({}));

/** What the entry of a freeze holds. */
export const frozen = late(() => z.looseObject({ reason: z.string() }));

/** What somebody said of money that left the account. */
export const known = late(() => z.looseObject({ note: z.string() }));

/** What the entry of a filing holds beside what is only shown. */
export const filingDetail = late(() =>
  z.looseObject({
    cost: z.exactOptional(
      z.union([
        z.looseObject({
          amount: money,
          divisor: z.string().check(z.regex(/^[1-9]\d*$/)),
          oldest: time,
          latest: time,
          observations: z.number(),
        }),
        z.looseObject({ missing: z.array(z.string()) }),
      ]),
    ) satisfies z.ZodMiniType<CostAtFiling | undefined>,
  }),
);

/** Of a link of the chain of balance readings. */
export const unbooked = late(
  () =>
    z.array(
      z.looseObject({
        id: z.nullable(z.string()),
        readAfter: z.record(z.string(), time),
        alone: z.boolean(),
        cost: z.nullable(money),
      }),
    ) satisfies z.ZodMiniType<readonly Unbooked[]>,
);

const answer = () =>
  z.looseObject({
    outcome: z.enum(OUTCOMES),
    why: z.string(),
    httpStatus: z.nullable(z.number()),
    code: z.nullable(z.string()),
    vendorText: z.nullable(z.string()),
    orderIds: z.array(orderId),
    rawBody: z.nullable(z.string()),
    rawBodyTruncated: z.boolean(),
    startedAt: z.nullable(time),
    endedAt: time,
    unauthorized: z.boolean(),
  }) satisfies z.ZodMiniType<Answer>;

/** What an entry of each kind holds, beside its kind. */
const details = late(
  () =>
    ({
      transition: z.looseObject({}),
      answer: z.looseObject({ attemptId: z.string(), answer: answer(), late: z.boolean() }),
      reading: z.looseObject({
        nth: z.number(),
        balance: z.nullable(money),
        readAt: time,
        why: z.nullable(z.string()),
        alone: z.boolean(),
      }),
      first_yes: z.looseObject({}),
      first_yes_taken_back: z.looseObject({}),
      nudge: z.looseObject({}),
      question: z.looseObject({ question, text: z.string() }),
      question_answered: z.looseObject({ question, text: z.string() }),
      refused: z.looseObject({ action, refused: z.string() }),
      order_id: z.looseObject({ orderId, before: z.nullable(orderId) }),
      answer_opened: z.looseObject({}),
      fall_known: known(),
    }) satisfies { [K in EntryDetail['kind']]: z.ZodMiniType<DetailOf<K>> },
);

/** What an entry about an order holds. */
const orderDetails = late(
  () =>
    ({
      order_imported: z.looseObject({
        plan: plan(),
        basket: basket(),
        boughtAt: z.nullable(time),
        owner: z.nullable(z.string()),
        note: z.nullable(z.string()),
      }) satisfies z.ZodMiniType<ImportedOrder>,
      order_owner: z.looseObject({ owner: z.string(), before: z.nullable(z.string()) }),
      order_note: z.looseObject({ note: z.string() }),
      order_intent: z.looseObject({
        intent: z.nullable(z.enum(['keep', 'let_end'])) satisfies z.ZodMiniType<Intent | null>,
        endsAt: z.nullable(time),
      }),
      order_remind_again: z.looseObject({ endsAt: time, rung: z.number() }),
    }) satisfies {
      [K in OrderEntryDetail['kind']]: z.ZodMiniType<Omit<Extract<OrderEntryDetail, { kind: K }>, 'kind'>>;
    },
);

type DetailOf<K extends EntryDetail['kind']> = K extends 'transition'
  ? object
  : Omit<Extract<EntryDetail, { kind: K }>, 'kind'>;

/** What few texts hold that many rows repeat, such as a plan: each is understood once. By schema, then by text. */
const UNDERSTOOD_AT_MOST = 200;
const understood = new WeakMap<() => z.ZodMiniType, Map<unknown, unknown>>();

/** As {@link json}, of a column whose text often is one that was read before. Whoever gets it shares it. */
export function repeated<T>(row: Row, column: string, schema: () => z.ZodMiniType<T>): T {
  const known = understood.get(schema) ?? new Map<unknown, unknown>();
  understood.set(schema, known);
  const text = row[column];
  if (known.has(text)) return known.get(text) as T;
  const found = json(row, column, schema);
  if (known.size >= UNDERSTOOD_AT_MOST) known.clear();
  known.set(text, found);
  return found;
}

/** @throws with the place and what is wrong there, and nothing of what it holds: an answer may hold proxy logins. */
export function json<T>(row: Row, column: string, schema: () => z.ZodMiniType<T>): T {
  const parsed = schema().safeParse(parse(row, column));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(row, column, `${issue?.path.join('.') || 'all of it'}: ${issue?.message}`);
}

/** The trigger writes a transition's evidence as it is; every other detail is stored whole, without its kind. */
export function detailOf(row: Row, kind: string): EntryDetail {
  // An entry of a newer version, whose process may run beside this one: whoever shows all of it shows it, and nobody else asks for it.
  const schema = Object.hasOwn(details(), kind) ? details()[kind as EntryDetail['kind']] : anything();
  const detail = json<object>(row, 'detail', () => schema);
  return kind === 'transition' ? { kind, evidence: detail } : ({ kind, ...detail } as EntryDetail);
}

export function orderDetailOf(row: Row, kind: string): OrderEntryDetail {
  const schema = Object.hasOwn(orderDetails(), kind) ? orderDetails()[kind as OrderEntryDetail['kind']] : anything();
  return { kind, ...json<object>(row, 'detail', () => schema) } as OrderEntryDetail;
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
