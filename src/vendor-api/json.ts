import { parse } from 'lossless-json';

/**
 * A JSON number by its source text. `JSON.parse` would turn 9007199254740993 into …992: another person's order.
 * No float is ever made of it.
 */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Why a body was not understood: one clause for people. */
export type Misunderstood = { readonly ok: false; readonly why: string };

/** The size cap of an answer, in bytes. An honest answer for 500 proxies with logins is under 100 KiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

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
      parseNumber: (source) => new JsonNumber(source),
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
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
