import type { BatchRow } from '../purchasing/model/batch-change.ts';
import { NO_PRICE } from '../purchasing/model/cost.ts';
import { THE_BOT } from '../purchasing/model/entries.ts';
import { type FreezeChange, GONE_BACK } from '../purchasing/model/freeze.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import { OPEN_STATES } from '../purchasing/model/purchase.ts';
import type { LaneView, Ledger } from '../purchasing/ports/ledger.ts';
import { freezeNow } from '../purchasing/rules/freezing.ts';
import { insertBatch, readAsked, readBatch, readBatchRecord } from './batches.ts';
import { compareAndSet, insertPurchase, putBack, readFreeze, setFreeze } from './changes.ts';
import { deliveredBefore, keepClick, refuseClick } from './clicks.ts';
import {
  batchFilingFacts,
  buyerFacts,
  changeFacts,
  filingFacts,
  freezeFacts,
  keptBy,
  LAST_SENDING,
  latestOf,
  othersOf,
} from './facts.ts';
import { distrustWhatWasOpen, freezeGoneBack, isFrozenGoneBack } from './gone-back.ts';
import { orderFacts } from './order-facts.ts';
import { refreshOrders } from './orders.ts';
import { insertNotice } from './outbox.ts';
import { expectedCost } from './prices.ts';
import { readRecord, talkAbout } from './records.ts';
import { number, text, textOrNull, toPurchase } from './rows.ts';
import { costOf } from './spending.ts';
import { type Database, list, one, paged, type Sql, sifted } from './sql.ts';

/** The ledger on any database that keeps the promises of {@link Database}; every statement stands once, here and beside. */
export function createLedger(database: Database): Ledger {
  return {
    now: () => database.read((sql) => sql.now()),

    file: (subject, decide) =>
      database.write(async (sql) => {
        const facts = await filingFacts(sql, subject);
        const { result, file, click } = decide(facts);
        if (file) await insertPurchase(sql, file, facts.now);
        await keepClick(sql, subject.click, click);
        return result;
      }),

    fileBatch: (subject, decide) =>
      database.write(async (sql) => {
        const facts = await batchFilingFacts(sql, subject);
        const { result, file, click } = decide(facts);
        if (file) await insertBatch(sql, file, (row) => insertPurchase(sql, row, facts.now));
        await keepClick(sql, subject.click, click);
        return result;
      }),

    batchFilingFacts: (subject) => database.read((sql) => batchFilingFacts(sql, subject)),

    changeBatch: (id, decide, subject = {}) =>
      database.write(async (sql) => {
        const batch = await readBatch(sql, id);
        if (!batch) return undefined;
        const rows: BatchRow[] = [];
        for (const purchase of batch.rows) rows.push({ purchase, facts: await changeFacts(sql, purchase, subject) });
        const change = decide(rows);
        for (const { purchase, facts } of rows) {
          const own = change.changes.get(purchase.id);
          if (own) await compareAndSet(sql, purchase, own, facts.now);
        }
        for (const notice of change.notices ?? []) await insertNotice(sql, notice, null, id);
        await keepClick(sql, subject.click, change.click);
        return change.result;
      }),

    talk: (id, decide, click) =>
      database.write(async (sql) => {
        const asked = await readAsked(sql, id);
        const first = asked?.about.rows[0];
        if (!asked || !first) return undefined;
        const now = await sql.now();
        const talk = await talkAbout(sql, first.id);
        const { notices = [], ...said } = decide(asked.about, {
          now,
          talk,
          deliveredBefore: await deliveredBefore(sql, click),
        });
        await compareAndSet(sql, first, said, now);
        for (const notice of notices) await insertNotice(sql, notice, asked.purchaseId, asked.batchId);
        await keepClick(sql, click, said.click);
        return said.result;
      }),

    filingFacts: (subject) => database.read((sql) => filingFacts(sql, subject)),

    change: (id, decide, subject = {}) =>
      database.write(async (sql) => {
        const find = () => one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
        let row = await find();
        if (!row && subject.lost) {
          await putBack(sql, subject.lost, await sql.now());
          row = await find();
        }
        if (!row) return undefined;
        const purchase = toPurchase(row);
        const facts = await changeFacts(sql, purchase, subject);
        const change = decide(purchase, facts);
        const gone = change.wentBack !== undefined && !(await isFrozenGoneBack(sql));
        // Frozen first: what is older than the freeze is distrusted, and this change is not.
        if (gone) await freezeGoneBack(sql, `${GONE_BACK.answer}${change.wentBack}`);
        await compareAndSet(sql, purchase, change, facts.now);
        if (gone) await distrustWhatWasOpen(sql);
        if (change.freeze) {
          const { reason, occasion } = change.freeze;
          await applyFreeze(sql, freezeNow(await freezeFacts(sql, undefined), THE_BOT, reason, occasion));
        }
        await keepClick(sql, subject.click, change.click);
        if (change.to === 'completed' || change.set?.orderId !== undefined) await refreshOrders(sql);
        return change.result;
      }),

    refuseClick: (id) => database.write((sql) => refuseClick(sql, id)),

    record: (id) => database.read((sql) => readRecord(sql, id)),
    batch: (id) => database.read((sql) => readBatchRecord(sql, id)),
    sides: (id) =>
      database.read(async (sql) => {
        const row = await one(sql, 'SELECT requester, submission, order_id FROM purchases WHERE id = :id', { id });
        if (!row) {
          const batch = await one(sql, 'SELECT requester FROM batches WHERE id = :id', { id });
          return batch && { requester: text(batch, 'requester'), keptBy: null };
        }
        const orderId = textOrNull(row, 'order_id') as OrderId | null;
        const of = { id, submission: text(row, 'submission'), orderId };
        return { requester: text(row, 'requester'), keptBy: await keptBy(sql, of) };
      }),

    firstApprover: (id) =>
      database.read(async (sql) => {
        const row = await one(sql, 'SELECT first_approver FROM purchases WHERE id = :id', { id });
        return row ? textOrNull(row, 'first_approver') : null;
      }),
    others: (purchase, dollars) =>
      database.read(async (sql) => {
        const { id, requesterPerson } = purchase;
        return {
          others: await othersOf(sql, id, [requesterPerson], await sql.now(), dollars),
          cost: dollars ? await costOf(sql, purchase) : NO_PRICE,
        };
      }),
    expectedCost: (of) => database.read((sql) => expectedCost(sql, of)),

    lane: () => database.read(readLane),

    overdue: (graceMs) =>
      database.read(async (sql) => {
        return paged(
          sql,
          `SELECT * FROM purchases WHERE ${sifted('seq > :after')} AND ((state = 'requested' AND expires_at <= :now)
             OR (state = 'approved' AND send_by <= :now)
             OR (state = 'sending' AND attempt_deadline + :grace <= :now))
           ORDER BY seq LIMIT :page`,
          { now: await sql.now(), grace: graceMs },
          toPurchase,
        );
      }),

    open: () =>
      database.read((sql) =>
        paged(
          sql,
          `SELECT * FROM purchases WHERE state IN (${list(OPEN_STATES)}) AND seq > :after ORDER BY seq LIMIT :page`,
          {},
          toPurchase,
        ),
      ),
    outcomesOf: (ids, limit) =>
      database.read((sql) =>
        latestOf(sql, ids, `state NOT IN (${list(OPEN_STATES)}) AND (batch_place IS NULL OR batch_place = 0)`, limit),
      ),
    buyerFacts: (ids) => database.read((sql) => buyerFacts(sql, ids)),
    order: (orderId) => database.read((sql) => orderFacts(sql, orderId)),
    freeze: () => database.read(readFreeze),

    changeFreeze: (decide, click) =>
      database.write(async (sql) => {
        const change = decide(await freezeFacts(sql, click));
        await applyFreeze(sql, change);
        await keepClick(sql, click, change.click);
        return change.result;
      }),
  };
}

