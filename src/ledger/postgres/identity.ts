import type { ClientBase } from 'pg';
import { GONE_BACK } from '../../purchasing/model/freeze.ts';
import { distrustWhatWasOpen, freezeGoneBack } from '../gone-back.ts';
import { text } from '../rows.ts';
import { one, runOne, type Sql } from '../sql.ts';
import { driven, PostgresTrouble } from './errors.ts';

/**
 * What a copy of a ledger does not share with the original: the cluster (another after pg_dump and restore, or an upgrade), the database
 * in it (another after a copy beside the original), and the timeline (the next one after a recovery to a point in time, or when
 * a standby took over). A hosted service may not tell all of them.
 */
const PARTS = {
  cluster: '(SELECT CAST(system_identifier AS TEXT) FROM pg_control_system())',
  database: '(SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database())',
  timeline: 'LEFT(pg_walfile_name(pg_current_wal_lsn()), 8)',
};

/** @returns an SQL expression for the identity of server and database, of as much as this server lets the bot ask for. */
export async function identityExpression(client: ClientBase): Promise<string> {
  const all = await tells(client, Object.values(PARTS));
  const shown: string[] = [];
  for (const [name, part] of Object.entries(PARTS))
    shown.push(`'${name} ' || ${all || (await tells(client, [part])) ? part : "'unknown'"}`);
  return shown.join(` || ', ' || `);
}

async function tells(client: ClientBase, parts: readonly string[]): Promise<boolean> {
  try {
    await driven(() => client.query(`SELECT ${parts.join(', ')}`));
    return true;
  } catch (error) {
    if (error instanceof PostgresTrouble && !error.passing) return false;
    throw error;
  }
}

/**
 * The ledger remembers on which server and database it was last used. Where that is another now it was restored, copied, recovered or
 * taken over by a standby, and may have forgotten purchases: spending is frozen until a person has compared.
 * @returns why it was frozen now; undefined where it remembers none yet.
 */
export async function settleIn(sql: Sql, identity: string): Promise<string | undefined> {
  const home = await one(sql, 'SELECT identity FROM home WHERE id = 1');
  if (!home) {
    await runOne(sql, 'INSERT INTO home (id, identity) VALUES (1, :identity)', { identity });
    return undefined;
  }
  await runOne(sql, 'UPDATE home SET identity = :identity WHERE id = 1', { identity });
  const how = `${GONE_BACK.database}${movedHow(text(home, 'identity'), identity)}`;
  const reason = await freezeGoneBack(
    sql,
    `${how}, and may have forgotten purchases: compare it with the vendor's console first`,
  );
  await distrustWhatWasOpen(sql);
  return reason;
}

/** @param identity an expression, as {@link identityExpression} has it. @returns whether nobody has settled in where the ledger is now. */
export async function hasMoved(sql: Sql, identity: string): Promise<boolean> {
  return (await one(sql, `SELECT 1 AS moved FROM home WHERE id = 1 AND identity <> ${identity}`)) !== undefined;
}

function movedHow(before: string, now: string): string {
  const withoutTimeline = (identity: string) => identity.replace(/, timeline .*/, '');
  return withoutTimeline(before) === withoutTimeline(now)
    ? 'recovered, or taken over by a standby'
    : 'restored, copied or moved';
}
