import { channel } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { startSlack } from '../../sandbox/slack/index.ts';
import { createLog, slackLogger } from '../../src/runtime/log.ts';
import { SlackSocket } from '../../src/slack/socket.ts';
import type { BotProcess } from '../support/bot.ts';
import { movableClock } from '../support/clock.ts';
import { whileTimePasses } from '../support/passing.ts';
import { BUYER } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';

const MODALS = 300;
const RECONNECTS = 50;
/** The first ones fill caches and pools. */
const WARM_UP = 50;

describe('a long life', () => {
  it('keeps no file or socket of forms that were opened and abandoned', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    await openAndAbandon(WARM_UP);
    const before = measure(bot);
    await openAndAbandon(MODALS);
    const after = measure(bot);
    console.info(
      `${MODALS} abandoned forms: ${before.files} → ${after.files} files, resident ${(after.resident / before.resident).toFixed(2)} times`,
    );
    // A pool may hold one connection more or less.
    expect(after.files).toBeLessThanOrEqual(before.files + 3);

    async function openAndAbandon(count: number): Promise<void> {
      const person = site.slack.as(BUYER);
      for (let n = 0; n < count; n += 1) {
        await person.command('/proxy', 'buy US 1');
        await person.waitFor((screen) => screen.modal?.submit);
        await person.close({ all: true });
      }
    }
  });

  it('keeps no timer, socket or listener of connections that have ended', async ({ onTestFinished }) => {
    const slack = await startSlack();
    onTestFinished(() => slack.close());
    const clock = movableClock();
    const log = createLog('silent', [], {});
    const socket = new SlackSocket({
      appToken: slack.tokens.app,
      slackApiUrl: slack.apiUrl,
      logger: slackLogger(log),
      clock,
      log,
    });
    const connectAgain = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const { promise: exchanged, resolve } = Promise.withResolvers<void>();
        const happened = new Set<string>();
        const off = slack.on(({ type }) => {
          happened.add(type);
          if (happened.has('socket_opened') && happened.has('socket_closed')) resolve();
        });
        if (n % 5 === 0) slack.faults.add('apps.connections.open', { kind: 'error', code: 'internal_error' });
        clock.advance(3_600_000);
        if (n % 2 === 0) slack.sockets.drop();
        else slack.sockets.disconnect();
        await whileTimePasses({ slack, clock }, exchanged);
        off();
      }
    };
    const held = () => {
      const resources = process.getActiveResourcesInfo();
      return ['Timeout', 'TCPSocketWrap'].map((kind) => resources.filter((name) => name === kind).length);
    };
    await socket.start();
    await connectAgain(10);
    const before = held();
    await connectAgain(RECONNECTS);
    const after = held();
    console.info(`${RECONNECTS} reconnects: timers and sockets ${before.join()} → ${after.join()}`);
    for (const [kind, count] of after.entries()) expect(count).toBeLessThanOrEqual((before[kind] ?? 0) + 3);
    await socket.stop();
    expect(channel('undici:websocket:pong').hasSubscribers).toBe(false);
  });
});

function measure({ pid }: BotProcess): { readonly files: number; readonly resident: number } {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return { files: readdirSync(`/proc/${pid}/fd`).length, resident: pages };
}
