import { type Link, pricedOf } from '../purchasing/model/account.ts';
import type { Money } from '../purchasing/model/money.ts';
import type { Purchase } from '../purchasing/model/purchase.ts';
import type { NewReading, Ticket } from '../purchasing/ports/account.ts';
import { nextLink, type SentFacts } from '../purchasing/rules/chain.ts';
import { standingOf } from '../purchasing/rules/movements.ts';
import { observe } from '../purchasing/rules/prices.ts';
import { isFrozenGoneBack, wentBackAt } from './gone-back.ts';
import { json, unbooked } from './json-columns.ts';
import { observedPrices } from './prices.ts';
import { number, text, toPurchase } from './rows.ts';
import { anyOf, insertRows, one, type Row, runOne, type Sql } from './sql.ts';

// How a balance reading becomes a link of the chain, in the transaction that writes it.

/** Before the first link nothing is known: what was sent so shortly before, by an earlier version too, may not be booked yet. */
const SENT_BEFORE_FIRST_MS = 60 * 60_000;
const SENT_BEFORE_FIRST_AT_MOST = 20;

export const LINKS = 'SELECT * FROM balance_readings WHERE unbooked IS NOT NULL';

export function toLink(row: Row): Link {
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    balance: text(row, 'balance') as Money,
    keptAfter: number(row, 'kept_after'),
    unbooked: json(row, 'unbooked', unbooked),
  };
}

export async function firstLink(sql: Sql): Promise<Link | null> {
  const row = await one(sql, `${LINKS} ORDER BY seq LIMIT 1`);
  return row ? toLink(row) : null;
}

export async function lastLink(sql: Sql): Promise<Link | null> {
  const row = await one(sql, `${LINKS} ORDER BY seq DESC LIMIT 1`);
  return row ? toLink(row) : null;
}

/** What has been written last, of entries and of readings. */
export async function lastWritten(sql: Sql): Promise<Pick<Ticket, 'entry' | 'reading'>> {
  const row = await one(
    sql,
    `SELECT (SELECT COALESCE(MAX(seq), 0) FROM entries) AS entry, (SELECT COALESCE(MAX(seq), 0) FROM balance_readings) AS reading`,
  );
  return { entry: number(row ?? {}, 'entry'), reading: number(row ?? {}, 'reading') };
}

/** @returns whether it is a link. */
export async function keepReading(sql: Sql, ticket: Ticket, { balance, asker, taken }: NewReading): Promise<boolean> {
  const at = await sql.now();
  const last = await lastWritten(sql);
  const previous = await lastLink(sql);
  const reading = {
    balance,
    asker,
    asked_at: ticket.askedAt,
    at,
    asked_after: Math.min(ticket.entry, last.entry),
    kept_after: last.entry,
  };
  // A ticket that is ahead of the ledger is of before it went back in time.
  const overlaps = previous !== null && (ticket.reading < previous.seq || ticket.reading > last.reading);
  if (overlaps) {
    await insertRows(sql, 'balance_readings', [{ ...reading, unbooked: null, changed_from: null, went_back: 0 }]);
    return false;
  }
  const started = previous ? await sentSince(sql, previous.keptAfter) : await sentLately(sql, at);
  const known = [...started, ...(previous?.unbooked ?? []).flatMap(({ id }) => id ?? [])];
  const sent = await sentFacts(sql, known);
  const linked = nextLink(
    previous,
    { balance, taken, askedAfter: reading.asked_after },
    {
      started,
      sent,
      wentBack: previous ? (await wentBackAt(sql, previous.keptAfter)) !== null : await isFrozenGoneBack(sql),
    },
  );
  const { change } = linked;
  await insertRows(sql, 'balance_readings', [
    {
      ...reading,
      unbooked: JSON.stringify(linked.unbooked),
      changed_from: change && previous ? previous.seq : null,
      went_back: change?.wentBack ? 1 : 0,
    },
  ]);
  const { reading: seq } = await lastWritten(sql);
  const candidates = (change?.purchases ?? []).map((id) => ({ reading: seq, purchase_id: id }));
  await insertRows(sql, 'balance_change_purchases', candidates);
  for (const { id, cost } of linked.observed) {
    const purchase = sent.get(id)?.purchase;
    if (purchase) await learn(sql, purchase, cost, at);
  }
  return true;
}

async function sentSince(sql: Sql, entry: number): Promise<readonly string[]> {
  // In the order of the index: in another, the database would rather read every entry there is.
  const rows = await sql.all(
    `SELECT purchase_id FROM entries WHERE to_state = 'sending' AND seq > :entry ORDER BY seq`,
    { entry },
  );
  return [...new Set(rows.map((row) => text(row, 'purchase_id')))];
}

async function sentLately(sql: Sql, now: number): Promise<readonly string[]> {
  const rows = await sql.all(
    `SELECT purchase_id, at FROM entries WHERE to_state = 'sending' ORDER BY seq DESC LIMIT :limit`,
    { limit: SENT_BEFORE_FIRST_AT_MOST },
  );
  const lately = rows.filter((row) => number(row, 'at') > now - SENT_BEFORE_FIRST_MS);
  return [...new Set(lately.map((row) => text(row, 'purchase_id')))];
}

type SentPurchase = SentFacts & { readonly purchase: Purchase };

async function sentFacts(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, SentPurchase>> {
  const { list, params } = anyOf(ids, 'id');
  const rows = await sql.all(
    `SELECT p.*, ${READINGS_DUE} AS readings_due,
       (SELECT MIN(e.seq) FROM entries e WHERE e.purchase_id = p.id AND (e.kind = 'answer' OR e.from_state = 'sending')
          AND e.seq > (SELECT MAX(s.seq) FROM entries s WHERE s.purchase_id = p.id AND s.to_state = 'sending')) AS ended_by
     FROM purchases p WHERE p.id IN (${list})`,
    params,
  );
  return new Map(
    rows.map((row) => {
      const purchase = toPurchase(row);
      const { id, state } = purchase;
      const standing = standingOf({ state, readingsDue: Boolean(row['readings_due']) });
      const endedBy = row['ended_by'] === null ? null : number(row, 'ended_by');
      return [id, { purchase, standing, completed: state === 'completed', endedBy }];
    }),
  );
}

/** Of a purchase `p`. */
export const READINGS_DUE = '(EXISTS (SELECT 1 FROM readings r WHERE r.purchase_id = p.id))';

async function learn(sql: Sql, purchase: Purchase, cost: Money, at: number) {
  const priced = pricedOf(purchase);
  const { kind, productId, basket } = priced;
  const known = await observedPrices(sql, priced);
  for (const [country, price] of observe(known, { basket, cost, at })) {
    const key = { kind, product_id: productId, country };
    if (price === null)
      await runOne(
        sql,
        'DELETE FROM observed_prices WHERE kind = :kind AND product_id = :product_id AND country = :country',
        key,
      );
    else
      await runOne(
        sql,
        `INSERT INTO observed_prices (kind, product_id, country, amount, divisor, since, latest, observations)
         VALUES (:kind, :product_id, :country, :amount, :divisor, :since, :latest, :observations)
         ON CONFLICT (kind, product_id, country) DO UPDATE SET amount = excluded.amount, divisor = excluded.divisor,
           since = excluded.since, latest = excluded.latest, observations = excluded.observations`,
        {
          ...key,
          amount: price.each.amount,
          divisor: String(price.each.divisor),
          since: price.since,
          latest: price.latest,
          observations: price.observations,
        },
      );
  }
}
