import type { Allocation } from '../src/purchasing/model/basket.ts';
import { countryName } from '../src/purchasing/model/countries.ts';
import type { Plan } from '../src/purchasing/model/plan.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { literal } from './text.ts';

export type Described = Pick<Purchase, 'kind' | 'basket' | 'quantity' | 'orderId'>;

/** In a notification or a list; all of them stand on cards and in reviews. */
const COUNTRIES_IN_SHORT = 6;

export function ips(quantity: number | null): string {
  if (quantity === null) return 'an unknown number of IPs';
  return quantity === 1 ? '1 IP' : `${quantity} IPs`;
}

/** `US 10, DE 5` */
export function countriesShort(basket: readonly Allocation[]): string {
  const shown = basket
    .slice(0, COUNTRIES_IN_SHORT)
    .map(({ country, quantity }) => `${literal(country, 10)} ${quantity}`);
  const more = basket.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** One line a country: `• United States (US): 10` */
export function countryLines(basket: readonly Allocation[]): string {
  return basket
    .map(({ country, quantity }) => `• ${literal(countryName(country), 80)} (${literal(country, 10)}): ${quantity}`)
    .join('\n');
}

/** `15 IPs (US 10, DE 5)`, `order 123 (15 IPs)` */
export function contentShort({ kind, basket, quantity, orderId }: Described): string {
  if (kind === 'renew') return `order ${orderNumber(orderId)}${quantity === null ? '' : ` (${ips(quantity)})`}`;
  return `${ips(quantity)} (${countriesShort(basket)})`;
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

export function planName({ name, termText }: Plan): string {
  return termText === '' ? literal(name, 100) : `${literal(name, 100)} (${literal(termText, 40)})`;
}

/** What of the plan is sent to the vendor. */
export function planLines(plan: Plan, kind: Purchase['kind']): string {
  const id = `product_id ${literal(plan.productId, 100)}`;
  const sent =
    kind === 'buy' ? `${id}, type ${literal(plan.type, 100)}, network type ${literal(plan.networkType, 100)}` : id;
  return `${planName(plan)}\n${sent}`;
}

/** Digits, of which an id of ours has 40 at most; the vendor's may have more. */
export function orderNumber(orderId: string | null): string {
  return orderId === null ? 'without a known id' : literal(orderId, 60);
}
