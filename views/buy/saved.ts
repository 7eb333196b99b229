import type { types } from '@slack/bolt';
import { type Basket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import { LONGEST_BASKET_NAME, type SavedBasket } from '../../src/purchasing/model/saved-basket.ts';
import type { ListedBasket } from '../../src/purchasing/saved-baskets.ts';
import {
  actions,
  type Block,
  button,
  confirmed,
  context,
  fields,
  header,
  modal,
  problemsBlock,
  section,
} from '../blocks.ts';
import { countriesShort, countryLines, ips, person, planName } from '../format.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { textInput } from '../inputs.ts';
import { plain } from '../text.ts';
import type { BuyDraft } from './draft.ts';

export const SAVE_TITLE = 'Save this basket';
export const MANAGE_TITLE = 'Saved baskets';

/** In the form, where there are any: one is chosen by a word of its name. */
export function savedBlocks({ anySaved = false, chosen = 0 }: Pick<BuyDraft, 'anySaved' | 'chosen'>): readonly Block[] {
  if (!anySaved) return [];
  const choose: types.ExternalSelect = {
    type: 'external_select',
    action_id: ACTION.savedBasket,
    min_query_length: 0,
    placeholder: plain('Saved baskets', 75),
  };
  return actions([choose, button('Manage', ACTION.manageBaskets)], BLOCK.saved(chosen));
}

export function basketOption({ id, name, basket }: SavedBasket): types.PlainTextOption {
  return { text: plain(name, 75), description: plain(contentOf(basket), 75), value: id };
}

/** `15 IPs: 🇺🇸 US 10, 🇩🇪 DE 5` */
function contentOf(basket: Basket): string {
  return `${ips(totalQuantity(basket))}: ${countriesShort(basket)}`;
}

/** Exactly what will be saved, and under which name. Pushed on the form. */
export function saveView(draftId: string, basket: Basket, plan: Plan | undefined): types.ModalView {
  return modal({
    callback: CALLBACK.saveBasket,
    title: SAVE_TITLE,
    draftId,
    submit: 'Save',
    close: 'Back',
    blocks: [
      nameInput(draftId, ''),
      fields([
        [ips(totalQuantity(basket)), countryLines(basket)],
        ['Plan', plan ? planName(plan) : 'none chosen yet'],
      ]),
      context('The team finds it under *Saved baskets* in this form. Nothing is bought by saving.'),
    ],
  });
}

export function renameView(draftId: string, { id, name, basket }: SavedBasket): types.ModalView {
  return modal({
    callback: CALLBACK.renameBasket,
    title: 'Rename basket',
    draftId,
    submit: 'Rename',
    close: 'Back',
    blocks: [nameInput(id, name), context(contentOf(basket))],
  });
}

function nameInput(basketId: string, initial: string): Block {
  return textInput({
    block: BLOCK.basketName(basketId),
    action: ACTION.basketName,
    label: 'Name',
    placeholder: 'Crawler, Europe',
    initial,
    longest: LONGEST_BASKET_NAME,
  });
}

/** All of them, each with what this person may do with it. @param draftId of the form beneath; empty where there is none */
export function manageView(
  draftId: string,
  baskets: readonly ListedBasket[],
  plans: readonly Plan[],
  problems: readonly string[] = [],
): types.ModalView {
  return modal({
    callback: CALLBACK.plain,
    title: MANAGE_TITLE,
    draftId,
    close: draftId === '' ? 'Close' : 'Back',
    blocks: [
      ...problemsBlock(problems),
      ...(baskets.length === 0
        ? [section('There are none. Put one together with `/proxy buy`, and press *Save this basket*.')]
        : []),
      ...baskets.flatMap((basket) => basketBlocks(basket, plans)),
      ...(baskets.every(({ mayChange }) => mayChange)
        ? []
        : [context('Whoever saved a basket renames or removes it; so does whoever approves.')]),
    ],
  });
}

/** Three blocks at most: {@link BASKETS_AT_MOST} of them fit into a view. */
function basketBlocks(
  { id, name, basket, plan, by, mayChange }: ListedBasket,
  plans: readonly Plan[],
): readonly Block[] {
  const known = plans.find(({ productId }) => productId === plan);
  const planned = known ? planName(known) : plan === null ? 'no plan' : 'a plan that is no longer offered';
  const remove = confirmed(button('Remove', ACTION.removeBasket, id), {
    title: 'Remove this basket?',
    text: `“${name}” is gone then for the whole team. What was bought with it stays.`,
    yes: 'Remove',
    no: 'Keep it',
  });
  return [
    header(name),
    context(`${contentOf(basket)} · ${planned} · saved by ${person(by)}`),
    ...(mayChange ? actions([button('Rename', ACTION.renameBasket, id), remove]) : []),
  ];
}
