import pg from 'pg';
import { PATIENCE_MS } from '../../sandbox/slack/index.ts';
import { type OpenLedger, openLedger } from '../../src/ledger/open.ts';
import { afterwards, closeAfterwards } from '../ledger/fixture.ts';
import { type Cutter, startCutter } from './cutter.ts';
import { freshDatabase } from './databases.ts';

export async function openAt(url: string, warnings: string[] = [], patienceMs = PATIENCE_MS): Promise<OpenLedger> {
  const warn = (what: string) => warnings.push(what);
  return closeAfterwards(await openLedger({ kind: 'postgres', url }, undefined, { warn, patienceMs }));
}

/** Somebody holds the row that all writes wait for, as a maintenance script might. @returns how it is let go. */
export async function lockDesk(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN; SELECT 1 FROM desk FOR UPDATE');
  afterwards(() => client.end());
  return async () => {
    await client.query('ROLLBACK');
  };
}

/** Without asking again. */
export function openAtOnce(url: string): Promise<OpenLedger> {
  return openAt(url, [], 0);
}

/** A ledger by way of a network that can fail, and a look at it that does not go that way. */
export async function behindCutter(): Promise<OpenLedger & { cutter: Cutter; url: string; books: OpenLedger }> {
  const url = await freshDatabase();
  const cutter = await startCutter(url);
  afterwards(() => cutter.close());
  const books = await openAt(url);
  return { ...(await openAt(cutter.url)), cutter, url, books };
}
