import { decodeEntities, hasMention, normalise, showMentions, trimSpace, undoLink } from './text.ts';

export type OrderIdProblem =
  | 'order_id_missing'
  | 'order_id_mention'
  | 'order_id_link_disagrees'
  | 'order_id_not_digits'
  | 'order_id_too_long'
  | 'order_id_zero';

export type OrderIdReading =
  | { readonly ok: true; readonly orderId: string }
  | { readonly ok: false; readonly problem: OrderIdProblem; readonly token: string };

/** More than any number of 128 bits needs; it keeps what is sent, shown and stored short. In digits. */
const LONGEST = 40;

/**
 * An order id as typed after `/proxy renew` or into a field: digits, perhaps with what a copy brings along: one `#`, one pair
 * of angle brackets, a link that agrees with what it shows. It stays a text: ids may be larger than a number can hold.
 * Leading zeros go, because it is sent as an integer, and what is confirmed must be what is sent.
 */
export function parseOrderId(text: string): OrderIdReading {
  const typed = trimSpace(normalise(text));
  if (hasMention(typed)) return refused('order_id_mention', decodeEntities(showMentions(typed)));
  const link = undoLink(typed);
  switch (link.link) {
    case 'none':
      return parseDigits(bare(decodeEntities(typed)), decodeEntities(typed));
    case 'agrees':
      return parseDigits(link.digits, link.digits);
    case 'disagrees':
      return refused('order_id_link_disagrees', link.shown);
  }
  return link satisfies never;
}

function parseDigits(digits: string, token: string): OrderIdReading {
  if (digits === '') return refused('order_id_missing', token);
  if (!/^[0-9]+$/.test(digits)) return refused('order_id_not_digits', token);
  if (digits.length > LONGEST) return refused('order_id_too_long', token);
  const orderId = digits.replace(/^0+/, '');
  return orderId === '' ? refused('order_id_zero', token) : { ok: true, orderId };
}

/** Without one `#` and one pair of brackets, whichever stands outside. */
function bare(text: string): string {
  return text.startsWith('#') ? dropBrackets(text.slice(1)) : dropHash(dropBrackets(text));
}

function dropHash(text: string): string {
  return text.startsWith('#') ? text.slice(1) : text;
}

function dropBrackets(text: string): string {
  return trimSpace(/^<(.*)>$/s.exec(text)?.[1] ?? text);
}

function refused(problem: OrderIdProblem, token: string): OrderIdReading {
  return { ok: false, problem, token };
}
