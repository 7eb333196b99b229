import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../src/ledger/open.ts';
import { MONTHLY } from '../support/plan.ts';

/** One purchase in so many minutes, for as long as it takes: a larger ledger is an older one, and no day or month of it is busier. */
const EVERY_MINUTES = 45;

/** What is older than 20 years would be of before computers kept time: so far back, it is one a second. */
const LONG_AGO_MS = 20 * 365 * 24 * 60 * 60_000;

/** Who has made a fifth of all purchases; the others are 500 people. */
export const BUSY = 'U0BUSY';

/** Decided by nobody yet, in every ledger. */
const OPEN = 40;

interface Grown {
  readonly everyMinutes?: number;
  readonly open?: number;
}

/** Content that many have asked for. */
export const COMMON_CONTENT = 'buy common 1';

/** A ledger with so many purchases, written by statements alone: by its own rules it would take hours. */
export async function growLedger(
  path: string,
  count: number,
  { everyMinutes = EVERY_MINUTES, open = OPEN }: Grown = {},
): Promise<void> {
  await (await openLedger({ kind: 'sqlite', path })).close();
  const database = new DatabaseSync(path);
  const triggers = database.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).all();
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN');
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
  const at = `(${Date.now()} - MIN((${count} - n) * ${everyMinutes * 60_000}, ${LONG_AGO_MS} + (${count} - n) * 1000))`;
  const isOpen = `n > ${count - open}`;
  const isRenewal = 'n % 10 >= 7';
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  const person = `CASE WHEN n % 5 = 0 THEN '${BUSY}' ELSE 'U0P' || (n % 500) END`;
  database.exec(`
    INSERT INTO purchases (id, kind, state, version, requester, requester_person, approver, plan, basket, quantity, order_id, reason, submission,
      content_key, needs_approval, created_at, expires_at, changed_at, closed_at, send_by, changed_by, evidence)
    ${numbers} SELECT 'P-' || n, CASE WHEN ${isRenewal} THEN 'renew' ELSE 'buy' END,
      CASE WHEN ${isOpen} THEN 'requested' WHEN n % 20 = 3 THEN 'rejected' ELSE 'completed' END, 4, ${person}, ${person}, 'U0LEAD',
      '${JSON.stringify(MONTHLY)}', '[{"country":"US","quantity":1}]', 1,
      CASE WHEN ${isRenewal} THEN CAST(n / 10 * 10 + n % 3 AS TEXT) WHEN ${isOpen} OR n % 20 = 3 THEN NULL ELSE CAST(n AS TEXT) END,
      'for the crawler', 's' || n, CASE WHEN ${isRenewal} THEN 'renew ' || (n / 10 * 10 + n % 3) ELSE 'buy common ' || (n % 50) END, 1,
      ${at}, ${at} + 86400000, ${at}, CASE WHEN NOT (${isOpen}) THEN ${at} END, ${at} + 900000, 'U0LEAD', '{}'
    FROM numbers;
    INSERT INTO purchase_counts SELECT state, kind, COUNT(*) FROM purchases GROUP BY state, kind;
    INSERT INTO entries (purchase_id, at, by, from_state, to_state, kind, detail)
    SELECT p.id, p.changed_at, 'U0LEAD', s.from_state, s.to_state, 'transition', '{}'
    FROM purchases p CROSS JOIN (SELECT NULL AS from_state, 'requested' AS to_state UNION ALL SELECT 'requested', 'approved'
      UNION ALL SELECT 'approved', 'sending' UNION ALL SELECT 'sending', 'completed') s
    WHERE s.from_state IS NULL OR p.state = 'completed';
    INSERT INTO notices (key, purchase_id, kind, audience, created_at, due_at, channel, ts, pending, done)
    SELECT k.kind || ':' || p.id, p.id, k.kind, 'requester', p.created_at, p.created_at, 'C0APPROVALS', p.id || k.kind, 0, p.state <> 'requested'
    FROM purchases p CROSS JOIN (SELECT 'card' AS kind UNION ALL SELECT 'receipt' UNION ALL SELECT 'news') k;
    INSERT INTO notices (key, kind, audience, created_at, due_at, channel, ts, pending, done)
    ${numbers} SELECT 'freeze:' || n, 'freeze', 'user:U0LEAD', ${at}, ${at}, 'D0LEAD', 'freeze' || n, 0, 1 FROM numbers WHERE n % 10 = 0;
    INSERT INTO orders (order_id, owner, intent, ends_at)
    SELECT order_id, requester, NULL, created_at + 2592000000 FROM purchases WHERE kind = 'buy' AND state = 'completed';
    INSERT INTO balance_readings (seq, balance, asker, asked_at, at, asked_after, kept_after, unbooked, changed_from, went_back)
    SELECT nth, CAST(100000000 - nth AS TEXT), 'lane', changed_at, changed_at, 0,
      (SELECT MAX(e.seq) FROM entries e WHERE e.purchase_id = p.id), '[]', CASE WHEN nth > 1 THEN nth - 1 END, 0
    FROM (SELECT ROW_NUMBER() OVER (ORDER BY seq) AS nth, id, changed_at FROM purchases WHERE state = 'completed') p ORDER BY nth;
    INSERT INTO balance_change_purchases SELECT nth, id
    FROM (SELECT ROW_NUMBER() OVER (ORDER BY seq) AS nth, id FROM purchases WHERE state = 'completed') WHERE nth > 1;
    UPDATE desk SET judged_up_to = (SELECT MAX(seq) FROM balance_readings);
    INSERT INTO order_countries (country, ends_at, order_id, owner) SELECT 'US', ends_at, order_id, owner FROM orders;`);
  for (const { sql } of triggers) database.exec(String(sql));
  database.exec('COMMIT; PRAGMA journal_mode = WAL');
  database.close();
}
