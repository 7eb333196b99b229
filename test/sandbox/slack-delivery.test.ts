import { setTimeout as sleep } from 'node:timers/promises';
import type { App, types } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SlackEvent } from '../../sandbox/slack/index.ts';
import { SILENT_SLACK } from '../../src/doctor/workspace.ts';
import { type Mode, type Running, startBolt, startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const view: types.ModalView = {
  type: 'modal',
  callback_id: 'ask',
  title: plain('Ask'),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input',
      block_id: 'reason',
      label: plain('Reason'),
      element: { type: 'plain_text_input', action_id: 'a' },
    },
  ],
};
const card: types.KnownBlock[] = [
  { type: 'section', text: { type: 'mrkdwn', text: '*Request 1*' } },
  {
    type: 'actions',
    block_id: 'decide',
    elements: [
      {
        type: 'button',
        action_id: 'approve',
        value: '1',
        text: plain('Approve'),
        confirm: { title: plain('Sure?'), text: plain('Really') },
      },
    ],
  },
];

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(mode: Mode, register: (app: App) => void, options = {}) {
  running = await startBolt(mode, register, options);
  return { ...running, ada: running.slack.as('U1'), bob: running.slack.as('U2') };
}

const opening = (app: App) =>
  app.command('/proxy', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view });
  });

/** Opens the modal and submits it to an app that answers with this. */
async function submitTo(answer: unknown, mode: Mode = 'socket') {
  const { slack, ada } = await start(mode, (app) => {
    opening(app);
    app.view('ask', async ({ ack }) => ack(answer as { response_action: 'clear' }));
  });
  await ada.command('/proxy');
  await ada.waitFor('Reason');
  await ada.type('Reason', 'because');
  const result = await ada.submit();
  return { slack, ada, result };
}

describe('an acknowledgement that Slack would not take leaves the modal with its trouble, and is recorded', () => {
  test.each([
    ['an invalid view', { response_action: 'update', view: { ...view, title: plain('x'.repeat(25)) } }],
    ['errors for a block that is no input', { response_action: 'errors', errors: { nope: 'x' } }],
    ['errors without any', { response_action: 'errors', errors: {} }],
    ['an empty error', { response_action: 'errors', errors: { reason: '' } }],
    ['an unknown action', { response_action: 'explode' }],
  ])('%s', async (_what, answer) => {
    const { slack, ada, result } = await submitTo(answer);
    expect(result).toMatchObject({ sent: true, errors: {}, trouble: 'We had some trouble connecting. Try again?' });
    expect(ada.screen.text()).toContain('We had some trouble connecting');
    expect(ada.screen.text()).toContain('because');
    expect(slack.takeViolations()).toMatchObject([{ where: 'ack of view_submission' }]);
  });
});

test('errors count against the form that was submitted, whatever it has become meanwhile', async () => {
  const plan = { ...view.blocks[0], block_id: 'plan', label: plain('Plan') } as types.KnownBlock;
  const { slack, ada } = await start('socket', (app) => {
    opening(app);
    app.view('ask', async ({ ack, view: submitted, client }) => {
      await client.views.update({ view_id: submitted.id, view: { ...view, blocks: [plan] } });
      await ack({ response_action: 'errors', errors: { plan: 'Choose one' } });
    });
  });
  await ada.command('/proxy');
  await ada.waitFor('Reason');
  await ada.type('Reason', 'because');
  expect(await ada.submit()).toMatchObject({ errors: {}, trouble: 'We had some trouble connecting. Try again?' });
  expect(slack.takeViolations()).toMatchObject([
    { what: 'errors for what is no input block of the submitted view: plan' },
  ]);
  await ada.type('Plan', 'monthly');
  expect(await ada.submit()).toMatchObject({ errors: { Plan: 'Choose one' }, trouble: null });
});

test.each<Mode>(['socket', 'http'])('clear closes everything, over %s', async (mode) => {
  const { slack, ada } = await submitTo({ response_action: 'clear' }, mode);
  expect(ada.screen.views).toEqual([]);
  expect(slack.violations).toEqual([]);
});

test('push lays a view on top', async () => {
  const { ada } = await submitTo({ response_action: 'push', view: { ...view, title: plain('Second') } });
  expect(ada.screen.views.map((shown) => shown.title?.['text'])).toEqual(['Ask', 'Second']);
});

