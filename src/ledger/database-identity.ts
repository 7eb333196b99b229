import { DESK } from '../purchasing/model/entries.ts';
import { freezeNotice } from '../purchasing/model/outbox.ts';
import { readFreeze } from './facts.ts';
import { setFreeze } from './ledger.ts';
import { insertNotice } from './outbox.ts';
import { text } from './rows.ts';
import { one, runOne, type Sql } from './sql.ts';

/**
 * The ledger remembers on which server and database it was last used. Where that is another now it was restored, copied, recovered or
 * taken over by a standby, and may have forgotten purchases: spending is frozen until a person has compared.
 * @returns why it was frozen now; undefined when all is as it was.
 */
export async function freezeIfMoved(sql: Sql, identity: string): Promise<string | undefined> {
  const home = await one(sql, 'SELECT identity FROM home WHERE id = 1');
  if (!home) {
    await runOne(sql, 'INSERT INTO home (id, identity) VALUES (1, :identity)', { identity });
    return undefined;
  }
  const before = text(home, 'identity');
  if (before === identity) return undefined;

  await runOne(sql, 'UPDATE home SET identity = :identity WHERE id = 1', { identity });
  const now = await sql.now();
  const was = await readFreeze(sql);
  const reason =
    `the database was ${movedHow(before, identity)}, and may have forgotten purchases: compare it with the vendor's console first` +
    (was ? `; frozen before that by ${was.by}: ${was.reason}` : '');
  await setFreeze(sql, { reason, by: DESK, at: now }, DESK);
  await insertNotice(sql, freezeNotice(`moved to ${identity} at ${now}`, reason, DESK), null);
  return reason;
}

function movedHow(before: string, now: string): string {
  const withoutTimeline = (identity: string) => identity.replace(/, timeline .*/, '');
  return withoutTimeline(before) === withoutTimeline(now)
    ? 'recovered, or taken over by a standby'
    : 'restored, copied or moved';
}
