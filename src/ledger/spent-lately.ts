import { compare, difference, type Money, sum } from '../purchasing/model/money.ts';
import { number, text } from './rows.ts';
import type { Row, Sql } from './sql.ts';

const NO_MONEY = '0' as Money;

/** A change of the balance as it was read: what is written of it is never written again. */
interface Known {
  readonly seq: number;
  readonly at: number;
  readonly before: Money;
  readonly after: Money;
}

/** All that left the account after `since` and not after `now`, whoever took it: the same as of these movements, of which only new ones are read. */
export type SpentLately = (sql: Sql, since: number, now: number) => Promise<Money>;

/** Remembers, for one process, what has left the account. */
export function rememberSpent(): SpentLately {
  /** The latest that was read; `since` when it was asked for the first time after which all is remembered. */
  let last: Known | null = null;
  let from = Number.POSITIVE_INFINITY;
  /** Oldest first by the clock, which may have jumped; and their sum. */
  let falls: Known[] = [];
  let total = NO_MONEY;

  const take = (change: Known) => {
    if (compare(change.after, change.before) >= 0 || change.at <= from) return;
    const place = falls.findLastIndex(({ at }) => at <= change.at) + 1;
    falls.splice(place, 0, change);
    total = sum(total, difference(change.before, change.after));
  };

  const remember = async (sql: Sql, since: number): Promise<void> => {
    for (;;) {
      const known = last;
      const news = known && since >= from ? await changes(sql, 'later.seq >= :seq', { seq: known.seq }) : [];
      // Else nothing is known yet, the clock or the ledger went back, or this is another ledger.
      const goesOn = known !== null && isSame(news[0], known);
      const all = goesOn ? news.slice(1) : await changes(sql, 'later.at > :since', { since });
      // Whoever asked at the same time has taken them meanwhile; from here on nobody is waited for.
      if (last !== known) continue;
      if (!goesOn) [falls, total, from, last] = [[], NO_MONEY, since, null];
      for (const change of all) take(change);
      last = all.at(-1) ?? last;
      from = Math.max(from, since);
      return;
    }
  };

  return async (sql, since, now) => {
    await remember(sql, since);
    const young = falls.findIndex(({ at }) => at > since);
    for (const old of falls.splice(0, young === -1 ? falls.length : young))
      total = difference(total, difference(old.before, old.after));
    const early = falls.slice(falls.findLastIndex(({ at }) => at <= now) + 1);
    return early.reduce((spent, { before, after }) => difference(spent, difference(before, after)), total);
  };
}

function isSame(a: Known | undefined, b: Known): boolean {
  return a !== undefined && a.seq === b.seq && a.at === b.at && a.before === b.before && a.after === b.after;
}

async function changes(sql: Sql, condition: string, params: Record<string, number>): Promise<readonly Known[]> {
  const rows = await sql.all(
    `SELECT later.seq, later.at, later.balance, earlier.balance AS earlier_balance
     FROM balance_readings later JOIN balance_readings earlier ON earlier.seq = later.changed_from
     WHERE later.changed_from IS NOT NULL AND ${condition}`,
    params,
  );
  // Ordered by the database it would be found by that order, and not by time.
  return rows.map(toKnown).sort((a, b) => a.seq - b.seq);
}

function toKnown(row: Row): Known {
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    before: text(row, 'earlier_balance') as Money,
    after: text(row, 'balance') as Money,
  };
}
