import { join } from 'node:path';
import { EVERYTHING } from '../../src/ledger/cli/filter.ts';
import { purchaseLines } from '../../src/ledger/cli/output.ts';
import { selectPurchases } from '../../src/ledger/cli/select.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { viewLedger } from '../../src/ledger/view.ts';
import { growLedger } from '../ledger/grown.ts';
import { HOT_PATH } from '../ledger/hot-path.ts';
import { makeScratch } from '../support/scratch-root.ts';
import { short } from './figures.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,100000,1000000').split(',').map(Number);
const ROUNDS = 5;
/** In a row, of which the quickest counts: whatever else the machine does only adds. */
const REPEATED = 5;
const TARGET = 1.5;

const STEPS: typeof HOT_PATH = {
  ...HOT_PATH,
  'the counts of `/metrics`': ({ status }) => status.counts(),
};

/** Every step on ledgers of these sizes, in turns. @returns a table in Markdown. */
export async function growthTable(): Promise<string> {
  using folder = makeScratch();
  const paths = SIZES.map((size) => join(folder.path, `${size}.db`));
  for (const [index, size] of SIZES.entries()) await growLedger(paths[index] ?? '', size);
  const took = new Map<string, number[][]>();
  const keep = (what: string, index: number, ms: number) => {
    const found = took.get(what) ?? SIZES.map(() => []);
    found[index]?.push(ms);
    took.set(what, found);
  };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, path] of paths.entries()) {
      const before = performance.now();
      const opened = await openLedger({ kind: 'sqlite', path });
      keep('start, after an end in order', index, performance.now() - before);
      for (const [what, step] of Object.entries(STEPS)) {
        // Once for the page cache, as in a process that has been at work.
        await step(opened);
        for (let n = 0; n < REPEATED; n += 1) {
          const begun = performance.now();
          await step(opened);
          keep(what, index, performance.now() - begun);
        }
      }
      await opened.close();
    }
  const rows = Array.from(took, ([what, found]) =>
    rowOf(
      what,
      'ms',
      found.map((all) => Math.min(...all)),
    ),
  );
  return [
    `| what | ${SIZES.map((size) => `${size.toLocaleString('en')}`).join(' | ')} | most | target |`,
    `| --- | ${SIZES.map(() => '---').join(' | ')} | --- | --- |`,
    ...rows,
    ...(await listings(paths)),
  ].join('\n');
}

function rowOf(what: string, unit: string, values: readonly number[]): string {
  const [first = Number.NaN] = values;
  const most = Math.max(...values.map((value) => value / first));
  return `| ${what} | ${values.map((value) => `${short(value)} ${unit}`).join(' | ')} | **${short(most)}** | ≤ ${TARGET} ${most <= TARGET ? '✓' : '✗'} |`;
}

/** Of each line, since all of them take as long as there are many; and what is held meanwhile. */
async function listings(paths: readonly string[]): Promise<readonly string[]> {
  const us: number[] = [];
  const held: number[] = [];
  for (const path of paths) {
    const view = await viewLedger({ kind: 'sqlite', path });
    const before = performance.now();
    let lines = 0;
    let most = 0;
    for await (const text of purchaseLines(selectPurchases(view.sql, EVERYTHING))) {
      lines += text.split('\n').length - 1;
      most = Math.max(most, process.memoryUsage.rss());
    }
    us.push(((performance.now() - before) / lines) * 1_000);
    held.push(most / 1e6);
    await view.close();
  }
  return [rowOf('`ledger list --json`, a line', 'µs', us), rowOf('– memory of the process meanwhile', 'MB', held)];
}
