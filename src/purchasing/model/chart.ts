// A chart as data: nothing here says how it is drawn. Its numbers are for the eye alone; the figures stand in words beside it.

/** Slack's own chart takes no more, and on a phone nobody tells more apart. */
export const POINTS_MOST = 20;

/** What the balance was over a time, as steps: between two readings nobody knows when it changed. */
export interface BalanceChart {
  readonly kind: 'balance';
  readonly title: string;
  readonly points: readonly { readonly at: number; readonly dollars: number }[];
  /** Purchases, where the balance showed them. */
  readonly marks: readonly { readonly at: number; readonly dollars: number; readonly spent: number }[];
}

/** What left the account, day by day or some days at a time. */
export interface SpendChart {
  readonly kind: 'spend';
  readonly title: string;
  /** {@link POINTS_MOST} at most, each its own. */
  readonly bars: readonly string[];
  /** One on top of the other. */
  readonly series: readonly { readonly name: string; readonly dollars: readonly number[] }[];
}

export type Chart = BalanceChart | SpendChart;
