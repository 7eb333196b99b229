import { plural } from '../src/plural.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import type { Allocation } from '../src/purchasing/model/basket.ts';
import { countryName, isCountry } from '../src/purchasing/model/countries.ts';
import { operatorName, THE_BOT } from '../src/purchasing/model/entries.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { formatDollars, isPositive, type Money } from '../src/purchasing/model/money.ts';
import type { Plan } from '../src/purchasing/model/policy.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import type { Month } from '../src/purchasing/model/spend.ts';
import { literal } from './text.ts';

/**
 * A time in the reader's own zone, for mrkdwn. Plain text has no such thing: see `whenPlain`.
 * @param at milliseconds since 1970.
 */
export function when(at: number): string {
  return dateToken(at, '{date_short_pretty} at {time}', whenPlain(at));
}

/** The time of day alone, for what is only minutes old. */
export function timeOfDay(at: number): string {
  return dateToken(at, '{time}', `${whenPlain(at).slice(-9)}`);
}

/** `2026-01-31 14:03 UTC` */
function whenPlain(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A day, for computed dates: the hour of an estimate says nothing. */
export function day(at: number): string {
  return dateToken(at, '{date_short}', whenPlain(at).slice(0, 10));
}

/** A day that somebody wrote down: the same for every reader, wherever they are. */
export function dayAsWritten(at: number): string {
  return whenPlain(at).slice(0, 10);
}

/** `November 2026` */
export function monthName(month: Month): string {
  return new Date(`${month}-01T00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });
}

/** How long ago, where the sentence is read at once. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

/** How soon, as near as an estimate goes: `in 3 days`. */
function ahead(at: number, now: number): string {
  const hours = (at - now) / 3_600_000;
  if (hours < 1) return 'within the hour';
  return hours < 48 ? `in ${Math.floor(hours)} h` : `in ${Math.round(hours / 24)} days`;
}

/** `ends about Mar 12, 2026, in 3 days, computed by us`. @param endsAt computed; null where it is not known */
export function endText(endsAt: number | null, now: number): string {
  if (endsAt === null) return 'until when it runs is not known';
  return endsAt <= now
    ? `ended about ${day(endsAt)}, ${ago(endsAt, now)}, computed by us`
    : `ends about ${day(endsAt)}, ${ahead(endsAt, now)}, computed by us`;
}

/** `45 min`, `8 h`, `3 days` */
export function waited(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export function seconds(count: number): string {
  return plural(Math.max(1, Math.ceil(count)), 'second');
}

function dateToken(at: number, format: string, fallback: string): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${fallback}>`;
}

/** A person by a Slack user id of ours, or an operator, who may have none and is never mentioned. Never made from text that somebody typed. */
export function person(id: string): string {
  if (id === THE_BOT) return 'Proxy Desk itself';
  const operator = operatorName(id);
  if (operator !== null) return `the operator ${literal(operator, 100)}`;
  return /^[UW][A-Z0-9]+$/.test(id) ? `<@${id}>` : literal(id, 100);
}

/** Whoever approved: two people, or one. */
export function both(first: string | null, second: string): string {
  return first === null ? person(second) : `${person(first)} and ${person(second)}`;
}

/** Mentions of user groups, which notify in a message and only name in a view. */
export function groups(ids: readonly string[]): string {
  return ids
    .filter((id) => /^S[A-Z0-9]+$/.test(id))
    .map((id) => `<!subteam^${id}>`)
    .join(' ');
}

export type Described = Pick<Purchase, 'kind' | 'basket' | 'quantity' | 'orderId'>;

/** In a notification or a list; all of them stand on cards and in reviews. */
const COUNTRIES_IN_SHORT = 6;

export function ips(quantity: number | null): string {
  return quantity === null ? 'an unknown number of IPs' : plural(quantity, 'IP');
}

/** `US 10, DE 5` */
export function countriesShort(basket: readonly Allocation[], atMost = COUNTRIES_IN_SHORT): string {
  const shown = basket.slice(0, atMost).map(({ country, quantity }) => `${literal(country, 10)} ${quantity}`);
  const more = basket.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** `🇺🇸 United States`; Slack draws the flag of every country. */
export function country(code: string): string {
  return `${flag(code)}${countryName(code)}`;
}

/** Two regional indicators, which stand for A to Z from U+1F1E6 on. */
function flag(code: string): string {
  const letters = Array.from(code, (letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 0x41));
  return isCountry(code) ? `${letters.join('')} ` : '';
}

/** More than one order can be bought with; an order that was bought elsewhere may have more. */
const COUNTRIES_ON_CARD = 30;

/** One line a country: `🇺🇸 United States: 10` */
export function countryLines(basket: readonly Allocation[]): string {
  const more = basket.length - COUNTRIES_ON_CARD;
  const lines = basket.slice(0, COUNTRIES_ON_CARD).map(countryLine);
  return [...lines, ...(more > 0 ? [`and ${more} more countries`] : [])].join('\n');
}

export function countryLine({ country: code, quantity }: Allocation): string {
  return `${literal(country(code), 80)}: ${quantity}`;
}

/** `15 IPs (US 10, DE 5)`, `order 123 (15 IPs)` */
export function contentShort({ kind, basket, quantity, orderId }: Described): string {
  if (kind === 'renew') return `order ${orderNumber(orderId)}${quantity === null ? '' : ` (${ips(quantity)})`}`;
  return `${ips(quantity)} (${countriesShort(basket)})`;
}

/** `buy 15 IPs (US 10, DE 5)`, `renew order 123 (15 IPs)` */
export function requestShort(purchase: Described): string {
  return `${purchase.kind} ${contentShort(purchase)}`;
}

/** As the beginning of a sentence: `Buy 15 IPs`, `Renew order 123` */
export function deed(purchase: Described): string {
  return purchase.kind === 'buy' ? `Buy ${ips(purchase.quantity)}` : `Renew order ${orderNumber(purchase.orderId)}`;
}

/** For cards: everything that would be bought or renewed. */
export function contentLines({ kind, basket, quantity, orderId }: Described): string {
  const total = ips(quantity);
  if (kind === 'buy') return `${total}\n${countryLines(basket)}`;
  const known =
    quantity === null
      ? 'This bot never saw it being bought, so its size is unknown.'
      : `${total}${basket.length === 0 ? '' : `\n${countryLines(basket)}`}`;
  return `Renew order ${orderNumber(orderId)}\n${known}`;
}

export function planName({ name }: Plan): string {
  return literal(name, 100);
}

/** What is sent to the vendor besides the order or the quantities, for the small print. */
export function planIds(plan: Plan, kind: Purchase['kind']): string {
  const id = `product_id ${literal(plan.productId, 100)}`;
  return kind === 'buy' ? `${id}, type ${literal(plan.type, 100)}, network type ${literal(plan.networkType, 100)}` : id;
}

/** Digits, of which an id of ours has 40 at most; the vendor's may have more. */
export function orderNumber(orderId: string | null): string {
  return orderId === null ? 'without a known id' : literal(orderId, 60);
}

/** `+$500.00`, `−$48.00` */
export function signed(money: Money): string {
  return `${isPositive(money) ? '+' : ''}${formatDollars(money)}`;
}

/** `$12.50, read 14:03` */
function moneyAt(balance: Money, at: number): string {
  return `${formatDollars(balance)}, read ${timeOfDay(at)}`;
}

/** The balance as of now; null while it is `unread`. Never 0 for one that could not be read. */
export function balanceNow(reading: BalanceReading | null, unread = 'reading the balance…'): string {
  if (reading === null) return unread;
  if (reading.ok)
    return isPositive(reading.balance)
      ? moneyAt(reading.balance, reading.at)
      : `${moneyAt(reading.balance, reading.at)}: used up, so nothing can be bought`;
  const wait = reading.retryAfterSeconds;
  const again = wait === undefined ? '' : `; the vendor asks to wait ${seconds(wait)}`;
  return `could not be read (${literal(reading.why, 300)}${again})`;
}

/** That spending is frozen, by whom and why, and what that means for a request; null where it is not. */
export function freezeLine(freeze: Freeze | null): string | null {
  if (freeze === null) return null;
  return `*Spending is frozen* by ${person(freeze.by)} since ${when(freeze.at)}: ${literal(freeze.reason, 500)}\nNothing is sent until it ends. Requests can be filed and decided; what is approved meanwhile expires when it gets too old.`;
}

/** In the words of whoever said it: `“too many”` */
export function quoted(text: string, longest: number): string {
  return `“${literal(text, longest)}”`;
}

/** Whom to ask for help: the policy's contact, or nobody by name. */
export function contactName(contact: string | null): string {
  if (contact === null) return 'whoever runs Proxy Desk';
  if (/^[UW][A-Z0-9]+$/.test(contact)) return person(contact);
  if (/^S[A-Z0-9]+$/.test(contact)) return groups([contact]);
  return /^[CG][A-Z0-9]{8,}$/.test(contact) ? `<#${contact}>` : literal(contact, 100);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function uncapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
