import type { Change } from './change.ts';
import { owedAtTransition } from './outbox.ts';
import type { From, Purchase, State } from './purchase.ts';

/** A transition with the notices that it owes; of a purchase that has just been seen in a state from which it is listed. */
export function move<To extends State>(
  purchase: Purchase<From<To>>,
  to: To,
  by: string,
  evidence: object,
  occasion = purchase.attempt?.id ?? '',
): Change<Purchase> & { readonly to: To } {
  const moved: Purchase = { ...purchase, state: to };
  return { result: moved, to, by, evidence, notices: owedAtTransition(purchase.id, to, occasion) };
}