describe.each<Mode>(['socket', 'http'])('over %s', (mode) => {
  test('what is not acknowledged in time is seen by the person and recorded', async () => {
    const { slack, ada } = await start(mode, (app) => app.command('/proxy', async () => {}), {
      settings: { ackLimitMs: 60 },
    });
    const delivery = await ada.command('/proxy');
    expect(delivery?.failure).toBe('operation_timeout');
    expect(ada.screen.text()).toContain('/proxy failed with the error "operation_timeout"');
    expect(slack.takeViolations()).toMatchObject([{ what: 'not acknowledged within 60 ms' }]);
  });

  test('the same delivery arrives as often as it is sent', async () => {
    const seen: unknown[] = [];
    const { slack, ada } = await start(mode, (app) => {
      app.command('/proxy', async ({ ack, body, context }) => {
        seen.push([body.trigger_id, context.retryNum]);
        await ack();
      });
    });
    const first = await ada.command('/proxy', 'balance');
    if (!first) throw new Error('not delivered');
    const second = await slack.redeliver(first);
    expect(second).toMatchObject({ failure: null, body: first.body, envelopeId: first.envelopeId });
    expect(seen).toEqual([
      [first.body['trigger_id'], undefined],
      [first.body['trigger_id'], 1],
    ]);
  });

  test('a change of a group is told to the app', async () => {
    const events: unknown[] = [];
    const { slack } = await start(mode, (app) => {
      app.event('subteam_members_changed', async ({ event }) => void events.push(event));
    });
    await slack.world.setGroup('S1', { members: ['U2'] });
    expect(events).toMatchObject([{ subteam_id: 'S1', added_users: ['U2'], removed_users: ['U1'] }]);
  });

  test('two people who click at once are both in the app at once, and a stale card can still be clicked', async () => {
    const bodies: { user: string; ts: string | undefined; responseUrl: string }[] = [];
    const both = Promise.withResolvers<void>();
    const { slack, ada, bob, app } = await start(mode, (bolt) => {
      bolt.action('approve', async ({ ack, body, respond }) => {
        if (body.type !== 'block_actions') return;
        bodies.push({ user: body.user.id, ts: body.message?.ts, responseUrl: body.response_url });
        if (bodies.length === 2) both.resolve();
        await both.promise;
        await ack();
        if (bodies.length === 3) await respond({ text: 'Too late', replace_original: false });
      });
    });
    const { ts } = await app.client.chat.postMessage({ channel: 'C1', text: 'Request 1', blocks: card });
    const stale = ada.message('Request 1');
    await Promise.all([ada.pressOn('Request 1', 'Approve'), bob.pressOn(/Request/, 'Approve')]);
    expect(bodies.map(({ user }) => user).sort()).toEqual(['U1', 'U2']);
    await app.client.chat.update({ channel: 'C1', ts: ts ?? '', text: 'Decided', blocks: [] });
    await expect(ada.pressOn('Decided', 'Approve')).rejects.toThrow(/no button "Approve"/);
    expect(await ada.pressOn(stale, 'Approve', { confirm: false })).toBeNull();
    await ada.pressOn(stale, 'Approve');
    await ada.waitFor('Too late');
    expect(bob.screen.text()).not.toContain('Too late');
    expect(bodies.at(-1)).toMatchObject({ user: 'U1', ts });
    expect(slack.violations).toEqual([]);
  });
});

test.each<Mode>(['socket', 'http'])(
  'any payload can be delivered over %s, also one that nobody could cause by hand',
  async (mode) => {
    const users: unknown[] = [];
    const { slack } = await start(mode, (app) => {
      app.action('approve', async ({ ack, body }) => {
        users.push(body.user.id);
        await ack();
      });
    });
    const actions = [{ type: 'button', action_id: 'approve', block_id: 'b', value: '1', action_ts: '1.0' }];
    const body = { type: 'block_actions', user: { id: 'U7', team_id: 'T0TEAM' }, team: { id: 'T0TEAM' }, actions };
    expect(await slack.deliver({ kind: 'interactive', type: 'block_actions', user: null, body })).toMatchObject({
      failure: null,
    });
    expect(users).toEqual(['U7']);
  },
);

