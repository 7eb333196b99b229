import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../src/ledger/open.ts';
import { makeScratch } from '../support/scratch-root.ts';
import { aPurchase, subjectOf } from './purchases.ts';

// What the ledger costs here: `node test/ledger/bench.ts [purchases]`.

const count = Number(process.argv[2] ?? 2000);
using folder = makeScratch();
const path = join(folder.path, 'desk.db');

async function timed<T>(what: string, times: number, work: () => Promise<T>): Promise<T> {
  const before = performance.now();
  const result = await work();
  const ms = performance.now() - before;
  console.log(`${what}: ${Math.round((times / ms) * 1000)} a second (${(ms / times).toFixed(2)} ms each)`);
  return result;
}

const { ledger, close } = await openLedger({ kind: 'sqlite', path });
const ids = await timed('filings', count, async () => {
  const filed: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const purchase = aPurchase({ requesterPerson: `U${n % 500}` });
    filed.push(await ledger.file(subjectOf(purchase), () => ({ result: purchase.id, file: purchase })));
  }
  return filed;
});
await timed('transitions', count, async () => {
  for (const id of ids) await ledger.change(id, () => ({ result: null, by: 'U0BEN', to: 'rejected' }));
});
await close();
console.log(`file: ${(statSync(path).size / 1e6).toFixed(1)} MB for ${count} purchases`);
const again = await timed('starts, with the integrity check', 1, () => openLedger({ kind: 'sqlite', path }));
await again.close();
