import type { NewNotice } from '../purchasing/model/outbox.ts';
import { OPEN_STATES } from '../purchasing/model/purchase.ts';
import type { Outbox } from '../purchasing/ports/outbox.ts';
import { hasEnded } from './leases.ts';
import { text, toNotice } from './rows.ts';
import { anyOf, type Database, list, one, type Params, runOne, type Sql } from './sql.ts';

/** The outbox: messages owed, and messages posted that are kept up to date. */
export function createOutbox(database: Database): Outbox {
  return {
    owe: (notice, purchaseId, batchId) =>
      database.write((sql) => insertNotice(sql, notice, purchaseId, batchId ?? null)),

    async leaseNotices(limit, leaseMs) {
      const due = `pending = 1 AND due_at <= :now AND ${hasEnded('claimed_until')}`;
      const look = async (sql: Sql) =>
        one(sql, `SELECT 1 AS due FROM notices WHERE ${due} LIMIT 1`, { now: await sql.now() });
      // Every process looks every second: without a lock, as long as there is nothing.
      if (!(await database.read(look))) return [];
      return database.write(async (sql) => {
        const now = await sql.now();
        // Sorted out of those that are due: the table in order of its ids holds everything that was ever told.
        const rows = await sql.all(`SELECT * FROM notices WHERE ${due} ORDER BY +id LIMIT :limit`, { now, limit });
        const until = now + leaseMs;
        for (const row of rows)
          await runOne(sql, 'UPDATE notices SET claimed_until = :until WHERE id = :id', {
            id: row['id'] ?? null,
            until,
          });
        return rows.map((row) => toNotice({ ...row, claimed_until: until }));
      });
    },

    noticeShown: ({ id, leasedUntil, revision }, place, version) =>
      database.write(async (sql) =>
        runOne(
          sql,
          // What has changed since it was drawn is drawn next. So is what two have drawn side by side, since a lease ran out: the
          // second lease ends here too, and its holder finds the same.
          `UPDATE notices SET channel = :channel, ts = :ts, claimed_until = 0, attempts = 0, failed = NULL, due_at = :now,
             done = CASE WHEN :done = 1 THEN 1 ELSE done END,
             pending = CASE WHEN :done = 0 AND (claimed_until <> :claimed_until OR revision <> :revision
               OR ${CHANGED_SINCE}) THEN 1 ELSE 0 END
           WHERE id = :id`,
          {
            id,
            channel: place.channel,
            ts: place.ts,
            version: version ?? 0,
            done: version === null ? 1 : 0,
            revision,
            claimed_until: leasedUntil,
            now: await sql.now(),
          },
        ),
      ),

    noticeFailed: (id, why, retryAt) =>
      database.write((sql) =>
        runOne(
          sql,
          `UPDATE notices SET failed = :why, attempts = attempts + 1, claimed_until = 0,
             due_at = COALESCE(:retry_at, due_at),
             done = CASE WHEN :retry_at IS NULL THEN 1 ELSE done END, pending = CASE WHEN :retry_at IS NULL OR done = 1 THEN 0 ELSE 1 END
           WHERE id = :id`,
          { id, why, retry_at: retryAt },
        ),
      ),

    noticeLost: ({ id, leasedUntil }) =>
      database.write(async (sql) => {
        await sql.run(
          `UPDATE notices SET channel = NULL, ts = NULL, claimed_until = 0, attempts = 0, failed = NULL, pending = 1
           WHERE id = :id AND claimed_until = :claimed_until`,
          { id, claimed_until: leasedUntil },
        );
      }),

    noticeBegun: ({ id, leasedUntil }) =>
      database.write(async (sql) => {
        const begun = await sql.run(
          'UPDATE notices SET done = 1, pending = 0 WHERE id = :id AND done = 0 AND claimed_until = :claimed_until',
          { id, claimed_until: leasedUntil },
        );
        return begun === 1;
      }),

    noticeNotDone: (id, why, retryAt) =>
      database.write((sql) =>
        runOne(
          sql,
          `UPDATE notices SET done = 0, pending = 1, failed = :why, attempts = attempts + 1, claimed_until = 0, due_at = :retry_at
           WHERE id = :id`,
          { id, why, retry_at: retryAt },
        ),
      ),

    noticeSplit: (notice, users, { open, version }) =>
      database.write(async (sql) => {
        for (const user of users)
          await insertNotice(
            sql,
            { ...notice, key: `${notice.key}:${user}`, audience: `user:${user}` },
            notice.purchaseId,
            notice.batchId,
          );
        await runOne(
          sql,
          `UPDATE notices SET done = :done, claimed_until = 0, attempts = 0, failed = NULL,
             pending = CASE WHEN :done = 0 AND ${CHANGED_SINCE} THEN 1 ELSE 0 END
           WHERE id = :id`,
          { id: notice.id, done: open ? 0 : 1, version },
        );
      }),

    async redrawOpen(shownForMs) {
      const idle = 'n.done = 0 AND n.pending = 0';
      const look = async (sql: Sql) =>
        sql.all(
          `SELECT n.id FROM purchases p JOIN notices n ON n.purchase_id = p.id
           WHERE p.state IN (${list(OPEN_STATES)}) AND ${idle} AND (n.ts IS NULL OR n.due_at <= :before)
           UNION SELECT n.id FROM purchases p JOIN notices n ON n.batch_id = p.batch_id
           WHERE p.state IN (${list(OPEN_STATES)}) AND ${idle} AND (n.ts IS NULL OR n.due_at <= :before)
           UNION SELECT n.id FROM notices n WHERE n.purchase_id IS NULL AND n.batch_id IS NULL AND ${idle} AND n.ts IS NULL`,
          { before: (await sql.now()) - shownForMs },
        );
      // Mostly there is nothing: no lock for that.
      const found = await database.read(look);
      if (found.length === 0) return;
      await database.write(async (sql) => {
        for (const { id = null } of found)
          await sql.run('UPDATE notices SET pending = 1 WHERE id = :id AND done = 0', { id });
      });
    },

    undecidedFor: (ms) =>
      database.read(async (sql) => {
        const now = await sql.now();
        const waiting = "p.state = 'requested' AND p.created_at <= :before";
        const rows = await sql.all(
          `SELECT p.id, 0 AS is_batch, p.created_at, p.seq, n.key AS owed_key
           FROM purchases p LEFT JOIN notices n ON n.purchase_id = p.id WHERE ${waiting} AND p.batch_id IS NULL
           UNION ALL SELECT p.batch_id, 1, p.created_at, p.seq, n.key
           FROM purchases p LEFT JOIN notices n ON n.batch_id = p.batch_id WHERE ${waiting} AND p.batch_id IS NOT NULL AND NOT EXISTS (
             -- The first row that waits stands for all.
             SELECT 1 FROM purchases w WHERE w.batch_id = p.batch_id AND w.batch_place < p.batch_place AND w.state = 'requested')
           ORDER BY 4`,
          { before: now - ms },
        );
        const requests = Array.from(
          Map.groupBy(rows, (row) => text(row, 'id')),
          ([id, of]) => {
            const { is_batch = 0, created_at = now } = of[0] ?? {};
            const owed = new Set(of.map((row) => String(row['owed_key'])));
            return { id, isBatch: is_batch === 1, createdAt: Number(created_at), owed };
          },
        );
        return { now, requests };
      }),

    noticeOf: (key) =>
      database.read(async (sql) => {
        const row = await one(sql, 'SELECT * FROM notices WHERE key = :key', { key });
        return row && toNotice(row);
      }),

    noticeAt: ({ channel, ts }) =>
      database.read(async (sql) => {
        const row = await one(sql, 'SELECT * FROM notices WHERE channel = :channel AND ts = :ts', { channel, ts });
        return row && toNotice(row);
      }),

    placesOf: (id) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          'SELECT * FROM notices WHERE (purchase_id = :id OR batch_id = :id) AND ts IS NOT NULL ORDER BY id',
          { id },
        );
        return rows.map(toNotice);
      }),
  };
}

