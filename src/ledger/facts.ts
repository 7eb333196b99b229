import type { BatchFilingFacts, BatchSubject } from '../purchasing/model/batch-change.ts';
import type { ChangeFacts, ChangeSubject } from '../purchasing/model/change.ts';
import { NO_PRICE } from '../purchasing/model/cost.ts';
import { keptOf } from '../purchasing/model/entries.ts';
import { type BuyerFacts, type FilingFacts, type FilingSubject, isKept } from '../purchasing/model/filing.ts';
import type { FreezeFacts } from '../purchasing/model/freeze.ts';
import { placedOf } from '../purchasing/model/order.ts';
import { COUNTED_STATES, type Counted, type Purchase } from '../purchasing/model/purchase.ts';
import { saidLast } from '../purchasing/rules/orders.ts';
import { batchOf, siblingsOf } from './batches.ts';
import { readFreeze, toFreeze } from './changes.ts';
import { deliveredBefore } from './clicks.ts';
import { wentBackAt } from './gone-back.ts';
import { orderFacts } from './order-facts.ts';
import { expectedCost } from './prices.ts';
import { number, text, textOrNull, toCounted, toEntry, toPurchase, toTwin } from './rows.ts';
import { costOf, countedCosts, spentInMonth } from './spending.ts';
import { anyOf, list, one, pages, type Row, type Sql, sifted } from './sql.ts';

// What decisions are made on, read inside the transaction that writes them.

/** Limits and repeated content look back 24 hours, not a calendar day, which is shorter or longer when clocks are changed. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;

/** Each of the two by one index. */
const OPEN = 'closed_at IS NULL';
const CLOSED_SINCE = 'closed_at > :since';
/** Those of the last 24 h; open ones count however old they are: they may yet be spent, or may have been. */
const COUNTED = `state IN (${list(COUNTED_STATES)})`;

/** The entry with which a purchase, any purchase, last entered `sending`; 0 before the first. */
export const LAST_SENDING = `(SELECT COALESCE(MAX(seq), 0) FROM entries WHERE to_state = 'sending')`;

export async function filingFacts(sql: Sql, subject: FilingSubject): Promise<FilingFacts> {
  const now = await sql.now();
  const since = now - LOOK_BACK_MS;
  const { submission, contentKey, orderId, dollars, priced, requesterIds } = subject;
  const others = await countedOf(sql, requesterIds, since, dollars !== null);
  const filed = await one(sql, 'SELECT * FROM purchases WHERE submission = :submission', { submission });
  const twin = `SELECT seq, id, state, requester, changed_at, declined_how FROM purchases
       WHERE content_key = :content_key AND submission <> :submission`;
  const twins = await sql.all(
    // Each half by an index of its own, however often the same was bought before.
    `${twin} AND ${OPEN} UNION ALL ${twin} AND ${CLOSED_SINCE} ORDER BY seq DESC`,
    { content_key: contentKey, submission, since },
  );
  const order = orderId === null ? null : await orderFacts(sql, orderId);
  const basket = order ? (placedOf(order)?.basket ?? []) : priced.basket;
  return {
    now,
    filed: filed ? toPurchase(filed) : null,
    twins: twins.map(toTwin),
    counted: sumOf(others),
    others,
    order,
    cost: await expectedCost(sql, { ...priced, basket }),
    spent: dollars ? await spentInMonth(sql, now, dollars, requesterIds) : null,
    freeze: await readFreeze(sql),
    wentBackAt: isKept(subject) ? await wentBackAt(sql, 0) : null,
    deliveredBefore: await deliveredBefore(sql, subject.click),
  };
}

export async function batchFilingFacts(sql: Sql, { submission, click, rows }: BatchSubject): Promise<BatchFilingFacts> {
  const filed = await one(sql, 'SELECT * FROM batches WHERE submission = :submission', { submission });
  const facts: BatchFilingFacts['rows'][number][] = [];
  for (const row of rows) facts.push(await filingFacts(sql, row));
  return {
    now: await sql.now(),
    freeze: await readFreeze(sql),
    filed: (await batchOf(sql, filed)) ?? null,
    deliveredBefore: await deliveredBefore(sql, click),
    rows: facts,
  };
}

/** A person's purchases that count towards limits, the free allowance, and whether two people have to approve; oldest first. */
async function countedOf(
  sql: Sql,
  ids: readonly string[],
  since: number,
  dollars: boolean,
): Promise<readonly (Counted & { id: string })[]> {
  // What does not count dollars needs no more of them: somebody in a hurry has many, and their content is long.
  const columns = dollars ? '*' : 'id, seq, plan, quantity';
  const those = anyOf(ids, 'id');
  const theirs = `SELECT ${columns} FROM purchases WHERE requester_person IN (${those.list}) AND ${sifted('seq > :after')}`;
  const all = pages(
    sql,
    // Each half by an index of its own.
    `${theirs} AND ${OPEN} UNION ALL ${theirs} AND ${sifted(COUNTED)} AND ${CLOSED_SINCE} ORDER BY seq LIMIT :page`,
    { ...those.params, since },
  );
  const found: (Counted & { id: string })[] = [];
  for await (const rows of all) {
    const costs = dollars ? await countedCosts(sql, rows.map(toPurchase)) : [];
    for (const [index, row] of rows.entries())
      found.push({ id: text(row, 'id'), ...toCounted(row), cost: costs[index] ?? null });
  }
  return found;
}

