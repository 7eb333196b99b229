import { parseQuantity, type QuantityProblem } from '../../src/input/fields.ts';
import { type Allocation, type Basket, mergeBasket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import { isCountry } from '../../src/purchasing/model/countries.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import { BLOCK } from '../ids.ts';
import { type Decoded, type Errors, planProblem, tooLong } from '../state.ts';
import { type BuyContent, type BuyDraft, isEmptyRow, planBlock, type Row } from './draft.ts';

/** A draft in which everything stands as it was submitted: what would be bought, or what is wrong, each at its field. */
export function decodeBuy(draft: BuyDraft, policy: Pick<Policy, 'plans' | 'limits'>): Decoded<BuyContent> {
  const errors: Errors = {};
  const plan = policy.plans.find((known) => known.productId === draft.plan);
  if (!plan) errors[planBlock(draft)] = planProblem(draft.plan, policy.plans);
  const read = decodeBasket(draft);
  if (!read.ok) Object.assign(errors, read.errors);
  const wrong = tooLong(draft.reason);
  if (wrong) errors[BLOCK.reason] = wrong;
  if (!plan || !read.ok || Object.keys(errors).length > 0) return { ok: false, errors };

  const basket = read.content;
  const total = totalQuantity(basket);
  const limit = policy.limits.ipsPerOrder;
  const last = draft.rows.findLast((row) => !isEmptyRow(row));
  if (total > limit && last)
    return {
      ok: false,
      errors: { [BLOCK.quantity(last.id)]: `That makes ${total} IPs in all, and one order may have at most ${limit}.` },
    };
  return { ok: true, content: { kind: 'buy', plan, basket } };
}

/** What the rows hold, each country once; or what is wrong, each at its field. */
export function decodeBasket({ rows }: Pick<BuyDraft, 'rows'>): Decoded<Basket> {
  const errors: Errors = {};
  const filled = rows.filter((row) => !isEmptyRow(row));
  const read = filled.flatMap((row) => readRow(row, errors) ?? []);
  const [first] = rows;
  if (filled.length === 0 && first) {
    errors[BLOCK.country(first.id)] = CHOOSE_COUNTRY;
    errors[BLOCK.quantity(first.id)] = QUANTITY.quantity_missing;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, content: mergeBasket(read) };
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
