import type { BasketRule, SavedBasket } from '../model/saved-basket.ts';

/** Baskets that the team has saved under names. */
export interface Baskets {
  /** By name. */
  all(): Promise<readonly SavedBasket[]>;
  /** The one way in which they change: reads all of them, decides, writes, in one transaction. @param click the id of the click that asks for it */
  change<R>(decide: BasketRule<R>, click?: string): Promise<R>;
}
