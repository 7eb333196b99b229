import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect } from 'vitest';
import type { Delivery } from '../../sandbox/slack/index.ts';
import type { BotProcess } from '../support/bot.ts';
import { dice } from '../support/random.ts';
import { BUYER, BUYER2, LEAD, LEAD2, policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import {
  approve,
  cardsOf,
  connections,
  directsOf,
  file,
  fileQuietly,
  openDecision,
  played,
  told,
} from '../support/site-steps.ts';
import { startCutter } from './cutter.ts';
import { freshDatabase } from './databases.ts';

const CLEAN = { code: 0, signal: null };

/** Whatever a replica says that loses its database or its Slack in the middle of something. */
const TROUBLE = /a worker had trouble|could not be stored yet|could not be delivered|a listener failed/;

describe.concurrent('replicas on one PostgreSQL', () => {
  it('three of them, killed at random, send each purchase once, tell it, and agree with the vendor', async ({
    open,
  }) => {
    const seed = Number(process.env['REPLICAS_SEED'] ?? 7);
    const chance = dice(seed);
    const postgres = await freshDatabase();
    const site = await open({ postgres, expected: TROUBLE, env: { PROXY_API_TIMEOUT_MS: '1000' } });
    site.slack.settings.allowLateAck = true;
    const replicas = await Promise.all([1, 2, 3].map(() => site.start()));
    const ids: string[] = [];
    for (let n = 1; n <= 6; n += 1) ids.push(await fileQuietly(site, `US ${n}`, n % 2 ? BUYER : BUYER2));
    for (const id of ids) await site.slack.as(LEAD).waitFor(() => cardsOf(site, id).length > 0);
    site.vendor.always('create', { name: 'slow', ms: 120 });

    let over = false;
    const killing = (async () => {
      for (let kills = 0; kills < 5 && !over; kills += 1) {
        // Between two steps of the others, or in the middle of one: the seed and the machine decide.
        await new Promise((resolve) => setTimeout(resolve, 100 + chance.below(500)));
        const at = chance.below(3);
        const victim = replicas[at];
        await victim?.end('SIGKILL');
        if (victim) await letItsLeasesEnd(postgres, attemptsOf(victim));
        replicas[at] = await site.start();
      }
    })();
    try {
      for (const [n, id] of ids.entries()) await approveSomehow(site, id, n % 2 ? LEAD : LEAD2);
    } finally {
      over = true;
      await killing;
    }

    const settled = (lines: readonly { state: string }[]) =>
      lines.every(({ state }) => state === 'completed' || state === 'unknown');
    const lines = await site.untilLedger(settled);
    expect(lines.map(({ id }) => id)).toEqual(ids);
    for (const { id, state } of lines)
      await site.slack
        .as(LEAD)
        .waitFor(() => directsOf(site, id, BUYER).concat(directsOf(site, id, BUYER2)).length > 1)
        .catch(() => Promise.reject(new Error(`nobody heard of ${id}, ${state}; seed ${seed}`)));
    expect(site.vendor.posts).toBeLessThanOrEqual(ids.length);
    // Money for which nobody has the answer is never called anything but unknown: the fixture compares ledger and vendor.
    expect(lines.filter(({ state }) => state === 'completed').length).toBeGreaterThan(0);
  });

  it('are exchanged for new ones behind a load balancer, one by one, without a lost click', async ({
    open,
    onTestFinished,
  }) => {
    const site = await open({ postgres: await freshDatabase(), env: { SLACK_APP_TOKEN: '' } });
    const http = { SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret };
    /** The balancer turns to this one as soon as it is ready. */
    const takeOver = async () => {
      const bot = await site.start(http);
      const { port } = await bot.line('listening');
      site.slack.deliverTo(`http://127.0.0.1:${String(port)}/slack/events`);
      return bot;
    };
    let current = await takeOver();
    const id = await file(site, 'DE 3');
    const lead = await openDecision(site, id, 'Approve');
    const clicks = clicking(site, onTestFinished);
    for (let exchanged = 0; exchanged < 2; exchanged += 1) {
      const next = await takeOver();
      await clicks.answered();
      await clicks.answered();
      expect(await current.end('SIGTERM')).toEqual(CLEAN);
      current = next;
    }
    const deliveries = await clicks.stop();
    expect(deliveries.filter(({ failure }) => failure !== null)).toEqual([]);

    // A modal that one of the old ones has opened.
    await lead.submit('Approve');
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('are exchanged in Socket Mode: others answer all along; a click can be lost only on the wire, as the connection closes', async ({
    open,
    onTestFinished,
  }) => {
    const site = await open({ postgres: await freshDatabase() });
    const old = [await site.start(), await site.start()];
    const id = await file(site, 'DE 4');
    const lead = await openDecision(site, id, 'Approve');
    const clicks = clicking(site, onTestFinished);
    for (const bot of old) {
      await site.start();
      expect(await bot.end('SIGTERM')).toEqual(CLEAN);
    }
    await clicks.answered();
    const deliveries = await clicks.stop();
    const lost = deliveries.filter(({ failure }) => failure !== null);
    // One at a time is clicked, so that each parting meets one at most.
    expect(lost.length).toBeLessThanOrEqual(old.length);
    expect(site.slack.takeViolations().length).toBe(lost.length);

    await lead.submit('Approve');
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('that stop answer first those whose click they have', async ({ open }) => {
    const site = await open({ postgres: await freshDatabase() });
    const bot = await site.start();
    const id = await file(site, 'DE 5');
    const lead = await openDecision(site, id, 'Approve');
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const held = site.slack.faults.add('users.info', { kind: 'hold', until });
    const submitting = lead.submit('Approve');
    await played(site, held);
    bot.send('SIGTERM');
    await bot.line(({ msg }) => msg.startsWith('stopping: '));
    release();
    expect((await submitting).delivery).toMatchObject({ failure: null });
    expect(await bot.exited).toEqual(CLEAN);
    expect((await site.ledger())[0]).toMatchObject({ id, approver: LEAD });
  });

  it('of which one uses another vendor address and policy say so, at its start, in the log of the old one, and in the metrics', async ({
    open,
  }) => {
    const site = await open({ postgres: await freshDatabase() });
    const first = await site.start();
    await first.until('/metrics', 200, 'proxy_desk_instances 1');
    writeFileSync(join(site.folder, 'second.yml'), policyText('expire_after: 12h'));
    const second = await site.start({
      POLICY_FILE: 'second.yml',
      PROXY_API_BASE_URL: site.vendor.baseUrl.replace('127.0.0.1', 'localhost'),
    });
    const says = (bot: BotProcess, words: RegExp) =>
      bot.line(({ msg, level }) => level === 'warn' && msg.startsWith('another process') && words.test(msg));
    await says(second, /another policy and vendor address or account, .*it was started earlier; restart it/);
    await says(first, /another policy and vendor address or account, .*this one was started earlier; restart it/);
    await second.until('/metrics', 200, 'proxy_desk_instances_different 1');
    expect(second.lines.filter(({ msg }) => msg.includes('another policy'))).toHaveLength(1);
  });

  it('of which one is cut off from the database leave clicks to the others, and it comes back by itself', async ({
    open,
  }) => {
    const postgres = await freshDatabase();
    const cutter = await startCutter(postgres);
    const site = await open({ postgres, expected: TROUBLE });
    const cut = await site.start({ DATABASE_URL: cutter.url });
    const well = await site.start();
    await Promise.all([cut, well].map((bot) => bot.until('/metrics', 200, 'proxy_desk_instances 2')));
    cutter.down();
    await cut.line(({ msg }) => msg.endsWith('Slack is left to the other processes'));
    await connections(site, 1);
    await cut.until('/readyz', 503, 'the ledger cannot be used');
    const person = site.slack.as(BUYER);
    for (let clicks = 1; clicks <= 20; clicks += 1) {
      expect(await person.command('/proxy', 'requests')).toMatchObject({ failure: null });
      await person.waitFor((screen) => screen.ephemerals.length === clicks);
    }
    expect(person.screen.ephemerals.map((message) => person.read(message)).join()).not.toMatch(/reference/);

    await cutter.up();
    await cut.ready();
    await connections(site, 2);
    expect(await well.end('SIGTERM')).toEqual(CLEAN);
    const id = await file(site, 'DE 6');
    await approve(site, id);
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    await cut.end('SIGTERM');
    await cutter.close();
  });

  it('that are all cut off leave one with Slack, which tells people so', async ({ open }) => {
    const postgres = await freshDatabase();
    const cutter = await startCutter(postgres);
    const site = await open({ postgres, expected: TROUBLE, env: { DATABASE_URL: cutter.url } });
    const bots = [await site.start(), await site.start()];
    await Promise.all(bots.map((bot) => bot.until('/metrics', 200, 'proxy_desk_instances 2')));
    cutter.down();
    await bots[1]?.line(({ msg }) => /nobody else is connected to Slack: this process stays/.test(msg));
    await bots[0]?.line(({ msg }) => msg.endsWith('Slack is left to the other processes'));
    await connections(site, 1);
    const person = site.slack.as(BUYER);
    expect(await person.command('/proxy', 'requests')).toMatchObject({ failure: null });
    await person.waitFor(/reference/);

    await cutter.up();
    await Promise.all(bots.map((bot) => bot.ready()));
    await connections(site, 2);
    await Promise.all(bots.map((bot) => bot.end('SIGTERM')));
    await cutter.close();
  });

  it('tell the truth about a database that is away, and serve again as soon as it is back', async ({ open }) => {
    const postgres = await freshDatabase();
    const cutter = await startCutter(postgres);
    const site = await open({ postgres, expected: TROUBLE });
    const bot = await site.start({ DATABASE_URL: cutter.url });
    const id = await file(site, 'FR 2');
    cutter.down();
    await bot.until('/readyz', 503, 'the ledger');
    expect((await bot.get('/healthz')).status).toBe(200);
    const { text } = await bot.get('/metrics');
    expect(text).toContain('proxy_desk_ready 0');
    expect(text).toContain('proxy_desk_slack_call_seconds_count');
    expect(text).not.toContain('proxy_desk_purchases{');

    const buyer = site.slack.as(BUYER);
    const asked = await buyer.command('/proxy', 'requests');
    expect(asked).toMatchObject({ failure: null });
    await buyer.waitFor(/reference/);
    await bot.line(({ level, msg }) => level === 'warn' && /no other process was seen on it: this one stays/.test(msg));
    expect(site.vendor.posts).toBe(0);

    await cutter.up();
    await bot.ready();
    await approve(site, id);
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    await bot.end('SIGTERM');
    await cutter.close();
  });
});

/** Attempts that this process has begun, as its log says, and of which it told no end. */
function attemptsOf(bot: BotProcess): readonly string[] {
  const of = (msg: string) => bot.lines.filter((line) => line.msg === msg).map((line) => String(line['attemptId']));
  return of('sending').filter((attempt) => !of('answered').includes(attempt));
}

/** A process that was killed holds nobody up for so long as it would; kill.test.ts shows that its deadline is real. */
async function letItsLeasesEnd(url: string, attempts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // In the order in which the bot takes its locks.
  await client.query(`BEGIN; SELECT 1 FROM desk WHERE id = 1 FOR UPDATE; UPDATE desk SET head_until = 0;
    UPDATE notices SET claimed_until = 0; UPDATE readings SET claimed_until = 0`);
  await client.query(
    `UPDATE purchases SET attempt_deadline = attempt_deadline - 600000,
       attempt = CAST(jsonb_set(CAST(attempt AS jsonb), '{deadline}', to_jsonb(attempt_deadline - 600000)) AS TEXT)
     WHERE state = 'sending' AND CAST(attempt AS jsonb) ->> 'id' = ANY ($1)`,
    [attempts],
  );
  await client.query('COMMIT');
  await client.end();
}

/** As people do: when it did not work, they look, and try again. */
async function approveSomehow(site: Site, id: string, as: string): Promise<void> {
  const isOpen = async () => (await site.ledger()).some((line) => line.id === id && line.state === 'requested');
  const person = site.slack.as(as);
  for (let tries = 0; tries < 50 && (await isOpen()); tries += 1) {
    try {
      if (person.screen.modal) await person.close({ all: true });
      await approve(site, id, as);
    } catch {
      // The replica that had the click is gone.
    }
  }
  if (await isOpen()) throw new Error(`${id} could not be approved`);
}

interface Clicks {
  /** Resolves when a click that was made after now has been answered. */
  readonly answered: () => Promise<void>;
  readonly stop: () => Promise<readonly Delivery[]>;
}

/** Somebody who goes on and on, one click after the other, to the end of the test: each is to be answered by whoever is there. */
function clicking(site: Site, onTestFinished: (action: () => void) => void): Clicks {
  const person = site.slack.as(BUYER2);
  const deliveries: Delivery[] = [];
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  const all = (async () => {
    while (!over) {
      const delivery = await person.command('/proxy', 'help');
      // Where nobody is left to answer, each fails at once, and this would leave no turn to anything else.
      await nextTurn();
      if (delivery) deliveries.push(delivery);
    }
    return deliveries;
  })();
  return {
    async answered() {
      const before = deliveries.length;
      // The one that is under way was made before.
      await person.waitFor(() => deliveries.length > before + 1);
    },
    stop() {
      over = true;
      return all;
    },
  };
}
