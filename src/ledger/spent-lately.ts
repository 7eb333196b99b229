import { compare, difference, type Money, NO_MONEY, sum } from '../purchasing/model/money.ts';
import { number, text } from './rows.ts';
import { paged, pagesByTime, type Row, type Sql } from './sql.ts';

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
    if (!isFall(change) || change.at <= from) return;
    const place = falls.findLastIndex(({ at }) => at <= change.at) + 1;
    falls.splice(place, 0, change);
    total = sum(total, difference(change.before, change.after));
  };

  const remember = async (sql: Sql, since: number): Promise<void> => {
    for (;;) {
      const known = last;
      const news = known && since >= from ? await changesFrom(sql, known.seq) : [];
      // Else nothing is known yet, the clock or the ledger went back, or this is another ledger.
      const goesOn = known !== null && isSame(news[0], known);
      const anew = goesOn ? null : await fallsAfter(sql, since);
      // Whoever asked at the same time has taken them meanwhile; from here on nobody is waited for.
      if (last !== known) continue;
      if (anew) [falls, total, last, from] = [anew.falls, anew.total, anew.last, since];
      for (const change of news.slice(1)) take(change);
      last = news.at(-1) ?? last;
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

/** All falls since then, oldest first by the clock, and what they add up to; and the change that was written last. */
async function fallsAfter(sql: Sql, since: number) {
  const falls: Known[] = [];
  let total = NO_MONEY;
  let last: Known | null = null;
  const statement = `${CHANGES} AND (later.at, later.seq) > (:at, :seq) ORDER BY later.at, later.seq LIMIT :page`;
  for await (const page of pagesByTime(sql, statement, {}, { from: since }))
    for (const change of page.map(toKnown)) {
      if (last === null || last.seq < change.seq) last = change;
      if (!isFall(change)) continue;
      falls.push(change);
      total = sum(total, difference(change.before, change.after));
    }
  return { falls, total, last };
}

/** This one, and all after it. */
function changesFrom(sql: Sql, seq: number): Promise<readonly Known[]> {
  const after = `${CHANGES} AND later.seq > :after ORDER BY later.seq LIMIT :page`;
  return paged(sql, after, {}, toKnown, { from: seq - 1 });
}

const CHANGES = `SELECT later.seq, later.at, later.balance, earlier.balance AS earlier_balance
  FROM balance_readings later JOIN balance_readings earlier ON earlier.seq = later.changed_from
  WHERE later.changed_from IS NOT NULL`;

function isFall({ before, after }: Known): boolean {
  return compare(after, before) < 0;
}

function toKnown(row: Row): Known {
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    before: text(row, 'earlier_balance') as Money,
    after: text(row, 'balance') as Money,
  };
}
