import type { Change } from '../purchasing/model/change.ts';
import type { NewEntry } from '../purchasing/model/entries.ts';
import type { NewPurchase } from '../purchasing/model/filing.ts';
import type { Freeze } from '../purchasing/model/freeze.ts';
import { OPEN_STATES, type Purchase, STATES, type State } from '../purchasing/model/purchase.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import { changeFacts, filingFacts, lastSending, orderFacts, readFreeze } from './facts.ts';
import { insertNotice, redrawOpenNow } from './outbox.ts';
import { readRecord } from './records.ts';
import { changeable, fromNewPurchase, number, toPurchase } from './rows.ts';
import { type Database, list, one, runOne, type Sql } from './sql.ts';

/** The ledger on any database that keeps the promises of {@link Database}; every statement stands once, here and beside. */
export function createLedger(database: Database): Ledger {
  const purchasesWhere = (condition: string, params: Record<string, string | number> = {}) =>
    database.read(async (sql) => (await sql.all(`SELECT * FROM purchases WHERE ${condition}`, params)).map(toPurchase));

  return {
    now: () => database.read((sql) => sql.now()),

    file: (subject, decide) =>
      database.write(async (sql) => {
        const facts = await filingFacts(sql, subject);
        const { result, file } = decide(facts);
        if (file) await insertPurchase(sql, file, facts.now);
        return result;
      }),

    filingFacts: (subject) => database.read((sql) => filingFacts(sql, subject)),

    change: (id, decide, orderIdCandidate) =>
      database.write(async (sql) => {
        const row = await one(sql, 'SELECT * FROM purchases WHERE id = :id', { id });
        if (!row) return undefined;
        const purchase = toPurchase(row);
        const facts = await changeFacts(sql, purchase, orderIdCandidate);
        const change = decide(purchase, facts);
        if (await claimReading(sql, id, change.taken)) await compareAndSet(sql, purchase, change, facts.now);
        return change.result;
      }),

    record: (id) => database.read((sql) => readRecord(sql, id)),

    lane: () =>
      database.read(async (sql) => {
        const sending = await one(sql, `SELECT * FROM purchases WHERE state = 'sending'`);
        const next = await one(
          sql,
          `SELECT * FROM purchases WHERE state = 'approved' AND send_by > :now AND COALESCE(send_after, 0) <= :now
           ORDER BY changed_at, seq LIMIT 1`,
          { now: await sql.now() },
        );
        const due = await one(sql, 'SELECT 1 AS due FROM readings WHERE nth = 0 LIMIT 1');
        return {
          sending: sending ? toPurchase(sending) : null,
          next: next ? toPurchase(next) : null,
          frozen: (await readFreeze(sql)) !== null,
          firstReadingDue: due !== undefined,
          lastSending: await lastSending(sql),
        };
      }),

    overdue: (graceMs) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          `SELECT * FROM purchases WHERE (state = 'requested' AND expires_at <= :now)
             OR (state = 'approved' AND send_by <= :now)
             OR (state = 'sending' AND attempt_deadline + :grace <= :now)
           ORDER BY seq`,
          { now: await sql.now(), grace: graceMs },
        );
        return rows.map(toPurchase);
      }),

    open: () => purchasesWhere(`state IN (${list(OPEN_STATES)}) ORDER BY seq`),
    completed: (limit) =>
      purchasesWhere(`state = 'completed' ORDER BY changed_at DESC, seq DESC LIMIT :limit`, { limit }),
    order: (orderId) => database.read((sql) => orderFacts(sql, orderId)),
    countByState: () =>
      database.read(async (sql) => {
        const rows = await sql.all('SELECT state, COUNT(*) AS count FROM purchases GROUP BY state');
        const counts = new Map(rows.map((row) => [row['state'], number(row, 'count')]));
        return Object.fromEntries(STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<State, number>;
      }),
    freeze: () => database.read(readFreeze),

    setFreeze: (reason, by, notice) =>
      database.write(async (sql) => {
        const was = await readFreeze(sql);
        if ((was === null) === (reason === null)) return was;
        await setFreeze(sql, reason === null ? null : { reason, by, at: await sql.now() }, by);
        await insertNotice(sql, notice, null);
        return was;
      }),
  };
}

