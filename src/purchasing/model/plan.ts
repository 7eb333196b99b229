/** A product that may be bought. */
export interface Plan {
  readonly productId: string;
  readonly name: string;
  readonly type: string;
  readonly networkType: string;
  /** From the policy, since the vendor states none; used for the calendar only. Null when the policy gives none. */
  readonly term: Term | null;
  /** The term as people read it, for example "1 month"; empty when there is none. */
  readonly termText: string;
}

export interface Term {
  readonly amount: number;
  readonly unit: TermUnit;
}

export const TERM_UNITS = ['day', 'week', 'month', 'year'] as const;
export type TermUnit = (typeof TERM_UNITS)[number];
