/**
 * Undoing what Slack and keyboards do to text on its way from a person's fingers. Nothing here decides what the text means,
 * and nothing guesses: whatever is not listed stays as it is, and is refused by whoever reads it.
 */

/** Zero width space, word joiner, byte order mark: pasted along unseen. `trim` and `\s` know the last of them only. */
const INVISIBLE = /[\u200b\u2060\ufeff]/g;

/** U+FF01 to U+FF5E are ASCII's 0x21 to 0x7E in the same order. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

export function dropInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * Japanese and Chinese keyboards type `ＵＳ` and `１０，`. Only these forms are mapped: NFKC would map them too, but would also
 * make 102 of `10²` and 1 of `①`.
 */
export function toHalfWidth(text: string): string {
  return text.replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET));
}

/** The form in which words, codes and numbers are read. Not for free text, which stays as it was typed. */
export function normalise(text: string): string {
  return toHalfWidth(dropInvisible(text));
}

/** Unicode's white space, of which the ideographic space is one. */
export function words(text: string): readonly string[] {
  return text.split(/\p{White_Space}+/u).filter((word) => word !== '');
}

/** Unlike `trim`, by Unicode's list of white space. */
export function trimSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
]);

/** The three entities that Slack writes, once, in one pass: `&amp;lt;` was typed as `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES.get(entity) ?? entity);
}

/** Slack's own `<…>`: what a person types as an angle bracket arrives as an entity instead. */
const REFERENCE = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/**
 * Mentions as the person saw them: `<@U0AAA111|sam>` reads `@sam`. To be done before entities are decoded, after which a
 * typed bracket could not be told from Slack's. Links are left alone; see `undoLink`.
 */
export function showMentions(text: string): string {
  return text.replace(REFERENCE, (whole, target: string, label: string | undefined) => {
    const sign = mentionSign(target);
    if (sign === null) return whole;
    const shown = label ?? target.slice(1).replace(/^subteam\^/, '');
    return shown.startsWith(sign) ? shown : `${sign}${shown}`;
  });
}

/** Is there a mention of a person, group, channel or everybody in it? */
export function hasMention(text: string): boolean {
  return [...text.matchAll(REFERENCE)].some(([, target]) => mentionSign(target ?? '') !== null);
}

function mentionSign(target: string): '@' | '#' | null {
  if (target.startsWith('@') || target.startsWith('!')) return '@';
  return target.startsWith('#') ? '#' : null;
}

export type LinkReading =
  | { readonly link: 'none' }
  | { readonly link: 'agrees'; readonly digits: string }
  | { readonly link: 'disagrees'; readonly shown: string };

/**
 * Slack makes links of long digits (`<tel:123|123>`) and of pasted addresses. One is undone when what it shows and where it
 * points agree on the digits; otherwise the person would confirm one number and another could be meant.
 */
export function undoLink(text: string): LinkReading {
  const [, target, label] = /^<([^<>|]+)(?:\|([^<>]*))?>$/.exec(text) ?? [];
  if (target === undefined || mentionSign(target) !== null || /^\d+$/.test(target)) return { link: 'none' };
  const shown = label ?? target;
  if (label === undefined || !/^\d+$/.test(label)) return { link: 'disagrees', shown: decodeEntities(shown) };
  const agrees = target === `tel:${label}` || digitsAtEndOfPath(decodeEntities(target)) === label;
  return agrees ? { link: 'agrees', digits: label } : { link: 'disagrees', shown };
}

function digitsAtEndOfPath(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return /(\d+)\/?$/.exec(url.pathname)?.[1] ?? null;
}

const DOUBLE_QUOTES = '"“”„‟«»';
const SINGLE_QUOTES = "'‘’‚‛‹›";

/**
 * Takes one pair of quotes off that stands around everything. Phones turn straight quotes into curly ones, at times two of
 * the same side, so any two of the same kind are a pair.
 */
export function dropOuterQuotes(text: string): string {
  const trimmed = trimSpace(text);
  const [first = '', last = ''] = [trimmed.at(0), trimmed.at(-1)];
  const paired = [DOUBLE_QUOTES, SINGLE_QUOTES].some(
    (kind) => first && kind.includes(first) && last && kind.includes(last),
  );
  const inner = trimmed.slice(1, -1);
  return paired && trimmed.length >= 2 && !hasQuote(inner) ? trimSpace(inner) : trimmed;
}

export function hasQuote(text: string): boolean {
  return text.split('').some((character) => DOUBLE_QUOTES.includes(character) || SINGLE_QUOTES.includes(character));
}