/** Owes again whatever belongs to open purchases, and every split that is open: also what is being drawn at this moment. */
export async function redrawOpenNow(sql: Sql): Promise<void> {
  await sql.run(
    `UPDATE notices SET pending = 1, revision = revision + 1 WHERE done = 0 AND (
       purchase_id IN (SELECT id FROM purchases WHERE state IN (${list(OPEN_STATES)}))
       OR batch_id IN (SELECT batch_id FROM purchases WHERE state IN (${list(OPEN_STATES)}))
       OR (purchase_id IS NULL AND batch_id IS NULL AND ts IS NULL))`,
  );
  // A backup is frozen as well, which may be of an earlier schema: that has no falls, nor where they are said to be known.
  if (!(await one(sql, `SELECT 1 AS told FROM notices WHERE kind = 'fall' AND done = 0 LIMIT 1`))) return;
  await sql.run(
    `UPDATE notices SET pending = 1, revision = revision + 1 WHERE kind = 'fall' AND done = 0 AND NOT EXISTS (
       SELECT 1 FROM entries WHERE kind = 'fall_known' AND reading IS NOT NULL AND CAST(reading AS TEXT) = notices.text)`,
  );
}

/** What tells of this person's requests that nobody has decided is drawn again. */
export function redrawRequested(sql: Sql, person: string): Promise<void> {
  return redrawOf(sql, `requester_person = :person AND state = 'requested'`, { person });
}

