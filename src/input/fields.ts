import { countriesMeant, isCountry } from '../purchasing/model/countries.ts';
import { LONGEST_ORDER_ID, type OrderId, orderIdOf } from '../purchasing/model/order-id.ts';
import { decodeEntities, hasMention, normalise, showMentions, trimSpace, undoLink } from './text.ts';

type CountryReading =
  | { readonly ok: true; readonly country: string }
  /** The words may mean any of these: the person has to choose. */
  | {
      readonly ok: false;
      readonly problem: 'country_unclear';
      readonly token: string;
      readonly codes: readonly string[];
    }
  | { readonly ok: false; readonly problem: 'country_unknown'; readonly token: string };

/** Reserved in ISO 3166 for the United Kingdom, so that it can mean nothing else. */
const UNITED_KINGDOM = ['UK', 'GB'] as const;

/** A name of which parts fit more countries than this ("of", "republic") means none of them. */
const MAY_MEAN_AT_MOST = 6;

/** Longer than any name, in characters. */
const LONGEST_NAME = 80;

/** Letters, and the marks that stand in names or before an entry of a list. A mention or an address is no name. */
const WORDS = /^[\p{L}\p{M} .,'’‘`´&()•*–—-]+$/u;

/** A two-letter code, or a name or alias that means one country. Nothing is guessed: parts of names only ask back. */
export function parseCountry(token: string): CountryReading {
  const unknown = { ok: false, problem: 'country_unknown', token } as const;
  // ASCII is checked before case is changed: upper-casing makes IE of `ıe` and US of `uſ`.
  if (/^[A-Za-z]{2}$/.test(token)) {
    const code = token.toUpperCase();
    const country = code === UNITED_KINGDOM[0] ? UNITED_KINGDOM[1] : code;
    return isCountry(country) ? { ok: true, country } : unknown;
  }
  if (token.length > LONGEST_NAME || !WORDS.test(token)) return unknown;
  const { named, inPart } = countriesMeant(token);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return { ok: true, country: only };
  const codes = named.length > 0 ? named : inPart;
  return codes.length > 0 && codes.length <= MAY_MEAN_AT_MOST
    ? { ok: false, problem: 'country_unclear', token, codes }
    : unknown;
}

export type QuantityProblem = 'quantity_missing' | 'quantity_zero' | 'quantity_too_large' | 'quantity_not_whole';

type QuantityReading =
  | { readonly ok: true; readonly quantity: number }
  | { readonly ok: false; readonly problem: QuantityProblem; readonly token: string };

/**
 * A quantity of IPs, from a typed row or from one of Slack's number fields, whose value is a text too (or null when empty).
 * Whole, in plain digits, from 1 to 999,999,999: far above any limit of the policy, far below where a sum of rows stops being
 * exact. `Number` and `parseInt` would make numbers of "", "1e3", "0x10" and "10abc".
 */
export function parseQuantity(text: string | null | undefined): QuantityReading {
  const token = trimSpace(normalise(text ?? ''));
  if (/^[1-9]\d{0,8}$/.test(token)) return { ok: true, quantity: Number(token) };
  return { ok: false, problem: quantityProblem(token), token };
}

function quantityProblem(token: string): QuantityProblem {
  if (token === '') return 'quantity_missing';
  if (/^0+$/.test(token)) return 'quantity_zero';
  if (/^[1-9]\d{9,}$/.test(token)) return 'quantity_too_large';
  return 'quantity_not_whole';
}

export type OrderIdProblem =
  | 'order_id_missing'
  | 'order_id_mention'
  | 'order_id_link_disagrees'
  | 'order_id_not_digits'
  | 'order_id_too_long'
  | 'order_id_zero';

type OrderIdReading =
  | { readonly ok: true; readonly orderId: OrderId }
  | { readonly ok: false; readonly problem: OrderIdProblem; readonly token: string };

/**
 * An order id as typed after `/proxy renew` or into a field: digits, perhaps with what a copy brings along: one `#`, one pair
 * of angle brackets, a link that agrees with what it shows.
 */
export function parseOrderId(text: string): OrderIdReading {
  const typed = trimSpace(normalise(text));
  if (hasMention(typed)) return refusedId('order_id_mention', decodeEntities(showMentions(typed)));
  const link = undoLink(typed);
  switch (link.link) {
    case 'none':
      return parseDigits(bare(decodeEntities(typed)), decodeEntities(typed));
    case 'agrees':
      return parseDigits(link.digits, link.digits);
    case 'disagrees':
      return refusedId('order_id_link_disagrees', link.shown);
  }
  return link satisfies never;
}

function parseDigits(digits: string, token: string): OrderIdReading {
  if (digits === '') return refusedId('order_id_missing', token);
  if (!/^[0-9]+$/.test(digits)) return refusedId('order_id_not_digits', token);
  if (digits.length > LONGEST_ORDER_ID) return refusedId('order_id_too_long', token);
  const orderId = orderIdOf(digits);
  return orderId === undefined ? refusedId('order_id_zero', token) : { ok: true, orderId };
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

function refusedId(problem: OrderIdProblem, token: string): OrderIdReading {
  return { ok: false, problem, token };
}
