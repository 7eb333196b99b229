import { LosslessNumber, stringify } from 'lossless-json';
import { isOrderId } from '../purchasing/model/order-id.ts';
import type { Order } from '../purchasing/ports/vendor.ts';
import type { Endpoints } from './endpoints.ts';

export type OrderRequest = { readonly path: string; readonly body: string };

/** The one documented way to pay. */
const PAYMENT_METHOD = 'balance';

/**
 * The request exactly as documented, fields in the documented order. An order that could not be what people saw is not
 * mended here but refused, with the reason: the domain should never have let it come so far.
 */
export function writeOrderRequest(order: Order, endpoints: Endpoints): OrderRequest | { readonly refused: string } {
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
