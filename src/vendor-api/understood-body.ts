import type { Received } from './exchange.ts';
import { isJsonObject, type JsonObject, type Misunderstood, parseJson } from './json.ts';

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
