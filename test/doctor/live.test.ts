import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import type { Finding } from '../../src/slack/checks.ts';
import { movableClock } from '../support/clock.ts';
import { BUYER, CHANNEL, policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { connections } from '../support/site-steps.ts';
import { examine } from './examine.ts';

const QUESTION = /Please press the button/;

/** What it tried in the workspace itself. */
async function live(site: Site, given: Parameters<typeof examine>[2] = {}) {
  const { code, out, err } = await examine(site, ['--json', '--live', BUYER], given);
  const lines = out.split('\n').slice(0, -1);
  const found = lines.map((line) => JSON.parse(line) as Finding).filter(({ check }) => check.startsWith('live'));
  return { code, err, found };
}

const right = (check: string) => expect.objectContaining({ check, verdict: 'right' });

const PORT = 'live: connection';

describe.concurrent('the doctor in a live workspace', () => {
  it('posts, edits and deletes a message, and gets the press of its button; nothing but an answer stays', async ({
    open,
  }) => {
    const site = await open();
    const looking = live(site);
    const person = site.slack.as(BUYER);
    await person.waitFor(QUESTION);
    await person.pressOn(QUESTION, 'I see it');
    const { code, err, found } = await looking;
    expect({ code, found }).toEqual({
      code: 0,
      found: [right('live: channel'), right('live: direct message'), right('live: button')],
    });
    expect(err).toMatch(/press the button/);
    expect(person.screen.channels['approvals']).toEqual([]);
    expect(site.slack.callsTo('chat.delete')).toHaveLength(1);
    expect(person.screen.dm.map((message) => person.read(message))).toEqual([
      expect.stringMatching(/^Seen, thank you/),
    ]);
    await connections(site, 0);
  });

  it('gets it in HTTP mode too, at the address that Slack asks', async ({ open }) => {
    const site = await open();
    const port = await freePort();
    site.slack.deliverTo(`http://127.0.0.1:${port}/slack/events`);
    const env = {
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret,
      PORT: String(port),
    };
    const looking = live(site, { env });
    const person = site.slack.as(BUYER);
    await person.waitFor(QUESTION);
    await person.pressOn(QUESTION, 'I see it');
    expect(await looking).toMatchObject({ code: 0 });
  });

  it('says what to look at where no press arrives, and takes the button away', async ({ open }) => {
    const site = await open();
    const clock = movableClock();
    const hear = () => setImmediate(() => clock.advance(120_000));
    const { code, found } = await live(site, { clock, hear });
    const person = site.slack.as(BUYER);
    expect(code).toBe(1);
    expect(found.at(-1)).toMatchObject({
      check: 'live: button',
      verdict: 'wrong',
      remedy: expect.stringMatching(/Interactivity/),
    });
    expect(person.screen.dm.map((message) => person.read(message))).toEqual(['Nobody pressed the button in time.']);
  });

  it('does not ask for a press that the running bot might get', async ({ open }) => {
    const site = await open();
    await site.start();
    const { code, found } = await live(site);
    expect(code).toBe(1);
    expect(found).toEqual([
      right('live: channel'),
      expect.objectContaining({
        check: PORT,
        found: expect.stringMatching(/1 other connection/),
        remedy: expect.stringMatching(/stop the bot/),
      }),
    ]);
    expect(site.slack.as(BUYER).screen.dm).toEqual([]);
    await connections(site, 1);
  });

  it('says so where the bot has the port', async ({ open }) => {
    const site = await open();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const env = {
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: site.slack.tokens.signingSecret,
      PORT: String((taken.address() as AddressInfo).port),
    };
    const { found } = await live(site, { env });
    taken.close();
    expect(found.at(-1)).toMatchObject({ check: PORT, verdict: 'wrong', found: expect.stringMatching(/EADDRINUSE/) });
  });

  it('names the step that failed in the channel, and whom no direct message reaches', async ({ open }) => {
    const site = await open();
    site.slack.world.setPerson(BUYER, { deleted: true });
    for (const [method, step] of [
      ['chat.postMessage', 'posted'],
      ['chat.update', 'edited'],
      ['chat.delete', 'deleted'],
    ] as const) {
      site.slack.faults.add(method, { kind: 'error', code: 'restricted_action' });
      const { code, found } = await live(site);
      expect(code).toBe(1);
      expect(found).toEqual([
        expect.objectContaining({
          check: 'live: channel',
          verdict: 'wrong',
          found: `a message could not be ${step} in ${CHANNEL} (restricted_action)`,
        }),
        expect.objectContaining({
          check: 'live: direct message',
          verdict: 'wrong',
          found: expect.stringMatching(/user_disabled/),
        }),
      ]);
    }
  });

  it('tries nothing where Slack does not take the token, and no channel where there are no approvals', async ({
    open,
  }) => {
    const site = await open();
    const refusing = site.slack.faults.add('auth.test', { kind: 'error', code: 'invalid_auth' });
    expect((await live(site)).found).toEqual([expect.objectContaining({ check: 'live', verdict: 'skipped' })]);
    refusing.clear();
    const policy = policyText().replace(/approvals: .*/, 'approvals: off');
    site.slack.world.setPerson(BUYER, { deleted: true });
    const { found } = await live(site, { policy });
    expect(found.map(({ check }) => check)).toEqual(['live: direct message']);
    expect(site.slack.callsTo('chat.postMessage')).toEqual([]);
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
