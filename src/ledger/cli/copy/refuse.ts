import { ALIVE_MS } from '../../../purchasing/ports/instances.ts';
import { LedgerUnusable, NoLedger } from '../../errors.ts';
import { aliveInstances } from '../../instances.ts';
import { latestSchema, schemaVersion } from '../../migrate.ts';
import { type DatabaseConfig, placeOf } from '../../place.ts';
import { one, type Sql } from '../../sql.ts';
import type { LedgerView } from '../../view.ts';
import { look } from '../look.ts';
import { DIALECTS } from './dialects.ts';
import { DESK_TABLE, tablesOf } from './tables.ts';

/** What a bot does after it was copied would be missing in the copy. */
export async function refuseInUse(sql: Sql, at: DatabaseConfig): Promise<void> {
  const alive = await aliveInstances(sql, ALIVE_MS);
  if (alive.length > 0)
    throw new LedgerUnusable(
      `the bot runs on ${placeOf(at)} (${alive.map(({ id }) => id).join(', ')}); nothing was copied`,
      `Stop it, and copy again. One that was killed counts as running for ${ALIVE_MS / 1_000} s.`,
    );
}

/** Rows are copied as they are: what another version's schema means by them is a matter of its migrations. */
export async function refuseOlderSchema(sql: Sql, at: DatabaseConfig): Promise<void> {
  const found = await schemaVersion(sql);
  const known = latestSchema(new URL('../../migrations/sqlite/', import.meta.url));
  if (found < known)
    throw new LedgerUnusable(
      `${placeOf(at)} has schema ${found}, and a copy would have ${known}; nothing was copied`,
      'Start the bot of this version on it, which brings it up to date, stop it, and copy again.',
    );
}

/** What was open there must not pass for what is still to be sent, and the copy would not know that it came from another place. */
export async function refuseIfMoved(hasMoved: LedgerView['hasMoved'], at: DatabaseConfig): Promise<void> {
  if (await hasMoved())
    throw new LedgerUnusable(
      `${placeOf(at)} was restored, copied or moved, and no bot has started on it since; nothing was copied`,
      'Start the bot on it, which freezes it and calls unknown what was open, stop it, and copy again.',
    );
}

/** Only a database without a ledger, or with one that nobody has used, is copied into. */
export async function refuseIfTaken(at: DatabaseConfig): Promise<void> {
  try {
    await look(at, ({ sql }) => refuseIfUsed(sql, at));
  } catch (error) {
    if (!(error instanceof NoLedger)) throw error;
  }
}

export async function refuseIfUsed(sql: Sql, at: DatabaseConfig): Promise<void> {
  await refuseInUse(sql, at);
  for (const { name } of await tablesOf(sql, DIALECTS[at.kind]))
    if (name !== DESK_TABLE && (await one(sql, `SELECT 1 AS used FROM "${name}" LIMIT 1`)))
      throw new LedgerUnusable(
        `there is a ledger already in ${placeOf(at)}, with ${name} in it; nothing was copied`,
        'Copy into a database that has none.',
      );
}
