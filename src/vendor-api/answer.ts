import { LosslessNumber, parse } from 'lossless-json';
import { z } from 'zod';
import { parseMoney } from '../purchasing/model/money.ts';
import { type OrderId, orderIdOf } from '../purchasing/model/order-id.ts';
import { MAX_BODY_BYTES, type Received } from './exchange.ts';

// What stands in the body of an answer. What it proves is decided in outcome.ts and balance.ts.

/**
 * JSON whose numbers keep their source text (`.value`). `JSON.parse` would turn 9007199254740993 into …992: another person's order.
 * No float is ever made of them.
 */
export type JsonValue = null | boolean | string | LosslessNumber | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Why a body was not understood: one clause for people. */
export type Misunderstood = { readonly ok: false; readonly why: string };

/** Honest answers nest three or four levels; the parser recurses, so this also protects the stack. */
const MAX_DEPTH = 64;

/**
 * Reads a body as strict JSON: UTF-8, one value, nothing after it. A byte order mark in front is tolerated (seen in the
 * wild). A key given twice with different values means that the answer contradicts itself: not understood.
 */
export function parseJson(bytes: Uint8Array): { readonly ok: true; readonly value: JsonValue } | Misunderstood {
  if (bytes.byteLength === 0) return { ok: false, why: 'its body was empty' };
  if (bytes.byteLength > MAX_BODY_BYTES) return { ok: false, why: 'its body was too large' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes); // drops one BOM
  } catch {
    return { ok: false, why: 'its body was not UTF-8 text' };
  }
  if (depthOf(text) > MAX_DEPTH) return { ok: false, why: 'its body was nested too deeply' };
  let repeated = false;
  try {
    const value = parse(text, undefined, {
      onDuplicateKey: () => {
        repeated = true;
      },
    }) as JsonValue;
    return repeated ? { ok: false, why: 'its JSON contradicts itself' } : { ok: true, value };
  } catch {
    // The parser's message quotes the text; what is told is our own words.
    return { ok: false, why: 'its body was not complete JSON' };
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);
}

/** The value under a key of the object itself: `constructor` is not one. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The deepest nesting of brackets outside strings. Counted beforehand, without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}

/** The JSON object in an answer, or why there is none. */
export function understandBody(received: Received): { readonly ok: true; readonly answer: JsonObject } | Misunderstood {
  const encoding = received.headers['content-encoding'];
  // We never ask for compression; unpacking what was not asked for is one more way to misread.
  if (encoding !== undefined && !(typeof encoding === 'string' && /^(?:identity)?$/i.test(encoding.trim()))) {
    return { ok: false, why: 'its body was compressed' };
  }
  const parsed = parseJson(received.body);
  if (!parsed.ok) return parsed;
  return isJsonObject(parsed.value)
    ? { ok: true, answer: parsed.value }
    : { ok: false, why: 'its JSON was not an object' };
}

const number = z.instanceof(LosslessNumber).transform(({ value }) => value);

/** An integer as the vendor documents `code`: `200`, not `"200"`, `200.0` or `2e2`. */
const integer = number.refine((source) => /^-?(?:0|[1-9][0-9]{0,39})$/.test(source));

/** A string is read only where nothing has to be guessed: no exponent, no grouping, no blanks. */
const plainDecimal = z.string().regex(/^-?[0-9]+(?:\.[0-9]+)?$/);

/** Documented as a number; a plain decimal string such as `"12.50"` is read too. */
const money = z.union([number, plainDecimal]).transform((text, context) => {
  const amount = parseMoney(text);
  if (amount !== undefined) return amount;
  context.addIssue({ code: 'custom', message: 'not an amount' });
  return z.NEVER;
});

/** Any answer: an object with an integer `code`. */
export const codedAnswer = z.looseObject({ code: integer });

/** What stands beside `code` 200 in the answer of GET /v2/balance. */
export const balanceAnswer = z.looseObject({ data: z.looseObject({ balance: money }) });

/** Two distinct ids already mean "not found"; more than these are not worth keeping. */
const MOST = 20;

export type FoundOrderIds = {
  /** Distinct, with every digit. */
  readonly ids: readonly OrderId[];
  /** Something stands under the name, readable as an id or not. `null` is the vendor's way to say that there is none. */
  readonly mentioned: boolean;
};

/** Looks for `order_id` by that name anywhere in the answer, as a positive integer or a string of digits. */
export function findOrderIds(answer: JsonValue): FoundOrderIds {
  const ids = new Set<OrderId>();
  let mentioned = false;
  const waiting: JsonValue[] = [answer];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) for (const inner of value.toReversed()) waiting.push(inner);
    else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        waiting.push(inner);
        if (key !== 'order_id' || inner === null) continue;
        mentioned = true;
        const id = readOrderId(inner);
        if (id !== undefined && ids.size < MOST) ids.add(id);
      }
    }
  }
  return { ids: [...ids], mentioned };
}

/** An id as the renewal can send it back, a bare integer: leading zeros of a string cannot be kept. Zero is no order. */
function readOrderId(value: JsonValue): OrderId | undefined {
  const text = value instanceof LosslessNumber ? value.value : value;
  return typeof text === 'string' ? orderIdOf(text) : undefined;
}

/** Where a message has been seen in interfaces of this kind; the vendor's own shape is documented nowhere. */
const MESSAGE_KEYS = ['msg', 'message', 'error', 'error_message', 'errmsg', 'error_description', 'detail', 'reason'];

/** Enough for a person to understand; a stack trace is not. In characters. */
const LONGEST = 500;

/** The first text under one of the usual names at the top level, cleaned, uncut. */
export function findVendorText(answer: JsonObject): string | null {
  for (const key of MESSAGE_KEYS) {
    const value = own(answer, key);
    if (typeof value !== 'string') continue;
    const text = cleanText(value);
    if (text !== '') return text;
  }
  return null;
}

/**
 * Control characters and line breaks become blanks; format characters (direction overrides, zero width, byte order marks)
 * and halves of surrogate pairs go: they could make a refusal read as something else.
 */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** Cuts by whole characters. To be done after secrets are removed, or half a secret could be left. */
export function cutText(text: string): string {
  const characters = Array.from(text);
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