describe('faults', () => {
  const client = (slack: Running['slack'], timeout: number) =>
    new WebClient(slack.tokens.bot, {
      slackApiUrl: slack.apiUrl,
      timeout,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: SILENT_SLACK,
    });
  const post = (slack: Running['slack'], timeout = 20_000) =>
    client(slack, timeout).chat.postMessage({ channel: 'C1', text: 'x' });

  test.each([
    ['a rate limit', { kind: 'rate_limit', retryAfter: 7 }, 'slack_webapi_rate_limited_error', 0],
    ['a server error', { kind: 'status', status: 503 }, 'slack_webapi_http_error', 0],
    ['a refusal', { kind: 'error', code: 'fatal_error' }, 'slack_webapi_platform_error', 0],
    ['a reset before', { kind: 'reset', when: 'before' }, 'slack_webapi_request_error', 0],
    ['a reset after, with the work done', { kind: 'reset', when: 'after' }, 'slack_webapi_request_error', 1],
    ['no answer', { kind: 'hang', when: 'before' }, 'slack_webapi_request_error', 0],
    ['no answer, with the work done', { kind: 'hang', when: 'after' }, 'slack_webapi_request_error', 1],
  ] as const)('%s is played once, then all is well', async (_what, fault, code, posted) => {
    const slack = await startWorld();
    try {
      const rule = slack.faults.add('chat.postMessage', fault);
      await expect(post(slack, fault.kind === 'hang' ? 1_000 : undefined)).rejects.toMatchObject({ code });
      expect(slack.state.messages).toHaveLength(posted);
      expect(rule.hits).toBe(1);
      expect((await post(slack)).ok).toBe(true);
      expect(slack.callsTo('chat.postMessage')).toMatchObject([
        { fault: fault.kind, args: { text: 'x' } },
        { tokenKind: 'bot' },
      ]);
    } finally {
      await slack.close();
    }
    expect(slack.inFlight()).toBe(0);
  });

  test('a held answer comes, with the work done, when it is let go', async () => {
    const slack = await startWorld();
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const rule = slack.faults.add('chat.postMessage', { kind: 'hold', until });
    const posting = call(slack, 'chat.postMessage', { channel: 'C1', text: 'x' });
    await vi.waitFor(() => expect(rule.hits).toBe(1));
    expect(slack.state.messages).toHaveLength(0);
    release();
    expect((await posting).ok).toBe(true);
    expect(slack.state.messages).toHaveLength(1);
    await slack.close();
  });

  test('are limited to the calls that fit, and last until cleared', async () => {
    const slack = await startWorld();
    slack.faults.add(
      'chat.postMessage',
      { kind: 'error', code: 'no' },
      { times: Number.POSITIVE_INFINITY, only: ({ args }) => args['channel'] === 'U1' },
    );
    const send = async (channel: string) => (await call(slack, 'chat.postMessage', { channel, text: 'x' })).error;
    expect([await send('U1'), await send('C1'), await send('U1')]).toEqual(['no', undefined, 'no']);
    slack.faults.clear();
    expect(await send('U1')).toBeUndefined();
    await slack.close();
  });
});

test('the feed tells what happened, in order, until the server closes', async () => {
  const slack = await startWorld();
  const seen: string[] = [];
  const all: SlackEvent[] = [];
  slack.on((event) => seen.push(event.type));
  const reading = (async () => {
    for await (const event of slack.stream()) all.push(event);
  })();
  await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x' });
  expect(seen).toEqual(['api_call', 'message_posted', 'api_answered']);
  expect(structuredClone(slack.state).messages).toHaveLength(1);
  await slack.close();
  await reading;
  expect(all).toHaveLength(3);
});

test('closing leaves no handle, even with calls hanging and sockets open', async () => {
  const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|HTTP/i.test(name)).length;
  const before = handles();
  const { slack, stop } = await startBolt('socket', opening);
  slack.faults.add('chat.postMessage', { kind: 'hang', when: 'before' });
  const hanging = call(slack, 'chat.postMessage', { channel: 'C1', text: 'x' }).catch(() => 'cut');
  const waiting = slack
    .as('U1')
    .waitFor('never')
    .catch(() => 'ended');
  await slack.as('U1').command('/proxy');
  await stop();
  expect([await hanging, await waiting]).toEqual(['cut', 'ended']);
  while (handles() > before) await sleep(10);
});