/** Writes the freeze and its entry; the messages of what is open show it. */
export async function setFreeze(sql: Sql, to: Freeze | null, by: string): Promise<void> {
  await runOne(sql, 'UPDATE desk SET frozen_by = :by, frozen_reason = :reason, frozen_at = :at WHERE id = 1', {
    by: to?.by ?? null,
    reason: to?.reason ?? null,
    at: to?.at ?? null,
  });
  await runOne(
    sql,
    `INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
     VALUES (NULL, :at, :by, NULL, NULL, :kind, :detail)`,
    {
      at: await sql.now(),
      by,
      kind: to ? 'frozen' : 'unfrozen',
      detail: JSON.stringify(to ? { reason: to.reason } : {}),
    },
  );
  await redrawOpenNow(sql);
}

async function insertPurchase(sql: Sql, purchase: NewPurchase, now: number): Promise<void> {
  const row = fromNewPurchase(purchase, now);
  const columns = Object.keys(row);
  await runOne(
    sql,
    `INSERT INTO purchases (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
    row,
  );
  for (const notice of purchase.notices) await insertNotice(sql, notice, purchase.id);
}

/** The first to record a reading has it; another process that took the same one writes nothing. */
async function claimReading(sql: Sql, id: string, nth: number | undefined): Promise<boolean> {
  if (nth === undefined) return true;
  return (await sql.run('DELETE FROM readings WHERE purchase_id = :id AND nth = :nth', { id, nth })) === 1;
}

/** Entries first, then the transition, whose own entry a trigger writes. The state and version that were read must still stand. */
async function compareAndSet(sql: Sql, purchase: Purchase, change: Change<unknown>, now: number): Promise<void> {
  const { id } = purchase;
  if (change.to === purchase.state) throw new Error(`no such transition: ${change.to} to itself`);
  for (const entry of change.entries ?? []) await insertEntry(sql, id, entry, now);

  if (change.to !== undefined || change.set !== undefined || (change.entries ?? []).some(isSeen)) {
    await runOne(
      sql,
      `UPDATE purchases SET
         state = :to, version = version + 1, changed_at = :changed_at, changed_by = :by, evidence = :evidence,
         approver = :approver, order_id = :order_id, send_by = :send_by, send_after = :send_after, attempt = :attempt,
         attempt_deadline = :attempt_deadline, declined_how = :declined_how, why = :why
       WHERE id = :id AND state = :from AND version = :version`,
      {
        ...changeable(purchase, change.set ?? {}),
        id,
        from: purchase.state,
        version: purchase.version,
        to: change.to ?? purchase.state,
        changed_at: change.to === undefined ? purchase.changedAt : now,
        by: change.by,
        evidence: JSON.stringify(change.evidence ?? {}),
      },
    );
    await sql.run('UPDATE notices SET pending = 1 WHERE purchase_id = :id AND done = 0', { id });
  }
  for (const notice of change.notices ?? []) await insertNotice(sql, notice, id);
  if (change.readings) {
    await sql.run('DELETE FROM readings WHERE purchase_id = :id', { id });
    for (const { nth, dueAt } of change.readings)
      await runOne(sql, 'INSERT INTO readings (purchase_id, nth, due_at) VALUES (:id, :nth, :due_at)', {
        id,
        nth,
        due_at: dueAt,
      });
  }
}

/** Whether the posted messages show it: a refused click or a look at the answer changes none of them. */
function isSeen({ detail }: NewEntry): boolean {
  return detail.kind !== 'refused' && detail.kind !== 'answer_opened';
}

async function insertEntry(sql: Sql, purchaseId: string, entry: NewEntry, now: number): Promise<void> {
  const { kind, ...detail } = entry.detail;
  await runOne(
    sql,
    `INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
     VALUES (:purchase_id, :at, :by, :from_state, :to_state, :kind, :detail)`,
    {
      purchase_id: purchaseId,
      at: now,
      by: entry.by,
      from_state: entry.from,
      to_state: entry.to,
      kind,
      detail: JSON.stringify(detail),
    },
  );
}
