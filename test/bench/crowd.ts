import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../sandbox/slack/index.ts';
import type { BotProcess } from '../support/bot.ts';
import type { Site } from '../support/site.ts';
import { askFor } from '../support/site-steps.ts';
import { inParallel } from './acks.ts';
import { invite, PEOPLE } from './clicks.ts';
import { percentile, short } from './figures.ts';
import { launchSide, openPlace } from './sides.ts';

const REPLICAS = [1, 3];
const CROWD = 1_000;
/** How long Slack refuses, and how often somebody clicks meanwhile. */
const TROUBLE_S = Number(process.env['BENCH_TROUBLE_SECONDS'] ?? 60);
const CLICK_EVERY_MS = 100;
const PATIENCE_MS = 120_000;

interface Acked {
  readonly deliveries: readonly Delivery[];
  /** What became of what was not an ack. */
  readonly rest: string;
}

const SCENES: Readonly<Record<string, (site: Site) => Promise<Acked>>> = {
  [`${CROWD.toLocaleString('en')} people click at once`]: atOnce,
  [`Slack answers 429 to everything for ${TROUBLE_S} s`]: whileSlackRefuses,
  'the vendor hangs': whileVendorHangs,
};

/** What is acknowledged when, and what waits, with one process and with three on one ledger. @returns a table in Markdown */
export async function crowdTable(): Promise<string> {
  const lines: string[] = [];
  for (const [what, scene] of Object.entries(SCENES))
    for (const replicas of REPLICAS) {
      const site = await openPlace('socket', {
        slack: { now: Date.now, settings: { ackLimitMs: 3_000, allowLateAck: true } },
      });
      try {
        await invite(site, CROWD);
        const bots: BotProcess[] = [];
        for (let n = 0; n < replicas; n += 1) {
          const bot = launchSide(site, 'ours');
          await bot.line('ready to serve');
          bots.push(bot);
        }
        const { deliveries, rest } = await scene(site);
        const took = deliveries.flatMap(({ ackMs }) => ackMs ?? []);
        const late = deliveries.filter(({ failure }) => failure !== null).length;
        lines.push(
          `| ${what} | ${replicas} | ${deliveries.length.toLocaleString('en')} | ${[0.5, 0.99, 1].map((share) => `${short(percentile(took, share))} ms`).join(' | ')} | ${late} | ${rest} |`,
        );
        for (const bot of bots) await bot.end('SIGTERM');
      } finally {
        site.slack.takeViolations();
        await site.close();
      }
    }
  return [
    '| what | processes | clicks | half within | 99 of 100 within | all within | not acknowledged in 3 s | what waits |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Four ask for help, two for the balance, and four open the form. */
async function click(site: Site, nth: number): Promise<void> {
  const person = site.slack.as(`U0P${nth % CROWD}`);
  const text = ['help', 'buy US 1', 'balance', 'buy US 1', 'help'][nth % 5] ?? 'help';
  await person.command('/proxy', text);
}

async function atOnce(site: Site): Promise<Acked> {
  const { slack } = site;
  slack.deliveries.length = 0;
  const before = performance.now();
  await inParallel(CROWD, CROWD, (nth) => click(site, nth));
  const deliveries = [...slack.deliveries];
  // Slack lets a trigger live for 3 s: whoever's has run out is told to click again.
  const calls = await calm(site);
  const opened = calls.filter(({ method, answer }) => method === 'views.open' && answer?.['ok'] === true).length;
  const wanted = deliveries.filter(({ body }) => String(body['text']).startsWith('buy')).length;
  return { deliveries, rest: `all is answered after ${seconds(before)} s; ${opened} of ${wanted} forms were opened` };
}

async function whileSlackRefuses(site: Site): Promise<Acked> {
  const { slack } = site;
  // What is owed to people when it begins.
  await filed(site, 20);
  const rule = slack.faults.add('*', { kind: 'rate_limit', retryAfter: 5 }, { times: Number.POSITIVE_INFINITY });
  slack.deliveries.length = 0;
  const clicks: Promise<void>[] = [];
  for (const until = performance.now() + TROUBLE_S * 1_000; performance.now() < until; ) {
    clicks.push(click(site, clicks.length));
    await sleep(CLICK_EVERY_MS);
  }
  await Promise.all(clicks);
  const deliveries = [...slack.deliveries];
  const asked = rule.hits;
  rule.clear();
  const before = performance.now();
  await untilDelivered(site);
  return {
    deliveries,
    rest: `${asked} calls were refused; what was owed is told ${seconds(before)} s after Slack takes it again`,
  };
}

async function whileVendorHangs(site: Site): Promise<Acked> {
  const { slack, vendor } = site;
  vendor.always('balance', { name: 'hold' });
  const before = performance.now();
  slack.deliveries.length = 0;
  await inParallel(PEOPLE, 50, (nth) => click(site, nth));
  const deliveries = [...slack.deliveries];
  await calm(site);
  const told = seconds(before);
  const held = vendor.held;
  vendor.behave();
  vendor.release();
  return { deliveries, rest: `all is answered after ${told} s, without the balance; ${held} calls to the vendor hung` };
}

/** Requests that wait for a decision; their cards and receipts are being posted. */
async function filed(site: Site, count: number): Promise<void> {
  await inParallel(count, 5, async (nth) => {
    const person = await askFor(site, `US ${nth + 1}`, `U0P${nth}`);
    await person.submit('Ask for approval');
  });
}

async function untilDelivered(site: Site): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  const owed = async () =>
    Number((await site.rows('SELECT COUNT(*) AS count FROM notices WHERE pending = 1'))[0]?.['count']);
  while ((await owed()) > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${await owed()} messages were never posted`);
    await sleep(200);
  }
}

/** Until nothing is asked of Slack for a second. @returns all that was */
async function calm({ slack }: Site) {
  for (let before = -1; before !== slack.calls.length; ) {
    before = slack.calls.length;
    await sleep(1_000);
  }
  return slack.calls;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
