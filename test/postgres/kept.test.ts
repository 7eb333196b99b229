import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { openPostgres } from '../../src/ledger/postgres/database.ts';
import { anyOf, type Sql } from '../../src/ledger/sql.ts';
import { afterwards, filed, WAY_TO, walked } from '../ledger/fixture.ts';
import { asAdmin, freshDatabase, theServer } from './databases.ts';
import { openAt } from './fixture.ts';

const DRAFTS = 'SELECT * FROM drafts ORDER BY id';

const addDraft = (sql: Sql, id: string) =>
  sql.run(`INSERT INTO drafts (id, owner, revision, content, changed_at) VALUES (:id, 'U0ANN', 1, '{}', 0)`, { id });

const inTurn = async (times: number, what: (nth: number) => Promise<unknown>) => {
  for (let nth = 0; nth < times; nth += 1) await what(nth);
};

/** A ledger whose connections keep what is asked for below; and what it is of another replica that is of a later version. */
async function warmLedger() {
  const url = await freshDatabase();
  const opened = await openAt(url);
  const { database } = opened;
  await inTurn(4, (nth) =>
    database.write(async (sql) => {
      await addDraft(sql, `before ${nth}`);
      await sql.all(DRAFTS);
    }),
  );
  const drafts = async () => (await database.read((sql) => sql.all(DRAFTS))).map(({ id }) => id).slice(4);
  await inTurn(4, drafts);
  const later = async (statement: string) => asAdmin(await theServer(), [statement], new URL(url).pathname.slice(1));
  return { opened, database, drafts, later };
}

const keptBy = ({ database }: OpenLedger) =>
  database.write((sql) => sql.all('SELECT statement, generic_plans FROM pg_prepared_statements'));

async function lifeOf({ ledger }: OpenLedger): Promise<readonly unknown[]> {
  const id = await walked(ledger, await filed(ledger), ...WAY_TO.completed);
  return (await ledger.record(id))?.entries.map(({ to }) => to) ?? [];
}

const LIFE = ['requested', ...WAY_TO.completed];

describe('what is asked for again and again', () => {
  test('is planned once on each connection', async () => {
    const opened = await openAt(await freshDatabase());
    await inTurn(10, () => lifeOf(opened));
    const kept = await keptBy(opened);
    for (const part of [
      'UPDATE purchases SET',
      'INSERT INTO purchases',
      'SELECT * FROM purchases WHERE id',
      'FOR UPDATE',
    ]) {
      const [found] = kept.filter(({ statement }) => String(statement).includes(part));
      expect(found?.['generic_plans'], part).toBeGreaterThan(0);
    }
  });

  test('finds a place among all that is asked for but once, and of lists of every length no more than a few hundred are kept', async () => {
    const { database } = await openAt(await freshDatabase());
    const ofList = (sql: Sql, length: number) => {
      const { list, params } = anyOf(Array.from({ length }, (_, nth) => `draft ${nth}`));
      return sql.all(`SELECT * FROM drafts WHERE id IN (${list})`, params);
    };
    const lists = (times: number) =>
      database.write((sql) => inTurn(300, (length) => inTurn(times, () => ofList(sql, length))));
    const kept = () => database.write((sql) => sql.all('SELECT statement FROM pg_prepared_statements'));
    await lists(2);
    expect((await kept()).length).toBeLessThan(50);
    await inTurn(4, () => database.write((sql) => sql.all(DRAFTS)));
    await lists(2);
    const all = (await kept()).map(({ statement }) => statement);
    expect(all).toContain(DRAFTS);
    expect(all.length).toBeGreaterThan(150);
    expect(all.length).toBeLessThan(250);
  });
});

describe('a schema that a later version changes while this one runs', () => {
  test('stops nobody: reads and writes go on, and each step is taken once', async () => {
    const { opened, later } = await warmLedger();
    await inTurn(4, () => lifeOf(opened));
    await later('ALTER TABLE purchases ADD COLUMN later TEXT');
    await later('ALTER TABLE entries ADD COLUMN later TEXT');
    expect(await Promise.all([opened.ledger.open(), opened.ledger.open(), opened.ledger.open()])).toEqual([[], [], []]);
    expect(await lifeOf(opened)).toEqual(LIFE);
  });

  test('in the middle of a transaction: nothing of it is kept, and it is done once on another connection', async () => {
    const { database, drafts, later } = await warmLedger();
    await inTurn(4, () => database.write((sql) => sql.all('SELECT * FROM batches')));
    let tries = 0;
    await database.write(async (sql) => {
      tries += 1;
      await addDraft(sql, `try ${tries}`);
      if (tries === 1) await later('ALTER TABLE batches ADD COLUMN later TEXT');
      await sql.all('SELECT * FROM batches');
    });
    expect(await drafts()).toEqual(['try 2']);
  });

  test('changes under the statements of the very migration: none of them is kept', async () => {
    const postgres = openPostgres(await freshDatabase(), { writer: 'migrating', moved: async () => {} });
    afterwards(() => postgres.close());
    const columns = await postgres.alter(async (sql) => {
      await inTurn(4, () => sql.all('SELECT * FROM desk'));
      await sql.script('ALTER TABLE desk ADD COLUMN later TEXT');
      return Object.keys((await sql.all('SELECT * FROM desk'))[0] ?? {});
    });
    expect(columns).toContain('later');
  });
});

describe('a server that has forgotten what it was to keep', () => {
  test.each(['in the middle of a transaction', 'at its commit'])(
    '%s: it is done once, on another connection',
    async (when) => {
      const { database, drafts } = await warmLedger();
      let tries = 0;
      await database.write(async (sql) => {
        tries += 1;
        await addDraft(sql, `try ${tries}`);
        if (tries === 1) await sql.script('DEALLOCATE ALL');
        if (when === 'in the middle of a transaction') await addDraft(sql, `more of try ${tries}`);
      });
      expect(tries).toBe(2);
      expect(new Set((await drafts()).map((id) => String(id).slice(-5)))).toEqual(new Set(['try 2']));
    },
  );
});
