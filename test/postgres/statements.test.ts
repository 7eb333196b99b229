import { describe, expect, test } from 'vitest';
import type { Sql } from '../../src/ledger/sql.ts';
import { freshDatabase } from './databases.ts';
import { openAt } from './fixture.ts';

const addDraft = (sql: Sql, id: string) =>
  sql.run(`INSERT INTO drafts (id, owner, revision, content, changed_at) VALUES (:id, 'U0ANN', 1, '{}', 0)`, { id });

async function ledger() {
  const { database } = await openAt(await freshDatabase());
  const drafts = () => database.read((sql) => sql.all('SELECT id FROM drafts ORDER BY id'));
  return { database, drafts };
}

const MISTAKE = { name: 'StatementsAtOnce' };

describe('two statements at once on one connection are a mistake that is found where it is made', () => {
  test('in a transaction, of which nothing is kept; the next one is as any other', async () => {
    const { database, drafts } = await ledger();
    const both = database.write((sql) => Promise.all([addDraft(sql, 'one'), addDraft(sql, 'two')]));
    await expect(both).rejects.toMatchObject(MISTAKE);
    await database.write((sql) => addDraft(sql, 'three'));
    expect(await drafts()).toEqual([{ id: 'three' }]);
  });

  test('where one was not awaited when the transaction is to end', async () => {
    const { database, drafts } = await ledger();
    const forgotten = database.write(async (sql) => {
      await addDraft(sql, 'one');
      void addDraft(sql, 'two').catch(() => undefined);
    });
    await expect(forgotten).rejects.toMatchObject(MISTAKE);
    expect(await drafts()).toEqual([]);
  });

  test('in reads that share a connection; those that do not go on side by side', async () => {
    const { database, drafts } = await ledger();
    await expect(database.read((sql) => Promise.all([sql.now(), sql.now()]))).rejects.toMatchObject(MISTAKE);
    expect(await Promise.all([drafts(), drafts(), drafts()])).toEqual([[], [], []]);
  });
});
