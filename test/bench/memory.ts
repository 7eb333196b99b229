import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BotProcess } from '../support/bot.ts';
import type { Site } from '../support/site.ts';
import { inParallel, readySide, scripted } from './acks.ts';
import { invite, PEOPLE, quiet } from './clicks.ts';
import { alternate, each, type Figure, type Side, short } from './figures.ts';
import { costsOf, openPlace } from './sides.ts';

const CLICKS = Number(process.env['BENCH_CLICKS'] ?? 50_000);
const AT_ONCE = 50;
const ROUNDS = 1;

/** So many clicks on each side, and what is held then. */
export async function measureMemory(): Promise<readonly Figure[]> {
  const site = await openPlace('http');
  try {
    await invite(site);
    const script = await scripted(site);
    const found = await alternate(ROUNDS, (side) => hold(site, side, script));
    const after = `after ${CLICKS.toLocaleString('en')} clicks, ${AT_ONCE} at once`;
    return [
      { what: `memory ${after}`, unit: 'MB', ...each(found, ({ rssMb }) => rssMb), target: 1.5 },
      { what: '– of it the heap, after a collection', unit: 'MB', ...each(found, ({ heapMb }) => heapMb) },
    ];
  } finally {
    site.slack.takeViolations();
    await site.close();
  }
}

async function hold(site: Site, side: Side, script: string) {
  const bot = await watchedSide(site, side, script);
  await clickAround(site, CLICKS);
  await quiet(site);
  const { rssMb } = costsOf(bot);
  const heapMb = await heapOf(bot, 1);
  await bot.end('SIGTERM');
  return { rssMb, heapMb };
}

const SOAK_SECONDS = Number(process.env['BENCH_SOAK_SECONDS'] ?? 600);
const SAMPLES = 10;

/** The product alone, for as long, clicked on all the time. @returns a table in Markdown, and how fast it grows */
export async function soakTable(): Promise<string> {
  const site = await openPlace('http');
  try {
    await invite(site);
    const bot = await watchedSide(site, 'ours', '');
    // What is loaded late and cached once is there by then.
    await clickAround(site, 2_000);
    const began = performance.now();
    const samples: {
      readonly minutes: number;
      readonly clicks: number;
      readonly rssMb: number;
      readonly heapMb: number;
    }[] = [];
    for (let clicks = 0, nth = 0; nth <= SAMPLES; nth += 1) {
      while (performance.now() - began < (nth / SAMPLES) * SOAK_SECONDS * 1_000) {
        await clickAround(site, 500);
        clicks += 500;
      }
      const { rssMb } = costsOf(bot);
      samples.push({
        minutes: (performance.now() - began) / 60_000,
        clicks,
        rssMb,
        heapMb: await heapOf(bot, nth + 1),
      });
    }
    await bot.end('SIGTERM');
    const second = samples.slice(SAMPLES / 2);
    const slope = (of: (sample: (typeof samples)[number]) => number) =>
      slopeOf(second.map((sample) => [sample.minutes, of(sample)]));
    return [
      '| minutes | clicks | memory | heap after a collection |',
      '| --- | --- | --- | --- |',
      ...samples.map(
        ({ minutes, clicks, rssMb, heapMb }) =>
          `| ${minutes.toFixed(1)} | ${clicks.toLocaleString('en')} | ${short(rssMb)} MB | ${short(heapMb)} MB |`,
      ),
      '',
      `In the second half memory grows by ${slope(({ rssMb }) => rssMb).toFixed(2)} MB a minute, the heap after a collection by ${slope(({ heapMb }) => heapMb).toFixed(2)}.`,
    ].join('\n');
  } finally {
    site.slack.takeViolations();
    await site.close();
  }
}

function watchedSide(site: Site, side: Side, script: string): Promise<BotProcess> {
  return readySide(site, side, script, { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'collects.mjs')}` });
}

async function heapOf(bot: BotProcess, nth: number): Promise<number> {
  bot.send('SIGUSR2');
  return Number((await bot.line(`collected ${nth}`))['heapMb']);
}

/** Eight ask for help, one for the balance, and one opens the form. */
async function clickAround(site: Site, count: number): Promise<void> {
  const { slack } = site;
  const [sample] = [await slack.as('U0P0').command('/proxy', 'help')];
  if (!sample) throw new Error('nothing was delivered');
  await inParallel(count, AT_ONCE, async (nth) => {
    const person = slack.as(`U0P${nth % PEOPLE}`);
    const rest = nth % 10;
    if (rest === 0) await person.command('/proxy', 'balance');
    else if (rest === 1) {
      if (person.screen.modal) await person.close({ all: true });
      await person.command('/proxy', 'buy US 1');
    } else {
      const { failure } = await slack.deliver({
        kind: 'slash_commands',
        type: 'command',
        user: person.user,
        body: sample.body,
      });
      if (failure) throw new Error(`not acknowledged: ${failure}`);
    }
    // What the local Slack remembers would slow it down.
    if (nth % 500 === 0) forget(site);
  });
  forget(site);
  await sleep(0);
}

function forget({ slack }: Site): void {
  const { calls, deliveries, state } = slack;
  for (const remembered of [calls, deliveries, state.messages]) remembered.length = 0;
  const open = new Set(Object.values(state.stacks).flat());
  for (const id of Object.keys(state.views)) if (!open.has(id)) delete state.views[id];
}

/** By least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))];
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return over / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
