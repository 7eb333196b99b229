import { THE_BOT } from '../purchasing/model/entries.ts';
import { isGoneBack } from '../purchasing/model/freeze.ts';
import { freezeNotice } from '../purchasing/model/outbox.ts';
import { OPEN_STATES } from '../purchasing/model/purchase.ts';
import { decideGoneBack } from '../purchasing/rules/answers.ts';
import { compareAndSet, readFreeze, setFreeze } from './changes.ts';
import { frozen, json } from './json-columns.ts';
import { insertNotice } from './outbox.ts';
import { number, toPurchase } from './rows.ts';
import { list, paged, type Sql } from './sql.ts';

// A ledger can go back in time: a backup is put in its place, or a standby takes over that lacks the last commits. It has then forgotten
// what happened since, money that left included.

/** Freezes spending for this reason, which stands before the one that it was frozen for already. @returns the whole reason. */
export async function freezeGoneBack(sql: Sql, why: string): Promise<string> {
  const was = await readFreeze(sql);
  const at = await sql.now();
  const reason = was ? `${why}; frozen before that by ${was.by}: ${was.reason}` : why;
  await setFreeze(sql, { reason, by: THE_BOT, at }, THE_BOT);
  await insertNotice(sql, freezeNotice(`${why} at ${at}`, reason, THE_BOT), null);
  return reason;
}

export async function isFrozenGoneBack(sql: Sql): Promise<boolean> {
  const freeze = await readFreeze(sql);
  return freeze !== null && isGoneBack(freeze);
}

/**
 * When it last went back, as far as it knows, after this entry: such a freeze is an entry for ever, also when somebody has ended it. Null
 * where it did not.
 */
export async function wentBackAt(sql: Sql, afterSeq: number): Promise<number | null> {
  const rows = await sql.all(
    `SELECT at, detail FROM entries WHERE purchase_id IS NULL AND kind = 'frozen' AND by = '${THE_BOT}' AND seq > :seq`,
    { seq: afterSeq },
  );
  const times = rows
    .filter((row) => isGoneBack({ by: THE_BOT, reason: json(row, 'detail', frozen).reason }))
    .map((row) => number(row, 'at'));
  return times.length === 0 ? null : Math.max(...times);
}

/** Whatever has not moved since the bot itself has frozen for the last time. A copied ledger was frozen once more, by whoever copied it. */
const SINCE_BEFORE = `(SELECT MAX(seq) FROM entries WHERE purchase_id = p.id AND to_state IS NOT NULL)
  < (SELECT MAX(seq) FROM entries WHERE purchase_id IS NULL AND kind = 'frozen' AND by = '${THE_BOT}')`;

/**
 * On a ledger that is frozen since it may have gone back in time: nothing that was open then is sent, nor approved, as if nothing had
 * happened since. Done as often as asked, it changes what is of before that freeze, and nothing that was filed since. What stands in Slack
 * may be of after it: all of it is edited when it is drawn next.
 */
export async function distrustWhatWasOpen(sql: Sql): Promise<void> {
  if (!(await isFrozenGoneBack(sql))) return;
  // The balance of now says nothing of an attempt of then.
  await sql.run(
    `DELETE FROM readings WHERE EXISTS (SELECT 1 FROM purchases p WHERE p.id = readings.purchase_id AND ${SINCE_BEFORE})`,
  );
  const open = await paged(
    sql,
    `SELECT * FROM purchases p WHERE state IN (${list(OPEN_STATES)}) AND seq > :after AND ${SINCE_BEFORE} ORDER BY seq LIMIT :page`,
    {},
    toPurchase,
  );
  await sql.run('UPDATE notices SET shown = NULL WHERE shown IS NOT NULL');
  const now = await sql.now();
  for (const purchase of open) await compareAndSet(sql, purchase, decideGoneBack(purchase), now);
}
