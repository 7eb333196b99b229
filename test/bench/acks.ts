import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BotProcess } from '../support/bot.ts';
import { BUYER, type Site } from '../support/site.ts';
import { alternate, each, type Figure, percentile, type Side } from './figures.ts';
import { costsOf, launchSide, openPlace } from './sides.ts';

const ROUNDS = 3;
const AT_ONCE = [1, 50, 200];
const CLICKS = 500;
const AFTER_CLICKS = 5_000;
const IDLE_AFTER_MS = 3_000;

interface Run {
  readonly idleMb: number;
  readonly afterMb: number;
  readonly acks: readonly { readonly perSecond: number; readonly p99Ms: number; readonly cpuMs: number }[];
}

/** `/proxy help` over HTTP, which is answered by the ack itself; and the memory before and after many of them. */
export async function measureAcks(): Promise<readonly Figure[]> {
  const site = await openPlace('http');
  try {
    const script = join(site.folder, 'script.json');
    writeFileSync(script, JSON.stringify({ help: await helpOf(site) }));
    const found = await alternate(ROUNDS, (side) => run(site, side, script));
    const perCount = AT_ONCE.flatMap((count, index): Figure[] => {
      const pick = (of: (ack: Run['acks'][number]) => number) => each(found, ({ acks }) => of(acks[index] ?? NONE));
      const what = `\`/proxy help\`, ${count} at once`;
      return [
        {
          what: `${what}: acks a second`,
          unit: '/s',
          ...pick((ack) => ack.perSecond),
          target: 0.9,
          moreIsBetter: true,
        },
        { what: '– 99 of 100 within', unit: 'ms', ...pick((ack) => ack.p99Ms), target: 1.15 },
        { what: '– the processor’s time for one', unit: 'ms', ...pick((ack) => ack.cpuMs) },
      ];
    });
    return [
      ...perCount,
      { what: 'memory, idle', unit: 'MB', ...each(found, ({ idleMb }) => idleMb), target: 1.3 },
      {
        what: `memory after ${AFTER_CLICKS} clicks`,
        unit: 'MB',
        ...each(found, ({ afterMb }) => afterMb),
        target: 1.5,
      },
    ];
  } finally {
    site.slack.takeViolations();
    await site.close();
  }
}

const NONE = { perSecond: Number.NaN, p99Ms: Number.NaN, cpuMs: Number.NaN };

async function run(site: Site, side: Side, script: string): Promise<Run> {
  const bot = await ready(site, side, script);
  await sleep(IDLE_AFTER_MS);
  const idleMb = costsOf(bot).rssMb;
  await click(site, CLICKS, 50);
  const acks: Run['acks'][number][] = [];
  for (const atOnce of AT_ONCE) {
    const cpuBefore = costsOf(bot).cpuMs;
    const before = performance.now();
    const took = await click(site, CLICKS, atOnce);
    const perSecond = (CLICKS / (performance.now() - before)) * 1_000;
    acks.push({ perSecond, p99Ms: percentile(took, 0.99), cpuMs: (costsOf(bot).cpuMs - cpuBefore) / CLICKS });
  }
  await click(site, AFTER_CLICKS, 50);
  const afterMb = costsOf(bot).rssMb;
  await bot.end('SIGTERM');
  return { idleMb, afterMb, acks };
}

async function ready(site: Site, side: Side, script: string): Promise<BotProcess> {
  const bot = launchSide(site, side, { SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret, SCRIPT: script });
  const { port } = await bot.line('listening');
  await bot.line('ready to serve');
  site.slack.deliverTo(`http://127.0.0.1:${String(port)}/slack/events`);
  return bot;
}

/** What the product says, for the other side to say. */
async function helpOf(site: Site): Promise<unknown> {
  const bot = await ready(site, 'ours', '');
  const delivery = await site.slack.as(BUYER).command('/proxy', 'help');
  await bot.end('SIGTERM');
  return delivery?.ack;
}

/** @returns how long each ack took, in milliseconds. */
async function click(site: Site, count: number, atOnce: number): Promise<readonly number[]> {
  const { slack } = site;
  const [sample] = slack.deliveries;
  if (!sample) throw new Error('nothing was delivered yet');
  const took: number[] = [];
  let left = count;
  const work = async () => {
    for (; left > 0; ) {
      left -= 1;
      const before = performance.now();
      const { failure } = await slack.deliver({
        kind: 'slash_commands',
        type: 'command',
        user: BUYER,
        body: sample.body,
      });
      if (failure) throw new Error(`not acknowledged: ${failure}`);
      took.push(performance.now() - before);
      // What the local Slack remembers would slow it down.
      slack.deliveries.length = 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return took;
}
