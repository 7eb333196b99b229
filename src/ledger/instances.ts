import type { Instance, Instances } from '../purchasing/ports/instances.ts';
import { number, text } from './rows.ts';
import { type Database, runOne, type Sql } from './sql.ts';

/** Rows of processes that were killed. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Who else works on this ledger. Nothing rests on it but what is reported to people. */
export function createInstances(database: Database): Instances {
  return {
    beat: (me, aliveMs) =>
      database.write(async (sql) => {
        const now = await sql.now();
        await sql.run('DELETE FROM instances WHERE seen_at < :before', { before: now - KEPT_MS });
        await runOne(
          sql,
          `INSERT INTO instances (id, version, policy_hash, vendor_hash, started_at, seen_at)
           VALUES (:id, :version, :policy_hash, :vendor_hash, :now, :now) ON CONFLICT (id)
           DO UPDATE SET seen_at = excluded.seen_at, policy_hash = excluded.policy_hash`,
          { id: me.id, version: me.version, policy_hash: me.policyHash, vendor_hash: me.vendorHash, now },
        );
        return aliveInstances(sql, aliveMs);
      }),
    leave: async (id) => {
      await database.write((sql) => sql.run('DELETE FROM instances WHERE id = :id', { id }));
    },
  };
}

/** All that were alive within `aliveMs`; the last started is the last. */
export async function aliveInstances(sql: Sql, aliveMs: number): Promise<readonly Instance[]> {
  const since = (await sql.now()) - aliveMs;
  const rows = await sql.all('SELECT * FROM instances WHERE seen_at > :since ORDER BY started_at, id', { since });
  return rows.map((row) => ({
    id: text(row, 'id'),
    version: text(row, 'version'),
    policyHash: text(row, 'policy_hash'),
    vendorHash: text(row, 'vendor_hash'),
    startedAt: number(row, 'started_at'),
  }));
}
