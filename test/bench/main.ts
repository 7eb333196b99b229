import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import openScratchRoot from '../support/scratch-root.ts';
import { measureAcks } from './acks.ts';
import { crowdTable } from './crowd.ts';
import { tableOf } from './figures.ts';
import { growthTable } from './growth.ts';
import { ledgerTable } from './ledger.ts';
import { measureMemory, soakTable } from './memory.ts';
import { build, ROOT, refuseUnbuilt } from './sides.ts';
import { measureStart } from './start.ts';

// `npm run bench [-- PART …]`: measures, and writes each part into docs/benchmarks.md. `soak` is measured only where it is named.

const FILE = join(ROOT, 'docs/benchmarks.md');

const HEAD = `# Benchmarks

What Proxy Desk costs beside the least that does the same: a bare Bolt app of the same version, a bare \`node:sqlite\` script, the disk's own commits. Both sides
run in turns in one go, on the same machine, against the local Slack and vendor of \`sandbox/\`; the ratio is the median of the ratios of neighbouring runs, the
spread their least and most. Absolute numbers are those of one machine that others use too: only the ratios mean something.

The program is measured as it is installed: after \`npm run build\`, by which a start reads few files in place of a thousand (deploy.md). In the very first start Node has not kept anything
compiled yet. As its sources stand the program starts in 1.8 times of bare Bolt, the very first time in 3, and takes 1.6 times of its memory.

What stays beyond its target, and why:

- **A form** does more than the bare one: whoever opens it is asked for rights, what they have bought of late and what it would cost is looked up, and each click in it is noted in the ledger, so that nothing typed is lost
  (without a flush, as is the balance that is read for it). Among many at once commits, calls to Slack and readings of the balance are shared, which the bare side cannot: that is where balances, forms, submits and approvals are quicker.
  One after the other there is nothing to share. Two hundred at once are one burst, soon over, and some two hundred clicks or six decisions one after the other are few: there the ratios differ much between runs (their spread).
  Whoever decides in a process that has just begun (below) meets code that has hardly run yet, of which the product has more.
- **Type-ahead** does little on either side. Of the processor’s time for it the product’s own code takes 6 % (half of that the search); the rest is Bolt’s and Node’s.
- **Clicks that decide** ask Slack for rights that are read afresh, and Slack guarantees 20 such calls a minute: whoever decides when half of them are used up, by clicks or by the lane, waits 0.2 to 1.8 s for a call to share rather
  than being refused. The bare side asks as often as it likes, which Slack would refuse. So each of these measurements begins with a process of its own, and no more are made one after the other than meet no such wait.
- **The ledger's commits.** Those of one moment go to the disk together, but a purchase by itself needs two ways there (sending, and its outcome), and each of its four steps keeps the processor for 0.1 to 0.16 ms: the
  purchase, its entry, the counts, the indexes by which each is found, the triggers that forbid what must not be, and the reads that a rule decides on. A step writes 7 to 12 pages, where the bare commit writes one. A bare commit
  takes 0.09 to 0.14 ms on the machines that this was measured on, no more than that. With each flush made longer (by a library loaded before the C library's), what counts is the disk: where a bare commit takes 0.3 ms the ratio is 0.7, at 0.5 ms it is 0.97, at 1.1 ms 1.4. On
  PostgreSQL each step is five or six ways to the server and back, one after the other, since what is written depends on what was read. The server keeps what it has planned, but each way takes about as long as half of a bare commit, and
  the server itself works for about 0.9 ms on a step, a third of it on the one UPDATE: its conditions, its triggers, its indexes. The least that a step could be there (lock the desk, read a purchase, write
  it with its entry, commit; no rule, no condition, no trigger) is 0.4 of bare commits.

What the commits and calls of a purchase are for (below the table of the ledger): whoever fills in a form finds it again (a commit a click); the request, its decision, the moment before the money may leave, the answer, the
outcome and three readings of the balance are each on disk before anybody is told (about 10); the lane is leased by one process (about 4). All else is messages: card, receipt and news are leased, posted or edited where they
change, and noted as shown, so that none is lost and each is as the ledger is (about 20, and 12 of the calls). Rights are asked for afresh by each click that decides and by the lane (8 calls).

Each part is a command of its own, \`npm run bench -- PART\`: \`start\`, \`acks\` (part of them with \`BENCH_KIND\`, \`BENCH_ROUNDS\` for fewer rounds), \`memory\` (\`BENCH_CLICKS\`), \`soak\`
(\`BENCH_SOAK_SECONDS\`; only where it is asked for), \`ledger\`, \`growth\` (\`BENCH_SIZES\`), \`crowd\` (\`BENCH_TROUBLE_SECONDS\`).
`;

interface Part {
  readonly title: string;
  readonly measure: () => Promise<string>;
  /** It takes so long that it is to be asked for. */
  readonly long?: true;
}

const PARTS: Readonly<Record<string, Part>> = {
  start: { title: 'Start', measure: async () => tableOf(await measureStart()) },
  acks: { title: 'Acks', measure: async () => tableOf(await measureAcks()) },
  memory: { title: 'Memory', measure: async () => tableOf(await measureMemory()) },
  soak: { title: 'Soak', measure: soakTable, long: true },
  ledger: { title: 'Ledger', measure: ledgerTable },
  growth: { title: 'Growth', measure: growthTable },
  crowd: { title: 'Crowd', measure: crowdTable },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

const removeScratch = openScratchRoot();
try {
  build();
  for (const [name, { title, measure, long }] of Object.entries(PARTS)) {
    if (wanted.length > 0 ? !wanted.includes(name) : long) continue;
    const measured = await measure();
    refuseUnbuilt();
    const text = `${measured}\n\n${circumstances(name)}\n`;
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
  const set = Object.entries(process.env).filter(([variable]) => variable.startsWith('BENCH_'));
  const before = set.map(([variable, value]) => `${variable}=${value} `).join('');
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
