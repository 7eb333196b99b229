import type { Instance, Instances } from '../purchasing/ports/instances.ts';
import { redrawOpen } from './outbox.ts';
import { number, numberOrNull, text, textOrNull } from './rows.ts';
import { type Database, one, runOne, type Sql } from './sql.ts';

/** Rows of processes that were killed. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Who else works on this ledger. Nothing rests on it but what is reported to people. */
export function createInstances(database: Database): Instances {
  return {
    beat: (me, aliveMs) =>
      database.write(async (sql) => {
        const now = await sql.now();
        await sql.run('DELETE FROM instances WHERE seen_at < :before', { before: now - KEPT_MS });
        const before = await one(sql, 'SELECT policy_hash FROM instances WHERE id = :id', { id: me.id });
        await runOne(
          sql,
          `INSERT INTO instances (id, version, policy_hash, policy_since, vendor_hash, slack, started_at, seen_at)
           VALUES (:id, :version, :policy_hash, :policy_since, :vendor_hash, :slack, :now, :now) ON CONFLICT (id)
           DO UPDATE SET seen_at = excluded.seen_at, policy_hash = excluded.policy_hash, policy_since = excluded.policy_since,
             slack = excluded.slack`,
          {
            id: me.id,
            version: me.version,
            policy_hash: me.policyHash,
            policy_since: me.policySince,
            vendor_hash: me.vendorHash,
            slack: me.slack,
            now,
          },
        );
        if (before?.['policy_hash'] !== me.policyHash) await recordPolicy(sql, me, now);
        // Cards say how many have to approve, and until when.
        if (before && before['policy_hash'] !== me.policyHash) await redrawOpen(sql);
        return aliveInstances(sql, aliveMs);
      }),
    leave: async (id) => {
      await database.write((sql) => sql.run('DELETE FROM instances WHERE id = :id', { id }));
    },
  };
}

/** Only one that is another than the last: restarts and further replicas bring none. */
async function recordPolicy(sql: Sql, me: Omit<Instance, 'startedAt'>, now: number): Promise<void> {
  const last = await one(sql, 'SELECT digest FROM policies ORDER BY seq DESC LIMIT 1');
  if (last?.['digest'] === me.policyHash) return;
  await sql.run('INSERT INTO policies (digest, at, instance, version) VALUES (:digest, :at, :instance, :version)', {
    digest: me.policyHash,
    at: now,
    instance: me.id,
    version: me.version,
  });
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
    // A ledger of an earlier version, opened for reading, has no such columns.
    policySince: row['policy_since'] === undefined ? null : numberOrNull(row, 'policy_since'),
    slack: row['slack'] === undefined ? null : textOrNull(row, 'slack'),
    startedAt: number(row, 'started_at'),
  }));
}
