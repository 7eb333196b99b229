import { distrustWhatWasOpen, freezeGoneBack, GONE_BACK } from './gone-back.ts';
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
  const how = `${GONE_BACK.database}${movedHow(before, identity)}`;
  const reason = `${how}, and may have forgotten purchases: compare it with the vendor's console first`;
  const whole = await freezeGoneBack(sql, reason);
  await distrustWhatWasOpen(sql);
  return whole;
}

function movedHow(before: string, now: string): string {
  const withoutTimeline = (identity: string) => identity.replace(/, timeline .*/, '');
  return withoutTimeline(before) === withoutTimeline(now)
    ? 'recovered, or taken over by a standby'
    : 'restored, copied or moved';
}