/** The others among them, filed before and after this one. */
export async function othersOf(
  sql: Sql,
  id: string,
  ids: readonly string[],
  now: number,
  dollars: boolean,
): Promise<ChangeFacts['others']> {
  const all = await countedOf(sql, ids, now - LOOK_BACK_MS, dollars);
  const place = all.findIndex((other) => other.id === id);
  return all
    .map(({ plan, quantity, cost }, index) => ({ plan, quantity, cost, before: index < place }))
    .filter((_, index) => index !== place);
}

function sumOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** @param ids of one person */
export async function buyerFacts(sql: Sql, ids: readonly string[]): Promise<BuyerFacts> {
  const [last] = await latestOf(sql, ids, `kind = 'buy'`, 1);
  const counted = await countedOf(sql, ids, (await sql.now()) - LOOK_BACK_MS, false);
  return { counted: sumOf(counted), lastPlan: last?.plan ?? null };
}

/** A person's last purchases for which the condition holds. Each id is asked for by itself: so an index gives them, however many there are. */
export async function latestOf(
  sql: Sql,
  ids: readonly string[],
  condition: string,
  limit: number,
): Promise<readonly Purchase[]> {
  const found: Row[] = [];
  for (const id of ids)
    found.push(
      ...(await sql.all(
        `SELECT * FROM purchases WHERE requester_person = :id AND ${condition} ORDER BY seq DESC LIMIT :limit`,
        { id, limit },
      )),
    );
  return found
    .toSorted((a, b) => number(b, 'seq') - number(a, 'seq'))
    .slice(0, limit)
    .map(toPurchase);
}

/** The desk, and what else is known of others in one look. */
const BESIDE = `
  SELECT frozen_by, frozen_reason, frozen_at,
    EXISTS (SELECT 1 FROM purchases WHERE state = 'sending' AND id <> :id)
      OR EXISTS (SELECT 1 FROM readings WHERE nth = 0) AS lane_busy,
    EXISTS (SELECT 1 FROM entries WHERE to_state = 'sending' AND purchase_id <> :id AND seq > (
      SELECT MAX(seq) FROM entries WHERE ${sifted(`to_state = 'sending'`)} AND purchase_id = :id)) AS sent_since,
    ${LAST_SENDING} AS last_sending,
    (SELECT id FROM purchases WHERE kind = 'buy' AND order_id = :candidate) AS holder, twin.*
  FROM desk LEFT JOIN (
    SELECT id, state, requester, changed_at, declined_how FROM purchases
    WHERE content_key = :content_key AND ${OPEN} AND ${sifted(`state IN ('sending', 'unknown')`)} AND id <> :id ORDER BY seq LIMIT 1) twin ON TRUE
  WHERE desk.id = 1`;

export async function changeFacts(sql: Sql, purchase: Purchase, subject: ChangeSubject): Promise<ChangeFacts> {
  const now = await sql.now();
  const { id, contentKey } = purchase;
  const row = await one(sql, BESIDE, { id, candidate: subject.orderId ?? null, content_key: contentKey });
  const freeze = toFreeze(row);
  const facts = row ?? {};
  const requesterIds = [...new Set([purchase.requesterPerson, ...(subject.requesterIds ?? [])])];
  const { dollars = null } = subject;
  const others = isToBeSent(purchase) ? await othersOf(sql, id, requesterIds, now, dollars !== null) : [];
  return {
    now,
    freeze,
    laneBusy: Boolean(facts['lane_busy']),
    siblings: await siblingsOf(sql, purchase),
    twin: facts['id'] === null ? null : toTwin(facts),
    countedBefore: sumOf(others.filter(({ before }) => before)),
    others,
    cost: dollars ? await costOf(sql, purchase) : NO_PRICE,
    spent: dollars ? await spentInMonth(sql, now, dollars, requesterIds, id) : null,
    sentSince: Boolean(facts['sent_since']),
    lastSending: number(facts, 'last_sending'),
    orderIdHolder: textOrNull(facts, 'holder'),
    keptBy: await keptBy(sql, purchase),
    deliveredBefore: await deliveredBefore(sql, subject.click),
  };
}

/** Whether limits are still asked about; what was sent is not weighed any more. */
function isToBeSent({ state }: Purchase): boolean {
  return state === 'requested' || state === 'approved';
}

/** A purchase that was put back is not known to its first entry: then whoever said it last. */
export async function keptBy(
  sql: Sql,
  { id, submission, orderId }: Pick<Purchase, 'id' | 'submission' | 'orderId'>,
): Promise<string | null> {
  if (!isKept({ submission })) return null;
  const filed = await one(sql, 'SELECT * FROM entries WHERE purchase_id = :id ORDER BY seq LIMIT 1', { id });
  const kept = filed && keptOf({ entries: [toEntry(filed)] });
  if (kept) return kept.by;
  return orderId === null ? null : (saidLast(await orderFacts(sql, orderId))?.by ?? null);
}

export async function freezeFacts(sql: Sql, click: string | undefined): Promise<FreezeFacts> {
  return { now: await sql.now(), freeze: await readFreeze(sql), deliveredBefore: await deliveredBefore(sql, click) };
}
