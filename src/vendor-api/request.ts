import { LosslessNumber, stringify } from 'lossless-json';
import { isLoopback } from '../loopback.ts';
import { isOrderId } from '../purchasing/model/order-id.ts';
import type { VendorOrder } from '../purchasing/ports/vendor.ts';

/** The paths of vendor-api.md, under a base URL that may have a prefix and a trailing slash. */
export type Endpoints = {
  /** Scheme, host and port: what undici connects to. */
  readonly origin: string;
  readonly balance: string;
  readonly create: string;
  readonly renew: string;
};

/**
 * Throws on a base URL with which the token would not be safe; the message never quotes it, since it may hold a password.
 * Configuration says the same in better words at start; this is the last door.
 */
export function readEndpoints(baseUrl: string): Endpoints {
  const url = URL.parse(baseUrl);
  if (url === null) throw new TypeError('the vendor base URL is not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError(
      'the vendor base URL must be https (http only on loopback), or the token would travel in clear',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('the vendor base URL must have no user, password, query or fragment');
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  return {
    origin: url.origin,
    balance: `${prefix}/v2/balance`,
    create: `${prefix}/v2/orders/create`,
    renew: `${prefix}/v2/orders/renew`,
  };
}

export type OrderRequest = { readonly path: string; readonly body: string };

/** The one documented way to pay. */
const PAYMENT_METHOD = 'balance';

/**
 * The request exactly as documented, fields in the documented order. An order that could not be what people saw is not
 * mended here but refused, with the reason: the domain should never have let it come so far.
 */
export function writeOrderRequest(
  order: VendorOrder,
  endpoints: Endpoints,
): OrderRequest | { readonly refused: string } {
  const { productId, type, networkType } = order.plan;
  if (order.kind === 'renew') {
    if (!isOrderId(order.orderId)) return { refused: 'the order id is not a whole number' };
    if (productId === '') return { refused: 'the plan is incomplete' };
    // A bare integer with every digit, which no JavaScript number could hold.
    return {
      path: endpoints.renew,
      body: write({ order_id: new LosslessNumber(order.orderId), renew_product_id: productId }),
    };
  }
  if (productId === '' || type === '' || networkType === '') return { refused: 'the plan is incomplete' };
  if (order.basket.length === 0) return { refused: 'the basket is empty' };
  if (!order.basket.every(({ country }) => /^[A-Z]{2}$/.test(country))) {
    return { refused: 'a country is not a two-letter code' };
  }
  if (new Set(order.basket.map(({ country }) => country)).size !== order.basket.length) {
    return { refused: 'a country stands in the basket twice' };
  }
  const quantity = order.basket.reduce((sum, allocation) => sum + allocation.quantity, 0);
  if (
    !order.basket.every((allocation) => Number.isSafeInteger(allocation.quantity) && allocation.quantity > 0) ||
    !Number.isSafeInteger(quantity)
  ) {
    return { refused: 'a quantity is not a whole number above zero' };
  }
  return {
    path: endpoints.create,
    body: write({
      product_id: productId,
      type,
      network_type: networkType,
      quantity,
      payment_method: PAYMENT_METHOD,
      purchase_geo: {
        allocations: order.basket.map((allocation) => ({ country_iso: allocation.country, qty: allocation.quantity })),
      },
    }),
  };
}

function write(body: Readonly<Record<string, unknown>>): string {
  const text = stringify(body);
  if (text === undefined) throw new TypeError('an object always has a JSON text');
  return text;
}
