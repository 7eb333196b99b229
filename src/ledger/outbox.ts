import type { NewNotice } from '../purchasing/model/outbox.ts';
import { OPEN_STATES } from '../purchasing/model/purchase.ts';
import type { Outbox, Undecided } from '../purchasing/ports/outbox.ts';
import { hasEnded } from './leases.ts';
import { number, text, textOrNull, toNotice } from './rows.ts';
import {
  AT_ONCE,
  anyOf,
  type Database,
  inParts,
  list,
  one,
  type Params,
  pages,
  type Row,
  runOne,
  type Sql,
  sifted,
} from './sql.ts';

/** The outbox: messages owed, and messages posted that are kept up to date. */
export function createOutbox(database: Database): Outbox {
  return {
    owe: (notice, purchaseId, batchId) =>
      database.write((sql) => insertNotice(sql, notice, purchaseId, batchId ?? null)),

    async leaseNotices(limit, leaseMs) {
      const due = `pending = 1 AND due_at <= :now AND ${hasEnded('claimed_until')}`;
      const look = async (sql: Sql) =>
        one(
          sql,
          `SELECT 1 AS due FROM desk WHERE id = 1 AND (redraw_after IS NOT NULL OR EXISTS (SELECT 1 FROM notices WHERE ${due}))`,
          { now: await sql.now() },
        );
      // Every process looks every second: without a lock, as long as there is nothing.
      while (await database.read(look)) {
        const leased = await database.write(async (sql) => {
          await redrawNext(sql);
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
        if (leased.length > 0) return leased;
      }
      return [];
    },

    noticeShown: ({ id, leasedUntil, revision, shown: before }, place, version, beside = false, shown = null) =>
      database.write(async (sql) =>
        runOne(
          sql,
          // What has changed since it was drawn is drawn next. So is what two have drawn side by side, since a lease ran out: the
          // second lease ends here too, and its holder finds the same. An edit that failed may still be taken, after this one. What was
          // only compared was last looked for in Slack when it was before.
          `UPDATE notices SET channel = :channel, ts = :ts, claimed_until = 0, attempts = 0, failed = NULL,
             due_at = CASE WHEN :stood = 1 THEN due_at ELSE :now END,
             shown = CASE WHEN claimed_until = :claimed_until AND revision = :revision AND attempts = 0 THEN :shown END,
             beside = :beside, done = CASE WHEN :done = 1 THEN 1 ELSE done END,
             pending = CASE WHEN :done = 0 AND (claimed_until <> :claimed_until OR revision <> :revision
               OR ${CHANGED_SINCE}) THEN 1 ELSE 0 END
           WHERE id = :id`,
          {
            id,
            channel: place.channel,
            ts: place.ts,
            version: version ?? 0,
            done: version === null ? 1 : 0,
            beside: beside ? 1 : 0,
            shown,
            stood: shown !== null && shown === before ? 1 : 0,
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
      const idle = 'done = 0 AND pending = 0';
      const found = await database.read(async (sql) => {
        const before = (await sql.now()) - shownForMs;
        const rows = await sql.all(
          `SELECT id FROM notices WHERE purchase_id IS NULL AND batch_id IS NULL AND ${idle} AND ts IS NULL`,
        );
        const ids = rows.map((row) => number(row, 'id'));
        for await (const page of pages(sql, OPEN, {}, { page: AT_ONCE })) {
          const { of, params } = noticesOf(page);
          const old = await sql.all(
            `SELECT id FROM notices WHERE ${of} AND ${idle} AND (ts IS NULL OR due_at <= :before)`,
            {
              ...params,
              before,
            },
          );
          ids.push(...old.map((row) => number(row, 'id')));
        }
        return ids;
      });
      // Mostly there is nothing: no lock for that. Else a short one for each part.
      for (const some of inParts(found)) {
        const { list: ids, params } = anyOf(some);
        await database.write((sql) =>
          sql.run(`UPDATE notices SET pending = 1, shown = NULL WHERE done = 0 AND id IN (${ids})`, params),
        );
      }
    },

    undecidedFor: (ms) =>
      database.read(async (sql) => {
        const now = await sql.now();
        const waiting = pages(
          sql,
          `SELECT p.id, p.batch_id, p.created_at, p.seq FROM purchases p
           WHERE p.state = 'requested' AND p.created_at <= :before AND p.seq > :after AND (p.batch_id IS NULL OR NOT EXISTS (
             -- The first row that waits stands for all.
             SELECT 1 FROM purchases w WHERE w.batch_id = p.batch_id AND w.batch_place < p.batch_place AND w.state = 'requested'))
           ORDER BY p.seq LIMIT :page`,
          { before: now - ms },
          { page: AT_ONCE },
        );
        const requests: Undecided[] = [];
        for await (const page of waiting) {
          const { of, params } = noticesOf(page);
          const owed = Map.groupBy(
            await sql.all(`SELECT key, purchase_id, batch_id FROM notices WHERE ${of}`, params),
            (row) => row['batch_id'] ?? row['purchase_id'],
          );
          for (const row of page) {
            const id = textOrNull(row, 'batch_id') ?? text(row, 'id');
            const keys = (owed.get(id) ?? []).map((notice) => text(notice, 'key'));
            requests.push({
              id,
              isBatch: row['batch_id'] !== null,
              createdAt: number(row, 'created_at'),
              owed: new Set(keys),
            });
          }
        }
        return { now, requests };
      }),

    noticeOf: (key) =>
      database.read(async (sql) => {
        const row = await one(sql, 'SELECT * FROM notices WHERE key = :key', { key });
        return row && toNotice(row);
      }),

    isPosting: () =>
      database.read(async (sql) => {
        const posting = `pending = 1 AND ts IS NULL AND NOT ${hasEnded('claimed_until')}`;
        const row = await one(sql, `SELECT 1 AS posting FROM notices WHERE ${posting} LIMIT 1`, {
          now: await sql.now(),
        });
        return row !== undefined;
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

/** A page of what is open, by its `seq`. @param condition what else has to hold */
const openWhere = (condition = '') => `SELECT id, batch_id, seq FROM purchases
  WHERE state IN (${list(OPEN_STATES)})${condition} AND ${sifted('seq > :after')} ORDER BY seq LIMIT :page`;
const OPEN = openWhere();

/** It is owed again, also where it is being drawn at this moment. */
const AGAIN = 'UPDATE notices SET pending = 1, revision = revision + 1 WHERE done = 0';

/** What tells of these purchases, or of the batches that they are in. */
function noticesOf(purchases: readonly Row[]): { readonly of: string; readonly params: Params } {
  const alone = anyOf(
    purchases.map((row) => text(row, 'id')),
    'purchase',
  );
  const together = anyOf([...new Set(purchases.flatMap((row) => textOrNull(row, 'batch_id') ?? []))], 'batch');
  return {
    of: `(purchase_id IN (${alone.list}) OR batch_id IN (${together.list}))`,
    params: { ...alone.params, ...together.params },
  };
}

/**
 * Whatever belongs to open purchases, and every split that is open, is owed again from this moment on: also what is being drawn now. What
 * is shown of a freeze says so by itself.
 */
export async function redrawOpen(sql: Sql): Promise<void> {
  await runOne(sql, 'UPDATE desk SET redraw_after = 0 WHERE id = 1', {});
}

/**
 * The next part of what {@link redrawOpen} owes. What is open only since then is drawn anyway, and what is no longer was told so.
 */
async function redrawNext(sql: Sql): Promise<void> {
  const desk = await one(sql, 'SELECT redraw_after FROM desk WHERE id = 1 AND redraw_after IS NOT NULL');
  if (!desk) return;
  const page = await sql.all(OPEN, { after: number(desk, 'redraw_after'), page: AT_ONCE });
  const { of, params } = noticesOf(page);
  await sql.run(`${AGAIN} AND ${of}`, params);
  const next = page.length < AT_ONCE ? null : (page.at(-1)?.['seq'] ?? null);
  await runOne(sql, 'UPDATE desk SET redraw_after = :next WHERE id = 1', { next });
  if (next !== null) return;
  await sql.run(`${AGAIN} AND purchase_id IS NULL AND batch_id IS NULL AND ts IS NULL`);
  await sql.run(
    `${AGAIN} AND kind = 'fall' AND NOT EXISTS (
       SELECT 1 FROM entries e WHERE e.kind = 'fall_known' AND e.reading = CASE notices.kind WHEN 'fall' THEN CAST(notices.text AS BIGINT) END)`,
  );
}

/** What tells of this person's requests that nobody has decided is drawn again. */
export function redrawRequested(sql: Sql, person: string): Promise<void> {
  return redrawOf(sql, REQUESTED, { person });
}

/** The same, as far as it shows what else they have asked for. */
export function redrawBeside(sql: Sql, person: string): Promise<void> {
  // What is being drawn at this moment may show it too.
  return redrawOf(sql, REQUESTED, { person }, ' AND (beside = 1 OR pending = 1)');
}

/** What somebody waits for. All that they have ever asked for is not looked through for it. */
const REQUESTED = `requester_person = :person AND ${sifted(`state = 'requested'`)}`;

/** What tells of the open purchases for which the condition holds, or of their batches, a page at a time. */
async function redrawOf(sql: Sql, condition: string, params: Params, which = ''): Promise<void> {
  for await (const page of pages(sql, openWhere(` AND ${condition}`), params, { page: AT_ONCE })) {
    const told = noticesOf(page);
    await sql.run(`${AGAIN}${which} AND ${told.of}`, told.params);
  }
}

/** A line of a reminder changes no more when its end is so long over. */
const LINES_CHANGE_FOR_MS = 8 * 24 * 60 * 60 * 1_000;

/** What was told of orders that end, or have just ended, is drawn again, and so is what is asked about a renewal of them. */
export async function redrawOrders(sql: Sql, orderIds: readonly string[]): Promise<void> {
  const { list: ids, params } = anyOf(orderIds);
  await redrawOf(sql, `order_id IN (${ids}) AND kind = 'renew'`, params);
  await sql.run(
    `${AGAIN} AND kind = 'ending' AND text IN (
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
  // What goes under the card goes under one that stands: it is edited before, also into what it is already, and posted anew where somebody
  // has deleted it.
  if (inserted === 1 && notice.audience === 'thread')
    await sql.run(
      `UPDATE notices SET pending = 1, revision = revision + 1, shown = NULL WHERE done = 0
         AND ((purchase_id = :purchase AND kind = 'card') OR (batch_id = :batch AND kind = 'batch_card'))`,
      { purchase: purchaseId, batch: batchId },
    );
}
