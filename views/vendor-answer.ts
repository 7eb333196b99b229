import type { types } from '@slack/bolt';
import type { Answer } from '../src/purchasing/model/answer.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { type Block, modal, section } from './blocks.ts';
import { deed, when } from './format.ts';
import { CALLBACK } from './ids.ts';
import { literal } from './text.ts';

/** Of a block; a view takes 100 blocks and 250 kB, and this many characters of three bytes each stay below both. */
const BLOCK_CHARACTERS = 3_000;
const SHOWN_CHARACTERS = 66_000;

/** The vendor's answer as it came, for one person's eyes: it may hold proxy logins. */
export function answerView({ purchase }: Pick<PurchaseRecord, 'purchase'>, answer: Answer): types.ModalView {
  const body = visible(answer.rawBody ?? '');
  const shown = body.slice(0, SHOWN_CHARACTERS);
  const cut = answer.rawBodyTruncated || shown.length < body.length;
  const status = answer.httpStatus === null ? 'no status' : `status ${answer.httpStatus}`;
  return modal({
    callback: CALLBACK.plain,
    title: 'The answer',
    blocks: [
      section(
        `*${deed(purchase)}*\nThe vendor's answer, ${status}, ${when(answer.endedAt)}: ${literal(answer.why, 300)}`,
      ),
      section('Private: it may hold proxy logins. That you opened it is written down.'),
      ...(shown === '' ? [section('The answer had no body.')] : pieces(shown).map(preformatted)),
      ...(cut ? [section('*It is not whole*: the rest was not kept, or never came.')] : []),
    ],
  });
}

/** Nothing in a rich text of plain elements is live, and it needs no escaping. */
function preformatted(text: string): Block {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] };
}

function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + BLOCK_CHARACTERS, text.length);
    // Not between the halves of a pair.
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** Control and direction characters become a visible mark, one for one. */
function visible(text: string): string {
  return text.toWellFormed().replace(/(?![\n\r\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
