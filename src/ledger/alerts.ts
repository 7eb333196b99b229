import type { ToldMovement, WatchChange, WatchFacts } from '../purchasing/model/alerts.ts';
import type { Alerts } from '../purchasing/ports/alerts.ts';
import { PACE_OVER_MS } from '../purchasing/rules/runway.ts';
import { firstLink, lastLink, lastWritten } from './chain.ts';
import { insertEntries, readFreeze, setFreeze } from './changes.ts';
import { deliveredBefore, keepClick } from './clicks.ts';
import { movementsAfter, movementsWhere } from './movements.ts';
import { insertNotice } from './outbox.ts';
import { number, text, toNotice } from './rows.ts';
import { rememberSpent, type SpentLately } from './spent-lately.ts';
import { anyOf, type Database, inParts, one, type Row, runOne, type Sql } from './sql.ts';

/** What the bot tells of the vendor's account by itself, on any database. */
export function createAlerts(database: Database): Alerts {
  let seen = '';
  const spentLately = rememberSpent();
  return {
    async watch(decide) {
      // Mostly there is nothing: no lock for that, and no look at all where nothing was written since the last.
      const looked = await database.read(async (sql) => {
        const { entry, reading } = await lastWritten(sql);
        const written = `${entry} ${reading}`;
        return written === seen ? null : { written, change: decide(await watchFacts(sql, spentLately)) };
      });
      if (looked === null) return false;
      if (looked.change === null) {
        seen = looked.written;
        return false;
      }
      return database.write(async (sql) => {
        const facts = await watchFacts(sql, spentLately);
        const change = decide(facts);
        if (change) await writeWatch(sql, change);
        return change !== null;
      });
    },

    told: (seq) => database.read((sql) => readTold(sql, seq)),

    change: (seq, decide, click) =>
      database.write(async (sql) => {
        const told = await readTold(sql, seq);
        if (!told) return undefined;
        const facts = {
          told,
          now: await sql.now(),
          freeze: await readFreeze(sql),
          deliveredBefore: await deliveredBefore(sql, click),
        };
        const { result, entry, freeze, click: counted } = decide(facts);
        if (entry) await insertEntries(sql, [{ ...entry, of: { reading: seq } }], facts.now);
        if (entry?.detail.kind === 'fall_known')
          await sql.run(
            `UPDATE notices SET pending = 1, revision = revision + 1 WHERE done = 0 AND kind = 'fall' AND text = :seq`,
            { seq: String(seq) },
          );
        if (freeze) await freezeAndTell(sql, freeze);
        await keepClick(sql, click, counted);
        return result;
      }),

    placesOf: (seq) =>
      database.read(async (sql) => {
        const rows = await sql.all(
          `SELECT * FROM notices WHERE kind = 'fall' AND text = :seq AND ts IS NOT NULL ORDER BY id`,
          { seq: String(seq) },
        );
        return rows.map(toNotice);
      }),
  };
}

async function watchFacts(sql: Sql, spentLately: SpentLately): Promise<WatchFacts> {
  const now = await sql.now();
  const desk = await one(
    sql,
    `SELECT judged_up_to, low_since, short_since,
       (EXISTS (SELECT 1 FROM purchases p WHERE p.state = 'sending') OR EXISTS (SELECT 1 FROM readings)) AS under_way
     FROM desk WHERE id = 1`,
  );
  if (!desk) throw new Error('the desk row is missing');
  const judgedUpTo = number(desk, 'judged_up_to');
  const movements = await movementsAfter(sql, judgedUpTo);
  const told: Row[] = [];
  for (const keys of inParts(movements.flatMap(({ seq }) => [`fall:${seq}`, `top_up:${seq}`]))) {
    const { list, params } = anyOf(keys);
    told.push(...(await sql.all(`SELECT text FROM notices WHERE key IN (${list})`, params)));
  }
  const since = now - PACE_OVER_MS;
  const watchedSince = Math.max((await firstLink(sql))?.at ?? now, since);
  return {
    now,
    judgedUpTo,
    movements,
    toldOf: new Set(told.map((row) => Number(text(row, 'text')))),
    latest: await lastLink(sql),
    underWay: Boolean(desk['under_way']),
    told: { low: number(desk, 'low_since') || null, short: number(desk, 'short_since') || null },
    spent: {
      spent: await spentLately(sql, since, now),
      overMs: Math.max(0, now - watchedSince),
    },
    freeze: await readFreeze(sql),
  };
}

async function writeWatch(sql: Sql, { judgedUpTo, told, notices, freeze }: WatchChange): Promise<void> {
  await runOne(
    sql,
    'UPDATE desk SET judged_up_to = :judged_up_to, low_since = :low_since, short_since = :short_since WHERE id = 1',
    { judged_up_to: judgedUpTo, low_since: told.low ?? 0, short_since: told.short ?? 0 },
  );
  for (const notice of notices) await insertNotice(sql, notice, null);
  if (freeze) await freezeAndTell(sql, freeze);
}

async function freezeAndTell(sql: Sql, { to, notice }: NonNullable<WatchChange['freeze']>): Promise<void> {
  await setFreeze(sql, to, to.by);
  await insertNotice(sql, notice, null);
}

async function readTold(sql: Sql, seq: number): Promise<ToldMovement | undefined> {
  if (!Number.isSafeInteger(seq)) return undefined;
  const [movement] = await movementsWhere(sql, 'later.seq = :seq', { seq });
  if (!movement) return undefined;
  const sent = await one(sql, 'SELECT 1 AS sent FROM balance_change_purchases WHERE reading = :seq LIMIT 1', { seq });
  return {
    movement,
    sentInVain: sent !== undefined,
  };
}
