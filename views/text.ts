import type { PlainTextElement } from '@slack/types';

/**
 * Text from people or the vendor, made fit to be shown. Where it can stand alone (a field, a section of its own, an option)
 * use `plain` or `plainLines`: in a plain_text object nothing is live, and everything reads as it was typed. `literal` is for
 * the middle of one of our own mrkdwn sentences.
 */

/** Shown when nothing visible is left: Slack refuses an empty text, and with it the whole card. */
const NOTHING = '–';
const CUT = '…';

/**
 * For mrkdwn, on one line. Escaped, and characters that Slack could give a meaning to (`*_~` and the backtick, emoji names,
 * mentions, channels, addresses, a quote at the start) become their full-width twins: there is no way to escape them, and an
 * invisible character beside one does not take its meaning away. Our parsers read the twins back as ASCII.
 *
 * The caller sets `verbatim: true` on the text object, or Slack still makes links of bare domains; and `unfurl_links: false`,
 * `unfurl_media: false` on the message. `maxCharacters` counts UTF-16 units of the result, which no way of counting exceeds.
 */
export function literal(text: string, maxCharacters: number): string {
  return disarm(cut(onOneLine(text), maxCharacters));
}

/** A plain_text object on one line, for options, labels, headers and fields. */
export function plain(text: string, maxCharacters: number): PlainTextElement {
  return { type: 'plain_text', text: cut(onOneLine(text), maxCharacters), emoji: false };
}

/** A plain_text object that keeps line breaks, for a reason or note in a block of its own. */
export function plainLines(text: string, maxCharacters: number): PlainTextElement {
  const lines = visible(text)
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map(onOneLine);
  const joined = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { type: 'plain_text', text: cut(joined, maxCharacters), emoji: false };
}

function onOneLine(text: string): string {
  return visible(text)
    .replace(/\p{White_Space}+/gu, ' ')
    .trim();
}

/**
 * Direction overrides and marks, fillers, tags: what makes a text read as something it is not. Not the joiners and the emoji
 * selector, without which Persian and families fall apart.
 */
const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu;

const CONTROL = /(?!\p{White_Space})\p{Cc}/gu;

/** Real writing puts a few marks on a letter; a tower of them runs over the lines around it. */
const TOWER_OF_MARKS = /([\p{Mn}\u200c\u200d]{4})[\p{Mn}\u200c\u200d]+/gu;

function visible(text: string): string {
  // Half a surrogate pair cannot be sent as UTF-8: it becomes the replacement character here, where it can be seen.
  return text.toWellFormed().replace(CONTROL, '').replace(UNSEEN, '').replace(TOWER_OF_MARKS, '$1');
}

/** Called after the cut, which can bring two characters together. A full-width twin is one UTF-16 unit long, as the original. */
function disarm(text: string): string {
  return text
    .replace(/(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])|`/g, fullWidth)
    .replace(/:(?=[\p{L}\p{N}_+'-]+:|[\p{L}_+'-][\p{L}\p{N}_+'-]*$|\/\/)/gu, fullWidth)
    .replace(/[@#](?=\S)/g, fullWidth)
    .replace(/^&gt;/, '＞');
}

/** U+FF01 to U+FF5E are ASCII's 0x21 to 0x7E in the same order. */
function fullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** A text that somebody typed as `&lt;` is shown as `&lt;`. */
function escapeOnce(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPED.get(character) ?? character);
}

const NOTHING_SEEN = /^(?:\u200c|\u200d|\ufe0e|\ufe0f|\s)*$/;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Escapes, and cuts the result between characters as people see them: never within an entity, a pair or an emoji. */
function cut(text: string, maxCharacters: number): string {
  if (NOTHING_SEEN.test(text)) return NOTHING.slice(0, maxCharacters);
  const whole = escapeOnce(text);
  if (whole.length <= maxCharacters) return whole;
  let kept = '';
  // Each unit gives at least one: what lies past the limit cannot be needed, and a long answer is not taken apart in vain.
  for (const { segment } of characters.segment(text.slice(0, maxCharacters + 1))) {
    const next = kept + escapeOnce(segment);
    if (next.length > maxCharacters - CUT.length) break;
    kept = next;
  }
  return `${kept}${CUT}`.slice(0, Math.max(0, maxCharacters));
}
