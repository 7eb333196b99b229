import type { Click } from './model/click.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import { foldedName, type SavedBasket } from './model/saved-basket.ts';
import type { Baskets } from './ports/baskets.ts';
import type { Directory } from './ports/directory.ts';
import { type Clicker, checkRights, FRESH_RIGHTS_WITHIN_MS } from './rules/rights.ts';
import { decideRemoving, decideRenaming, decideSaving, mayChangeBasket } from './rules/saved-baskets.ts';

export interface SavedBasketsDeps {
  readonly baskets: Baskets;
  readonly directory: Directory;
}

/** One as somebody sees it. */
export interface ListedBasket extends SavedBasket {
  readonly mayChange: boolean;
}

/** Renaming and removing are for whoever saved it, or approves. */
const CHANGING = ['buy', 'approve'] as const;

/** What people ask of the baskets that the team has saved under names, and do with them. Nothing here spends or files. */
export class SavedBaskets {
  readonly #deps: SavedBasketsDeps;

  constructor(deps: SavedBasketsDeps) {
    this.#deps = deps;
  }

  /** Whether there is any: tells nothing of them. */
  async any(): Promise<boolean> {
    return (await this.#deps.baskets.all()).length > 0;
  }

  /** By name. */
  async list(user: string): Promise<readonly ListedBasket[] | Refusal> {
    const { baskets, directory } = this.#deps;
    const [allowed, all] = await Promise.all([
      checkRights(directory, user, CHANGING, 'cached', FRESH_RIGHTS_WITHIN_MS),
      baskets.all(),
    ]);
    if (isRefusal(allowed)) return allowed;
    return all.map((basket) => ({ ...basket, mayChange: mayChangeBasket(basket, allowed) }));
  }

  /** Those that somebody may mean who has typed this much of a name. */
  async suggest(user: string, typed: string): Promise<readonly SavedBasket[] | Refusal> {
    const all = await this.list(user);
    if (isRefusal(all)) return all;
    const asked = foldedName(typed);
    return all.filter(({ name }) => foldedName(name).includes(asked));
  }

  async find(user: string, id: string): Promise<ListedBasket | Refusal> {
    const all = await this.list(user);
    if (isRefusal(all)) return all;
    return all.find((basket) => basket.id === id) ?? { refused: 'no_such_basket' };
  }

  /** @param asked.id the same however often the same view is submitted */
  async save(click: Click, asked: Parameters<typeof decideSaving>[2]): Promise<SavedBasket | Refusal> {
    const by = await this.#ask(click, ['buy']);
    return this.#deps.baskets.change((facts) => decideSaving(facts, by, asked), click.id);
  }

  async rename(click: Click, id: string, typed: string): Promise<SavedBasket | Refusal> {
    const by = await this.#ask(click, CHANGING);
    return this.#deps.baskets.change((facts) => decideRenaming(facts, by, id, typed), click.id);
  }

  async remove(click: Click, id: string): Promise<Pick<SavedBasket, 'id'> | Refusal> {
    const by = await this.#ask(click, CHANGING);
    return this.#deps.baskets.change((facts) => decideRemoving(facts, by, id), click.id);
  }

  async #ask({ user }: Click, rights: Parameters<typeof checkRights>[2]): Promise<Clicker> {
    return { user, allowed: await checkRights(this.#deps.directory, user, rights, 'fresh') };
  }
}
