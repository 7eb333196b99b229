import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { afterwards, closeAfterwards, EVERY_VERSION, filed, START } from './fixture.ts';

const RACER = fileURLToPath(new URL('./racer.ts', import.meta.url));

/**
 * Starts processes on one ledger and lets them go step by step, each step together.
 * @returns for each purchase, what each process answered: whether it was the one that moved it.
 */
async function race(path: string, count: number, ids: readonly string[]): Promise<unknown[][]> {
  const racers = Array.from({ length: count }, () => fork(RACER, [path, ...ids], { execArgv: [] }));
  afterwards(() => racers.map((racer) => racer.kill()));
  const answers = () => Promise.all(racers.map(async (racer): Promise<unknown> => (await once(racer, 'message'))[0]));
  const stepTogether = () => {
    const next = answers();
    for (const racer of racers) racer.send('go');
    return next;
  };
  expect(await answers()).toEqual(racers.map(() => 'ready'));
  expect(await stepTogether()).toEqual(racers.map(() => 'open'));
  const won: unknown[][] = [];
  for (const _ of ids) won.push(await stepTogether());
  return won;
}

describe('processes on one file', () => {
  test('win each transition once between two', async () => {
    const path = scratchFile();
    const { ledger } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
    const ids: string[] = [];
    for (let n = 0; n < 100; n += 1) ids.push(await filed(ledger));

    for (const answers of await race(path, 2, ids)) expect(new Set(answers)).toEqual(new Set([true, false]));

    for (const id of ids) {
      const { purchase, entries = [] } = (await ledger.record(id)) ?? {};
      expect(entries.map(({ to }) => to)).toEqual(['requested', 'approved']);
      expect(entries[1]?.by).toBe(purchase?.approver);
    }
  });

  test('that start together on nothing make one ledger', async () => {
    const path = scratchFile();
    await race(path, 3, []);
    const { database } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
    expect(await database.read((sql) => sql.all('SELECT version FROM schema_migrations'))).toEqual(EVERY_VERSION);
    expect(await database.read((sql) => sql.all('SELECT id FROM desk'))).toEqual([{ id: 1 }]);
  });
});
