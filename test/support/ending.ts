import type { OrderEntryDetail } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { BUYER, type Office } from './office.ts';
import { MONTHLY } from './plan.ts';

export const DAY = 86_400_000;

/** Puts the office's clock forward to a moment that the test has chosen, whatever the time is where it runs. */
export function goTo(office: Office, at: number): void {
  office.clock.advance(at - office.clock.now());
}

/** Writes an order down that ends so: as of a month before, on the monthly plan. */
export async function ending(
  office: Office,
  orderId: string,
  endsAt: number,
  over: Partial<Extract<OrderEntryDetail, { kind: 'order_imported' }>> = {},
): Promise<void> {
  const boughtAt = new Date(endsAt);
  boughtAt.setUTCMonth(boughtAt.getUTCMonth() - 1);
  await say(office, orderId, {
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 2 }],
    boughtAt: boughtAt.getTime(),
    owner: BUYER,
    note: null,
    ...over,
  });
}

/** An entry about an order, whatever the rules of people say. */
export async function say(office: Office, orderId: string, detail: OrderEntryDetail, by = BUYER): Promise<void> {
  const id = orderId as OrderId;
  await office.books.orders.change([id], () => ({ result: null, entries: [{ orderId: id, by, detail }] }));
}

export async function keep(office: Office, orderId: string, endsAt: number, by = BUYER): Promise<void> {
  await say(office, orderId, { kind: 'order_intent', intent: 'keep', endsAt }, by);
}
