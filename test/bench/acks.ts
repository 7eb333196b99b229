import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BotProcess } from '../support/bot.ts';
import type { Site } from '../support/site.ts';
import { invite, KINDS, type Kind, PEOPLE, quiet, record, WARM_UP } from './clicks.ts';
import { alternate, each, type Figure, percentile, type Side } from './figures.ts';
import { costsOf, launchSide, openPlace } from './sides.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const AT_ONCE = [1, 50, 200];
/** One after the other they take long. */
const ALONE = 200;
/** No more fresh looks at groups in a minute than Slack guarantees without a wait: by those who decide, and by the lane for what they have approved. */
const ALONE_DECIDING = 6;
const WARM_UP_DECIDING = 20;
const PREPARED_AT_ONCE = 20;
const IDLE_AFTER_MS = 3_000;
/** For a look at some of them: part of what they are called. */
const WANTED = KINDS.filter(({ what }) => what.includes(process.env['BENCH_KIND'] ?? ''));

interface Ack {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  /** Not acknowledged in Slack's time. */
  readonly missed: number;
}

interface Run {
  readonly idleMb: number;
  /** By kind, then by how many at once. */
  readonly acks: readonly (readonly Ack[])[];
}

/** Every kind of click over HTTP, from its delivery to its ack; and the memory before. */
export async function measureAcks(): Promise<readonly Figure[]> {
  const found = await alternate(ROUNDS, inPlace);
  const figures = WANTED.flatMap(({ what }, kind) =>
    AT_ONCE.flatMap((count, index): Figure[] => {
      const pick = (of: (ack: Ack) => number) => each(found, ({ acks }) => of(acks[kind]?.[index] ?? NONE));
      const missed = { what: '– not acknowledged in 3 s', unit: '', ...pick((ack) => ack.missed) };
      return [
        {
          what: `${what}, ${count} at once: acks a second`,
          unit: '/s',
          ...pick((ack) => ack.perSecond),
          target: 0.9,
          moreIsBetter: true,
        },
        { what: '– 99 of 100 within', unit: 'ms', ...pick((ack) => ack.p99Ms), target: 1.15 },
        { what: '– the processor’s time for one, with what follows', unit: 'ms', ...pick((ack) => ack.cpuMs) },
        ...([...missed.bare, ...missed.ours].some((one) => one > 0) ? [missed] : []),
      ];
    }),
  );
  return [...figures, { what: 'memory, idle', unit: 'MB', ...each(found, ({ idleMb }) => idleMb), target: 1.3 }];
}

/** Each run has a place of its own: what another has left to be sent and told would be done in it. */
async function inPlace(side: Side): Promise<Run> {
  const site = await openPlace('http');
  try {
    await invite(site);
    return await run(site, side, side === 'bare' ? await scripted(site) : '');
  } finally {
    site.slack.takeViolations();
    await site.close();
  }
}

const NONE: Ack = { perSecond: Number.NaN, p99Ms: Number.NaN, cpuMs: Number.NaN, missed: 0 };

async function run(site: Site, side: Side, script: string): Promise<Run> {
  let bot = await readySide(site, side, script);
  await sleep(IDLE_AFTER_MS);
  const idleMb = costsOf(bot).rssMb;
  const again = async () => {
    await bot.end('SIGTERM');
    bot = await readySide(site, side, script);
    return bot;
  };
  const acks: Ack[][] = [];
  for (const kind of WANTED) {
    const found: Ack[] = [];
    for (const atOnce of AT_ONCE) {
      const alone = kind.commits ? ALONE_DECIDING : ALONE;
      const count = Math.min(kind.most, atOnce === 1 ? alone : Number.POSITIVE_INFINITY);
      const warmUp = kind.commits ? (atOnce === 1 && kind.warmUpAlone) || WARM_UP_DECIDING : WARM_UP;
      const prepare = Math.min(warmUp + count, kind.again ? PEOPLE : Number.POSITIVE_INFINITY);
      await inParallel(prepare, PREPARED_AT_ONCE, (nth) => prepared(site, kind, nth, side));
      await quiet(site);
      // Rights are asked for as often as Slack guarantees: what was spent on preparing would make people wait.
      const now = kind.commits ? await again() : bot;
      await inParallel(warmUp, kind.commits ? WARM_UP_DECIDING : atOnce, (nth) => kind.click(site, nth));
      found.push(await measure(site, now, kind, atOnce, { from: warmUp, count }));
    }
    acks.push(found);
  }
  await bot.end('SIGTERM');
  return { idleMb, acks };
}

/** What the product says, for the other side to say. @returns the file that holds it */
export async function scripted(site: Site): Promise<string> {
  const script = join(site.folder, 'script.json');
  const bot = await readySide(site, 'ours', '');
  writeFileSync(script, JSON.stringify(await record(site)));
  await bot.end('SIGTERM');
  return script;
}

/** @returns once it answers; clicks go to it from then on. */
export async function readySide(
  site: Site,
  side: Side,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BotProcess> {
  const bot = launchSide(site, side, {
    SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret,
    SCRIPT: script,
    DATABASE: join(site.folder, 'bare.db'),
    ...env,
  });
  const { port } = await bot.line('listening');
  await bot.line('ready to serve');
  site.slack.deliverTo(`http://127.0.0.1:${String(port)}/slack/events`);
  return bot;
}

async function measure(
  site: Site,
  bot: BotProcess,
  kind: Kind,
  atOnce: number,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Ack> {
  await quiet(site);
  // What the local Slack remembers would slow it down.
  site.slack.calls.length = 0;
  site.slack.deliveries.length = 0;
  const cpuBefore = costsOf(bot).cpuMs;
  const before = performance.now();
  const took: number[] = [];
  await inParallel(count, atOnce, async (nth) => {
    const begun = performance.now();
    await kind.click(site, from + nth);
    took.push(performance.now() - begun);
  });
  const perSecond = (count / (performance.now() - before)) * 1_000;
  const missed = site.slack.deliveries.filter(({ failure }) => failure !== null).length;
  await quiet(site);
  return { perSecond, p99Ms: percentile(took, 0.99), missed, cpuMs: (costsOf(bot).cpuMs - cpuBefore) / count };
}

const TRIES = 3;

/** On a busy machine the local Slack may answer too late for somebody's rights. */
async function prepared(site: Site, kind: Kind, nth: number, side: Side): Promise<void> {
  for (let left = TRIES; ; left -= 1)
    try {
      return await kind.prepare(site, nth, side);
    } catch (error) {
      if (left === 1) throw error;
    }
}

/** So many times, of which so many are under way at once. */
export async function inParallel(count: number, atOnce: number, act: (nth: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      await act(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, work));
}
