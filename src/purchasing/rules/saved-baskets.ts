import { isRefusal, type Refusal } from '../model/refusals.ts';
import {
  BASKETS_AT_MOST,
  type BasketChange,
  type BasketFacts,
  basketName,
  foldedName,
  LONGEST_BASKET_NAME,
  type SavedBasket,
} from '../model/saved-basket.ts';
import { countedOnce } from './clicks.ts';
import type { Allowed, Clicker } from './rights.ts';

type Changed<R = SavedBasket> = BasketChange<R | Refusal>;

/** Whoever saved it, by any id of theirs, and those who approve. */
export function mayChangeBasket({ by }: Pick<SavedBasket, 'by'>, allowed: Exclude<Allowed, Refusal>): boolean {
  return allowed.rights.has('approve') || allowed.ids.has(by);
}

/** @param asked.id the same however often the same view is submitted */
export function decideSaving(
  facts: BasketFacts,
  { user, allowed }: Clicker,
  asked: Pick<SavedBasket, 'id' | 'basket' | 'plan'> & { readonly typed: string },
): Changed {
  return countedOnce<Changed>(facts.deliveredBefore, asItIs(facts, asked.id), () => {
    const { id, basket, plan } = asked;
    const name = basketName(asked.typed);
    const no = isRefusal(allowed) ? allowed : refuseName(facts, name, id);
    if (no) return { result: no };
    const there = facts.saved.find((other) => other.id === id);
    if (there) return { result: there };
    if (facts.saved.length >= BASKETS_AT_MOST)
      return { result: { refused: 'too_many_baskets', limit: BASKETS_AT_MOST } };
    return {
      result: { id, name, basket, plan, by: user, at: facts.now },
      entry: { by: user, detail: { kind: 'basket_saved', id, name, basket, plan } },
    };
  });
}

export function decideRenaming(facts: BasketFacts, by: Clicker, id: string, typed: string): Changed {
  const decide = (basket: SavedBasket): Changed => {
    const name = basketName(typed);
    const no = refuseName(facts, name, id);
    if (no) return { result: no };
    if (name === basket.name) return { result: basket };
    return {
      result: { ...basket, name },
      entry: { by: by.user, detail: { kind: 'basket_renamed', id, name, before: basket.name } },
    };
  };
  return countedOnce<Changed>(facts.deliveredBefore, asItIs(facts, id), () => ofTheirs(facts, by, id, decide));
}

/** Which one is gone. */
export function decideRemoving(facts: BasketFacts, by: Clicker, id: string): Changed<Pick<SavedBasket, 'id'>> {
  const decide = ({ name }: SavedBasket): Changed<Pick<SavedBasket, 'id'>> => ({
    result: { id },
    entry: { by: by.user, detail: { kind: 'basket_removed', id, name } },
  });
  return countedOnce<Changed<Pick<SavedBasket, 'id'>>>(facts.deliveredBefore, { id }, () =>
    ofTheirs(facts, by, id, decide),
  );
}

function ofTheirs<R>(
  { saved }: BasketFacts,
  { allowed }: Clicker,
  id: string,
  decide: (basket: SavedBasket) => Changed<R>,
): Changed<R> {
  if (isRefusal(allowed)) return { result: allowed };
  const basket = saved.find((other) => other.id === id);
  if (!basket) return { result: { refused: 'no_such_basket' } };
  return mayChangeBasket(basket, allowed) ? decide(basket) : { result: { refused: 'not_basket_maker', by: basket.by } };
}

function refuseName({ saved }: BasketFacts, name: string, id: string): Refusal | undefined {
  const folded = foldedName(name);
  if (folded === '') return { refused: 'basket_name_missing' };
  // Counted as people count them, not in UTF-16 units.
  if (Array.from(name).length > LONGEST_BASKET_NAME)
    return { refused: 'basket_name_too_long', limit: LONGEST_BASKET_NAME };
  return saved.some((other) => other.id !== id && foldedName(other.name) === folded)
    ? { refused: 'basket_name_taken' }
    : undefined;
}

function asItIs({ saved }: BasketFacts, id: string): SavedBasket | Refusal {
  return saved.find((basket) => basket.id === id) ?? { refused: 'no_such_basket' };
}
