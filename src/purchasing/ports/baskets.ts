import type { Basket } from '../model/basket.ts';

/** A basket under a name, for the whole team. */
export interface SavedBasket {
  readonly id: string;
  readonly name: string;
  readonly basket: Basket;
  /** The plan's product id. */
  readonly plan: string;
  /** Slack user id as received. */
  readonly by: string;
  readonly at: number;
}

export const BASKETS_AT_MOST = 100;

export interface Baskets {
  /** By name. */
  all(): Promise<readonly SavedBasket[]>;
  /** Names are taken without regard to case. Saved once for each id: the same one again is `saved` and writes nothing. */
  save(basket: Omit<SavedBasket, 'at'>): Promise<'saved' | 'name_taken' | 'too_many'>;
  /** @returns what was removed; undefined where it is gone, or `may` said no. */
  remove(id: string, may: (basket: SavedBasket) => boolean): Promise<SavedBasket | undefined>;
}
