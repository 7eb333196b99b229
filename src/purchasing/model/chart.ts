// A chart as data: nothing here says how it is drawn. Its numbers are for the eye alone; the figures stand in words beside it.

/** What the balance was over a time, as steps: between two readings nobody knows when it changed. */
export interface BalanceChart {
  readonly kind: 'balance';
  readonly title: string;
  readonly points: readonly { readonly at: number; readonly dollars: number }[];
  /** Purchases, where the balance showed them. */
  readonly marks: readonly { readonly at: number; readonly dollars: number }[];
}

/** What left the account, day by day. */
export interface SpendChart {
  readonly kind: 'spend';
  readonly title: string;
  readonly bars: readonly string[];
  /** One on top of the other. */
  readonly series: readonly { readonly name: string; readonly dollars: readonly number[] }[];
}

export type Chart = BalanceChart | SpendChart;
