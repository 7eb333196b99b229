import { isMonth, PERIODS, SPENT_BY, type SpendQuery } from '../purchasing/model/spend.ts';

/** `last month by person` or `2026-11 by plan`, in any order, each at most once; what is not said is this month, by person. What means nothing is given back, with the word that belongs to it. */
export type SpendReading =
  | { readonly ok: true; readonly query: SpendQuery }
  | { readonly ok: false; readonly token: string };

/** @param words normalised */
export function parseSpend(words: readonly string[]): SpendReading {
  let period: SpendQuery['period'] | undefined;
  let by: SpendQuery['by'] | undefined;
  for (let at = 0; at < words.length; ) {
    const two = words
      .slice(at, at + 2)
      .join(' ')
      .toLowerCase();
    const one = words[at]?.toLowerCase() ?? '';
    const asked = PERIODS.find((known) => known === two || known === one) ?? (isMonth(one) ? one : undefined);
    const axis = SPENT_BY.find((known) => two === `by ${known}`);
    if (asked !== undefined && period === undefined) {
      period = asked;
      at += asked === two ? 2 : 1;
    } else if (axis !== undefined && by === undefined) {
      by = axis;
      at += 2;
    } else return { ok: false, token: words.slice(at, /^(?:this|last|by)$/.test(one) ? at + 2 : at + 1).join(' ') };
  }
  return { ok: true, query: { period: period ?? 'this month', by: by ?? 'person' } };
}
