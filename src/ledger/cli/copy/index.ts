import { plural } from '../../../plural.ts';
import { freezeNotice } from '../../../purchasing/model/outbox.ts';
import { readFreeze, setFreeze } from '../../changes.ts';
import { openLedger } from '../../open.ts';
import { insertNotice } from '../../outbox.ts';
import { type DatabaseConfig, placeOf } from '../../place.ts';
import { number } from '../../rows.ts';
import { one, type Sql } from '../../sql.ts';
import { look } from '../look.ts';
import { theOperator } from '../operator.ts';
import { type Copied, copyTables } from './copy-tables.ts';
import { refuseIfMoved, refuseIfTaken, refuseIfUsed, refuseInUse, refuseOlderSchema } from './refuse.ts';

type Say = (text: string) => void | Promise<void>;

/**
 * Copies a ledger that no bot uses into a database that has none yet, row by row in one transaction, and compares what then stands
 * there. The original is only looked at. The copy is left frozen: a bot on each would spend twice.
 */
export async function copyLedger(from: DatabaseConfig, to: DatabaseConfig, say: Say): Promise<void> {
  await look(from, async ({ sql: source, hasMoved }) => {
    await refuseInUse(source, from);
    await refuseOlderSchema(source, from);
    await refuseIfMoved(hasMoved, from);
    await refuseIfTaken(to);
    await say(`copying ${placeOf(from)} to ${placeOf(to)}\n`);
    const { database, close } = await openLedger(to);
    try {
      const copied = await database.write(async (target) => {
        await refuseIfUsed(target, to);
        const tables = await copyTables({ sql: source, kind: from.kind }, { sql: target, kind: to.kind });
        await freezeCopy(target, from);
        await refuseIfMovedOn(source, from);
        return tables;
      });
      await say(report(copied, from, to));
    } finally {
      await close();
    }
  });
}

/** A freeze that the original had stays first, and whose it is: a backup that nobody has started on yet is still to be taken for one. */
async function freezeCopy(copy: Sql, from: DatabaseConfig): Promise<void> {
  const was = await readFreeze(copy);
  const by = theOperator();
  const copied = `copied from ${placeOf(from)}: before this is unfrozen, no bot may be left on that one`;
  const reason = was ? `${was.reason}; ${copied}` : copied;
  await setFreeze(copy, { reason, by: was?.by ?? by, at: await copy.now() }, by);
  await insertNotice(copy, freezeNotice(crypto.randomUUID(), reason, by), null);
}

/** `seen` shows the original as it was when the copying began. */
async function refuseIfMovedOn(seen: Sql, from: DatabaseConfig): Promise<void> {
  await look(from, async ({ sql: now }) => {
    await refuseInUse(now, from);
    if ((await lastEntry(now)) !== (await lastEntry(seen)))
      throw new Error(`${placeOf(from)} was written to in the meantime; nothing was copied`);
  });
}

async function lastEntry(sql: Sql): Promise<number> {
  return number((await one(sql, 'SELECT COALESCE(MAX(seq), 0) AS last FROM entries')) ?? {}, 'last');
}

function report(copied: Copied, from: DatabaseConfig, to: DatabaseConfig): string {
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
  const purchases = plural(copied.get('purchases') ?? 0, 'purchase');
  const entries = plural(copied.get('entries') ?? 0, 'entry', 'entries');
  return [
    `copied ${purchases} with ${entries}, ${rows} rows in all, and compared them: they are equal`,
    `Spending on the copy is frozen. Next: set DATABASE_URL to ${placeOf(to)}, put the old one (${placeOf(from)}) where no bot finds it,`,
    'start the bot, look whether all is there, and unfreeze.\n',
  ].join('\n');
}
