import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import openScratchRoot from '../support/scratch-root.ts';
import { measureAcks } from './acks.ts';
import { tableOf } from './figures.ts';
import { growthTable } from './growth.ts';
import { measureLedger } from './ledger.ts';
import { ROOT } from './sides.ts';
import { measureStart } from './start.ts';

// `npm run bench [-- PART …]`: measures, and writes each part into docs/benchmarks.md.

const FILE = join(ROOT, 'docs/benchmarks.md');

const HEAD = `# Benchmarks

What Proxy Desk costs beside the least that does the same: a bare Bolt app of the same version, a bare \`node:sqlite\` script, the disk's own commits. Both sides
run in turns in one go, on the same machine, against the local Slack and vendor of \`sandbox/\`; the ratio is the median of the ratios of neighbouring runs, the
spread their least and most. Absolute numbers are those of one machine that others use too: only the ratios mean something.

The program is measured as it is installed: after \`npm run build\`, by which a start reads few files in place of a thousand (deploy.md). In the very first start Node has not kept anything
compiled yet. As its sources stand the program starts in 1.8 times of bare Bolt, the very first time in 3, and takes 1.6 times of its memory.

What stays above its target, and why:

- **The ledger command** makes sure that what was built is true to the sources (4 ms of the processor), and reads settings and rows through zod (7 ms): half of what it takes beyond the bare script.
- **The counts of \`/metrics\`** count every purchase.
- **The ledger's commits** write a purchase, its entry, its messages and their indexes, where the bare side writes one number; what of it is needless has not been looked into.

Not measured yet: acks that call Slack or commit, 50,000 clicks and a soak of ten minutes, the ledger on PostgreSQL, a crowd of 1,000.
`;

const PARTS: Readonly<Record<string, { readonly title: string; readonly measure: () => Promise<string> }>> = {
  start: { title: 'Start', measure: async () => tableOf(await measureStart()) },
  acks: { title: 'Acks and memory', measure: async () => tableOf(await measureAcks()) },
  ledger: { title: 'Ledger', measure: async () => tableOf(await measureLedger()) },
  growth: { title: 'Growth', measure: growthTable },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

const removeScratch = openScratchRoot();
try {
  for (const [name, { title, measure }] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const text = `${await measure()}\n\n${circumstances(name)}\n`;
    process.stdout.write(`## ${title}\n\n${text}\n`);
    keep(title, text);
  }
} finally {
  removeScratch();
}

function circumstances(name: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.versions.node}`;
  const [load = 0] = loadavg();
  const { BENCH_SIZES: sizes } = process.env;
  const before = name === 'growth' && sizes ? `BENCH_SIZES=${sizes} ` : '';
  return `\`${before}npm run bench -- ${name}\` on ${new Date().toISOString().slice(0, 10)} at ${commit}: ${machine}; load average at the end ${load.toFixed(1)}.`;
}

/** Other parts stay as they were measured. */
function keep(title: string, text: string): void {
  const [, ...parts] = existsSync(FILE) ? readFileSync(FILE, 'utf8').split(/^## /m) : [''];
  const others = parts.filter((part) => !part.startsWith(`${title}\n`));
  const titles = Object.values(PARTS).map((part) => part.title);
  const all = [...others, `${title}\n\n${text}`].map((part) => part.trimEnd());
  const place = (part: string) => titles.indexOf(part.split('\n')[0] ?? '');
  writeFileSync(
    FILE,
    `${[HEAD, ...all.toSorted((a, b) => place(a) - place(b))]
      .join('\n## ')
      .replace(/\n## /g, '\n\n## ')
      .replace(/\n{3,}/g, '\n\n')}\n`,
  );
}
