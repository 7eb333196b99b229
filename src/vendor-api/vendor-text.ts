import { type JsonObject, own } from './json.ts';

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
