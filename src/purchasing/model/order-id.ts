/**
 * The vendor's id of an order: a whole number above zero, in digits, without leading zeros. It may exceed 2^53, so it stays a text.
 * {@link orderIdOf} makes one where a text comes in, and nothing else does; what the ledger holds has been one.
 */
export type OrderId = `${bigint}`;

/** In digits. More than any number of 128 bits needs; it keeps what is sent, shown and stored short. */
export const LONGEST_ORDER_ID = 40;

/** Leading zeros go: it is sent as an integer, and what people confirm must be what is sent. */
export function orderIdOf(digits: string): OrderId | undefined {
  const text = digits.replace(/^0+/, '');
  return isOrderId(text) ? text : undefined;
}

export function isOrderId(text: string): text is OrderId {
  return /^[1-9][0-9]*$/.test(text) && text.length <= LONGEST_ORDER_ID;
}