async function applyFreeze(sql: Sql, { to, by, notice }: FreezeChange<unknown>): Promise<void> {
  if (to !== undefined) await setFreeze(sql, to, by);
  if (notice) await insertNotice(sql, notice, null);
}

/** A row of a batch waits while the outcome of another is unknown; it does not stand in the way of anybody else. */
const NOT_HELD = ` AND NOT EXISTS (
          SELECT 1 FROM purchases held WHERE held.batch_id = purchases.batch_id AND held.state = 'unknown')`;

/**
 * One statement, which sees one moment in both databases. Read one after the other, a purchase that another process sends in between
 * would be in `lastSending` and not in `sending`: a balance that was read while it was sent would pass for the one that it left behind.
 */
async function readLane(sql: Sql): Promise<LaneView> {
  const rows = await sql.all(
    `SELECT d.frozen_at, EXISTS (SELECT 1 FROM readings WHERE nth = 0) AS first_reading_due, ${LAST_SENDING} AS last_sending, p.*
     FROM desk d LEFT JOIN purchases p ON p.id IN (
       (SELECT id FROM purchases WHERE state = 'sending'),
       (SELECT id FROM purchases WHERE state = 'approved' AND send_by > :now AND COALESCE(send_after, 0) <= :now${NOT_HELD}
        ORDER BY COALESCE(send_after, changed_at), seq LIMIT 1))
     WHERE d.id = 1`,
    { now: await sql.now() },
  );
  const [desk] = rows;
  if (!desk) throw new Error('the desk row is missing');
  const purchases = rows.filter(({ id }) => id !== null).map(toPurchase);
  return {
    sending: purchases.find(({ state }) => state === 'sending') ?? null,
    next: purchases.find(({ state }) => state === 'approved') ?? null,
    frozen: desk['frozen_at'] !== null,
    firstReadingDue: Boolean(desk['first_reading_due']),
    lastSending: number(desk, 'last_sending'),
  };
}
