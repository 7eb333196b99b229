import { normalise, trimSpace } from './text.ts';

export type QuantityProblem = 'quantity_missing' | 'quantity_zero' | 'quantity_too_large' | 'quantity_not_whole';

export type QuantityReading =
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
  return { ok: false, problem: problemOf(token), token };
}

function problemOf(token: string): QuantityProblem {
  if (token === '') return 'quantity_missing';
  if (/^0+$/.test(token)) return 'quantity_zero';
  if (/^[1-9]\d{9,}$/.test(token)) return 'quantity_too_large';
  return 'quantity_not_whole';
}
