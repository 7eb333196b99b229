import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let slack: LocalSlack;
let clock = 0;
beforeEach(async () => {
  clock = 1_800_000_000_000;
  slack = await startWorld({ paceNow: () => clock, settings: { enforceTiers: true } });
});
afterEach(() => slack.close());

/** How many of these calls in a row are answered before the first 429, and its Retry-After. */
async function untilLimited(method: string, args: Record<string, string> = {}, token = slack.tokens.bot) {
  for (let taken = 0; taken < 1_000; taken += 1) {
    const answer = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      body: new URLSearchParams(args),
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status === 429) {
      expect(await answer.json()).toEqual({ ok: false, error: 'ratelimited' });
      return { taken, retryAfter: Number(answer.headers.get('retry-after')) };
    }
    expect(answer.status).toBe(200);
  }
  return { taken: Number.POSITIVE_INFINITY };
}

test.each([
  ['usergroups.list', {}, 20],
  ['usergroups.users.list', { usergroup: 'S1' }, 20],
  ['conversations.info', { channel: 'C1' }, 50],
  ['chat.update', { channel: 'C1', ts: '1', text: 'x' }, 50],
  ['users.info', { user: 'U1' }, 100],
  ['views.update', { view_id: 'V1' }, 100],
] as const)('%s has its own tier, by the minute', async (method, args, perMinute) => {
  expect(await untilLimited(method, args)).toEqual({ taken: perMinute, retryAfter: 60 });
  clock += 45_500;
  expect(await untilLimited(method, args)).toEqual({ taken: 0, retryAfter: 15 });
  clock += 14_500;
  expect(await untilLimited(method, args)).toEqual({ taken: perMinute, retryAfter: 60 });
});

test('one method at its limit leaves the others alone', async () => {
  await untilLimited('usergroups.list');
  expect((await call(slack, 'usergroups.users.list', { usergroup: 'S1' })).ok).toBe(true);
  expect(slack.refusals('ratelimited')).toHaveLength(1);
  expect(slack.violations).toEqual([]);
});

test('a channel takes one message a second, after a burst of four; each channel counts for itself', async () => {
  const post = (channel: string) => untilLimited('chat.postMessage', { channel, text: 'x' });
  expect(await post('C1')).toEqual({ taken: 4, retryAfter: 4 });
  expect((await post('U1')).taken).toBe(4);
  expect((await post(slack.state.directs['U1'] ?? '')).taken).toBe(0);
  for (let second = 0, taken = 0; second < 20; second += 1) {
    clock += 1_000;
    const answer = await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x' });
    taken += answer.ok ? 1 : 0;
    expect(taken).toBeLessThanOrEqual(second + 1);
    expect(taken).toBeGreaterThanOrEqual(second - 3);
  }
});

test('new sockets are the most tightly limited: five at once, then one when the first is five minutes old', async () => {
  const open = () => untilLimited('apps.connections.open', {}, slack.tokens.app);
  expect(await open()).toEqual({ taken: 5, retryAfter: 300 });
  clock += 300_000;
  expect((await open()).taken).toBe(5);
});

test("Slack's own client sees the wait", async () => {
  await untilLimited('usergroups.list');
  const client = new WebClient(slack.tokens.bot, { slackApiUrl: slack.apiUrl, rejectRateLimitedCalls: true });
  await expect(client.usergroups.list()).rejects.toMatchObject({
    code: 'slack_webapi_rate_limited_error',
    retryAfter: 60,
  });
});

test('off, nothing is limited', async () => {
  slack.settings.enforceTiers = false;
  for (let i = 0; i < 30; i += 1) expect((await call(slack, 'usergroups.list')).ok).toBe(true);
});
