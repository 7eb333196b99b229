import { LONGEST_ORDER_ID, type OrderId, orderIdOf } from '../purchasing/model/order-id.ts';
import { decodeEntities, hasMention, normalise, showMentions, trimSpace, undoLink } from './text.ts';

export type OrderIdProblem =
  | 'order_id_missing'
  | 'order_id_mention'
  | 'order_id_link_disagrees'
  | 'order_id_not_digits'
  | 'order_id_too_long'
  | 'order_id_zero';

export type OrderIdReading =
  | { readonly ok: true; readonly orderId: OrderId }
  | { readonly ok: false; readonly problem: OrderIdProblem; readonly token: string };

/**
 * An order id as typed after `/proxy renew` or into a field: digits, perhaps with what a copy brings along: one `#`, one pair
 * of angle brackets, a link that agrees with what it shows.
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
  if (digits.length > LONGEST_ORDER_ID) return refused('order_id_too_long', token);
  const orderId = orderIdOf(digits);
  return orderId === undefined ? refused('order_id_zero', token) : { ok: true, orderId };
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
