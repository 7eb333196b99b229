import { parseQuantity, type QuantityProblem } from '../../src/input/fields.ts';
import { type Allocation, mergeBasket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import { isCountry } from '../../src/purchasing/model/countries.ts';
import type { Plan, Policy } from '../../src/purchasing/model/policy.ts';
import { BLOCK } from '../ids.ts';
import { type Decoded, type Errors, planProblem, tooLong } from '../state.ts';
import { type BuyContent, type BuyDraft, isEmptyRow, type Row } from './draft.ts';

/** A draft in which everything stands as it was submitted: what would be bought, or what is wrong, each at its field. */
export function decodeBuy(draft: BuyDraft, policy: Pick<Policy, 'plans' | 'limits'>): Decoded<BuyContent> {
  const errors: Errors = {};
  const plan = readPlan(draft.plan, policy.plans, errors);
  const filled = draft.rows.filter((row) => !isEmptyRow(row));
  const rows = filled.flatMap((row) => readRow(row, errors) ?? []);
  const [first] = draft.rows;
  if (filled.length === 0 && first) {
    errors[BLOCK.country(first.id)] = CHOOSE_COUNTRY;
    errors[BLOCK.quantity(first.id)] = QUANTITY.quantity_missing;
  }
  const wrong = tooLong(draft.reason);
  if (wrong) errors[BLOCK.reason] = wrong;
  if (!plan || Object.keys(errors).length > 0) return { ok: false, errors };

  const basket = mergeBasket(rows);
  const total = totalQuantity(basket);
  const limit = policy.limits.ipsPerOrder;
  const last = filled.at(-1);
  if (total > limit && last)
    return {
      ok: false,
      errors: { [BLOCK.quantity(last.id)]: `That makes ${total} IPs in all, and one order may have at most ${limit}.` },
    };
  return { ok: true, content: { kind: 'buy', plan, basket } };
}

function readPlan(productId: string, plans: readonly Plan[], errors: Errors): Plan | undefined {
  const plan = plans.find((known) => known.productId === productId);
  if (!plan) errors[BLOCK.plan] = planProblem(productId, plans);
  return plan;
}

const CHOOSE_COUNTRY = 'Choose a country.';

const QUANTITY = {
  quantity_missing: 'Enter how many IPs.',
  quantity_zero: 'At least 1.',
  quantity_too_large: 'That is too many.',
  quantity_not_whole: 'Enter a whole number in plain digits.',
} as const satisfies Record<QuantityProblem, string>;

function readRow(row: Row, errors: Errors): Allocation | undefined {
  const quantity = parseQuantity(row.quantity);
  if (row.country === '') errors[BLOCK.country(row.id)] = CHOOSE_COUNTRY;
  else if (!isCountry(row.country)) errors[BLOCK.country(row.id)] = 'Choose a country from the list.';
  if (!quantity.ok) errors[BLOCK.quantity(row.id)] = QUANTITY[quantity.problem];
  return quantity.ok && isCountry(row.country) ? { country: row.country, quantity: quantity.quantity } : undefined;
}
