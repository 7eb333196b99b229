import { type OrderId, orderIdOf } from '../purchasing/model/order-id.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';

/** Two distinct ids already mean "not found"; more than these are not worth keeping. */
const MOST = 20;

export type FoundOrderIds = {
  /** Distinct, with every digit. */
  readonly ids: readonly OrderId[];
  /** Something stands under the name, readable as an id or not. `null` is the vendor's way to say that there is none. */
  readonly mentioned: boolean;
};

/** Looks for `order_id` by that name anywhere in the answer, as a positive integer or a string of digits. */
export function findOrderIds(answer: JsonValue): FoundOrderIds {
  const ids = new Set<OrderId>();
  let mentioned = false;
  const waiting: JsonValue[] = [answer];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) for (const inner of value.toReversed()) waiting.push(inner);
    else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        waiting.push(inner);
        if (key !== 'order_id' || inner === null) continue;
        mentioned = true;
        const id = readOrderId(inner);
        if (id !== undefined && ids.size < MOST) ids.add(id);
      }
    }
  }
  return { ids: [...ids], mentioned };
}

/** An id as the renewal can send it back, a bare integer: leading zeros of a string cannot be kept. Zero is no order. */
function readOrderId(value: JsonValue): OrderId | undefined {
  const text = value instanceof JsonNumber ? value.source : value;
  return typeof text === 'string' ? orderIdOf(text) : undefined;
}
