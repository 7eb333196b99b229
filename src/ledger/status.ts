import { type Kind, OPEN_STATES, type State } from '../purchasing/model/purchase.ts';
import { ALIVE_MS } from '../purchasing/ports/instances.ts';
import type { Backlog, Counts, Status, StatusReads } from '../purchasing/ports/status.ts';
import { readFreeze } from './changes.ts';
import { aliveInstances } from './instances.ts';
import { schemaVersion } from './migrate.ts';
import { number, numberOrNull, text } from './rows.ts';
import { type Database, list, one, type Row, type Sql } from './sql.ts';

export function createStatus(database: Database): StatusReads {
  return {
    counts: () => database.read((sql) => readCounts(sql)),
    status: () => database.read((sql) => readStatus(sql)),
  };
}

/** What triggers have kept; of an open state, since when. */
const KEPT = `SELECT 'purchases' AS what, c.state AS state, c.kind AS kind, c.count AS count, CASE WHEN c.state IN (${list(OPEN_STATES)})
    THEN (SELECT MIN(p.changed_at) FROM purchases p WHERE p.state = c.state AND p.kind = c.kind) END AS since
  FROM purchase_counts c WHERE c.count > 0`;

/** All of them, one by one: a ledger of an earlier version, opened for reading, keeps no counts. */
export const COUNTED_ANEW = `SELECT 'purchases' AS what, state, kind, COUNT(*) AS count, MIN(changed_at) AS since
  FROM purchases GROUP BY state, kind`;

/** One statement, asked whenever somebody scrapes. */
export const countsBy = (purchases: string) => `${purchases}
  UNION ALL SELECT 'notices', NULL, NULL, COUNT(*), MIN(CASE WHEN ts IS NULL THEN created_at END) FROM notices WHERE pending = 1
  UNION ALL SELECT 'readings', NULL, NULL, COUNT(*), MIN(due_at) FROM readings WHERE due_at <= :now
  UNION ALL SELECT 'frozen', NULL, NULL, COUNT(frozen_at), MIN(frozen_at) FROM desk`;

export const COUNTS = countsBy(KEPT);

async function readCounts(sql: Sql, counts = COUNTS): Promise<Counts> {
  const now = await sql.now();
  const found = Map.groupBy(await sql.all(counts, { now }), (row) => row['what']);
  const backlog = (what: string): Backlog => toBacklog(found.get(what)?.[0] ?? { count: 0, since: null });
  return {
    now,
    frozen: backlog('frozen').count > 0,
    purchases: (found.get('purchases') ?? []).map((row) => ({
      kind: text(row, 'kind') as Kind,
      state: text(row, 'state') as State,
      ...toBacklog(row),
    })),
    notices: backlog('notices'),
    readings: backlog('readings'),
  };
}

function toBacklog(row: Row): Backlog {
  return { count: number(row, 'count'), since: numberOrNull(row, 'since') };
}

/** @param counts a statement, as {@link countsBy} makes it */
export async function readStatus(sql: Sql, counts = COUNTS): Promise<Status> {
  return {
    ...(await readCounts(sql, counts)),
    schema: await schemaVersion(sql),
    freeze: await readFreeze(sql),
    oldest: await oldestOpen(sql),
    instances: await aliveInstances(sql, ALIVE_MS),
  };
}

async function oldestOpen(sql: Sql): Promise<Status['oldest']> {
  const found = [];
  for (const state of OPEN_STATES) {
    const row = await one(
      sql,
      'SELECT id, changed_at FROM purchases WHERE state = :state ORDER BY changed_at, seq LIMIT 1',
      { state },
    );
    if (row) found.push({ id: text(row, 'id'), state, since: number(row, 'changed_at') });
  }
  return found;
}
