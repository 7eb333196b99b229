import { type OpenLedger, openLedger } from '../../src/ledger/open.ts';
import { afterwards, closeAfterwards } from '../ledger/fixture.ts';
import { type Cutter, startCutter } from './cutter.ts';
import { freshDatabase } from './databases.ts';

export async function openAt(url: string, warnings: string[] = []): Promise<OpenLedger> {
  return closeAfterwards(
    await openLedger({ kind: 'postgres', url }, undefined, { warn: (what) => warnings.push(what), patienceMs: 0 }),
  );
}

/** A ledger by way of a network that can fail, and a look at it that does not go that way. */
export async function behindCutter(): Promise<OpenLedger & { cutter: Cutter; url: string; books: OpenLedger }> {
  const url = await freshDatabase();
  const cutter = await startCutter(url);
  afterwards(() => cutter.close());
  const books = await openAt(url);
  return { ...(await openAt(cutter.url)), cutter, url, books };
}
