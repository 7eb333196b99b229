import { type Kind, OPEN_STATES, type State } from '../purchasing/model/purchase.ts';
import { ALIVE_MS } from '../purchasing/ports/instances.ts';
import type { Backlog, Counts, Status, StatusReads } from '../purchasing/ports/status.ts';
import { readFreeze } from './changes.ts';
import { aliveInstances } from './instances.ts';
import { schemaVersion } from './migrate.ts';
import { number, numberOrNull, text } from './rows.ts';
import { type Database, one, type Row, type Sql } from './sql.ts';

export function createStatus(database: Database): StatusReads {
  return {
    counts: () => database.read(readCounts),
    status: () => database.read(readStatus),
  };
}

/** One statement, asked whenever somebody scrapes: purchases are counted in an index. */
export const COUNTS = `SELECT 'purchases' AS what, state, kind, COUNT(*) AS count, MIN(changed_at) AS since FROM purchases GROUP BY state, kind
  UNION ALL SELECT 'notices', NULL, NULL, COUNT(*), MIN(CASE WHEN ts IS NULL THEN created_at END) FROM notices WHERE pending = 1
  UNION ALL SELECT 'readings', NULL, NULL, COUNT(*), MIN(due_at) FROM readings WHERE due_at <= :now
  UNION ALL SELECT 'frozen', NULL, NULL, COUNT(frozen_at), MIN(frozen_at) FROM desk`;

async function readCounts(sql: Sql): Promise<Counts> {
  const now = await sql.now();
  const found = Map.groupBy(await sql.all(COUNTS, { now }), (row) => row['what']);
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

export async function readStatus(sql: Sql): Promise<Status> {
  return {
    ...(await readCounts(sql)),
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