/** What tells of the purchases for which the condition holds, or of their batches. */
async function redrawOf(sql: Sql, condition: string, params: Params): Promise<void> {
  for (const [notice, purchase] of [
    ['purchase_id', 'id'],
    ['batch_id', 'batch_id'],
  ])
    await sql.run(
      `UPDATE notices SET pending = 1, revision = revision + 1 WHERE done = 0 AND ${notice} IN (
         SELECT ${purchase} FROM purchases WHERE ${condition})`,
      params,
    );
}

/** A line of a reminder changes no more when its end is so long over. */
const LINES_CHANGE_FOR_MS = 8 * 24 * 60 * 60 * 1_000;

/** What was told of orders that end, or have just ended, is drawn again, and so is what is asked about a renewal of them. */
export async function redrawOrders(sql: Sql, orderIds: readonly string[]): Promise<void> {
  const { list: ids, params } = anyOf(orderIds);
  await redrawOf(sql, `order_id IN (${ids}) AND kind = 'renew' AND state IN (${list(OPEN_STATES)})`, params);
  await sql.run(
    `UPDATE notices SET pending = 1, revision = revision + 1 WHERE kind = 'ending' AND done = 0 AND text IN (
       SELECT reminder FROM order_reminders WHERE order_id IN (${ids}) AND reminder IS NOT NULL AND ends_at > :since)`,
    { ...params, since: (await sql.now()) - LINES_CHANGE_FOR_MS },
  );
}

/** The purchase, or the batch, is newer than what was shown of it. */
const CHANGED_SINCE = `(EXISTS (SELECT 1 FROM purchases p WHERE p.id = purchase_id AND p.version > :version)
  OR (SELECT SUM(p.version) FROM purchases p WHERE p.batch_id = notices.batch_id) > :version)`;

/** One notice for one key: a second is no error, and changes nothing. It is due at once, also when the clock is set back. */
export async function insertNotice(
  sql: Sql,
  notice: NewNotice,
  purchaseId: string | null,
  batchId: string | null = null,
): Promise<void> {
  const inserted = await sql.run(
    `INSERT INTO notices (key, purchase_id, batch_id, kind, audience, about, text, by, created_at, due_at)
     VALUES (:key, :purchase_id, :batch_id, :kind, :audience, :about, :text, :by, :now, 0) ON CONFLICT (key) DO NOTHING`,
    {
      key: notice.key,
      purchase_id: purchaseId,
      batch_id: batchId,
      kind: notice.kind,
      audience: notice.audience,
      about: notice.about,
      text: notice.text,
      by: notice.by,
      now: await sql.now(),
    },
  );
  // What goes under the card goes under one that stands: it is drawn before, and posted anew where somebody has deleted it.
  if (inserted === 1 && notice.audience === 'thread')
    await sql.run(
      `UPDATE notices SET pending = 1 WHERE done = 0
         AND ((purchase_id = :purchase AND kind = 'card') OR (batch_id = :batch AND kind = 'batch_card'))`,
      { purchase: purchaseId, batch: batchId },
    );
}
