import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call, trigger } from './slack-client.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const text = (id: string, initial?: string) => ({
  type: 'input',
  block_id: id,
  label: plain(id),
  element: { type: 'plain_text_input', action_id: 'a', ...(initial === undefined ? {} : { initial_value: initial }) },
});
const modal = (blocks: unknown[] = [text('Reason')], extra: object = {}) => ({
  type: 'modal',
  title: plain('T'),
  submit: plain('Go'),
  blocks,
  ...extra,
});

let slack: LocalSlack;
let clock = 1_800_000_000_000;
beforeEach(async () => {
  slack = await startWorld({ now: () => clock });
});
afterEach(() => slack.close());

async function open(blocks?: unknown[], extra?: object) {
  const answer = await call(slack, 'views.open', { trigger_id: await trigger(slack), view: modal(blocks, extra) });
  return answer['view'] as { id: string; hash: string; state: { values: unknown } };
}

test('only loopback addresses are served and called', async () => {
  await expect(startSlack({ host: '0.0.0.0' })).rejects.toThrow(/loopback/);
  expect(() => slack.deliverTo('https://example.com/slack/events')).toThrow(/loopback/);
});

describe('tokens', () => {
  test('none, a wrong one and one of the other kind are refused', async () => {
    expect((await call(slack, 'auth.test', {}, 'xoxb-nobody')).error).toBe('invalid_auth');
    expect((await call(slack, 'auth.test', {}, slack.tokens.app)).error).toBe('not_allowed_token_type');
    expect((await call(slack, 'apps.connections.open')).error).toBe('not_allowed_token_type');
    const bare = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
    expect(await bare.json()).toMatchObject({ error: 'not_authed' });
  });
  test('a missing scope is named', async () => {
    slack.settings.scopes = ['chat:write'];
    expect(await call(slack, 'usergroups.users.list', { usergroup: 'S1' })).toMatchObject({
      error: 'missing_scope',
      needed: 'usergroups:read',
    });
  });
  test('an unknown method is refused and recorded', async () => {
    expect((await call(slack, 'chat.burn')).error).toBe('unknown_method');
    expect(slack.takeViolations()).toHaveLength(1);
  });
});

describe('trigger_id', () => {
  test('works once', async () => {
    const trigger_id = await trigger(slack);
    expect((await call(slack, 'views.open', { trigger_id, view: modal() })).ok).toBe(true);
    expect((await call(slack, 'views.open', { trigger_id, view: modal() })).error).toBe('exchanged_trigger_id');
  });
  test('works for 3 s', async () => {
    const trigger_id = await trigger(slack);
    clock += 3_001;
    expect((await call(slack, 'views.open', { trigger_id, view: modal() })).error).toBe('expired_trigger_id');
    expect((await call(slack, 'views.open', { trigger_id: 'made.up', view: modal() })).error).toBe(
      'invalid_trigger_id',
    );
  });
  test('pushes only from an act in an open modal', async () => {
    expect((await call(slack, 'views.push', { trigger_id: await trigger(slack), view: modal() })).error).toBe(
      'invalid_trigger_id',
    );
  });
});

describe('views', () => {
  test('an old hash is a conflict and changes nothing', async () => {
    const view = await open();
    const update = { view_id: view.id, hash: view.hash, view: modal([text('Other')]) };
    expect((await call(slack, 'views.update', update)).ok).toBe(true);
    expect((await call(slack, 'views.update', { ...update, view: modal([text('Third')]) })).error).toBe(
      'hash_conflict',
    );
    expect(slack.as('U1').screen.text()).toContain('Other:');
  });
  test('a closed one is not found', async () => {
    const view = await open();
    await slack.as('U1').close();
    expect((await call(slack, 'views.update', { view_id: view.id, view: modal() })).error).toBe('not_found');
  });
  test('the stack holds three', async () => {
    const view = await open();
    const push = async () => {
      const { interactions, state } = slack;
      const top = state.views[state.stacks['U1']?.at(-1) ?? view.id];
      if (!top) throw new Error('no view');
      const { body } = await interactions.actInView(top, 'b', {
        type: 'button',
        action_id: 'push',
        text: plain('Push'),
      });
      return call(slack, 'views.push', { trigger_id: body['trigger_id'], view: modal() });
    };
    expect([(await push()).ok, (await push()).ok, (await push()).error]).toEqual([true, true, 'push_limit_reached']);
  });
  test('an external_id is taken once', async () => {
    await open([text('a')], { external_id: 'one' });
    expect(
      (
        await call(slack, 'views.open', {
          trigger_id: await trigger(slack, 'U2'),
          view: modal([text('a')], { external_id: 'one' }),
        })
      ).error,
    ).toBe('duplicate_external_id');
    expect((await call(slack, 'views.update', { external_id: 'one', view: modal() })).ok).toBe(true);
  });
  test('an input with the same ids keeps what was typed, whatever its initial value says', async () => {
    const view = await open([text('Reason', 'preset')]);
    expect(view.state.values).toEqual({ Reason: { a: { type: 'plain_text_input', value: 'preset' } } });
    await slack.as('U1').type('Reason', 'typed');
    const updated = await call(slack, 'views.update', { view_id: view.id, view: modal([text('Reason', 'other')]) });
    expect(updated).toMatchObject({ view: { state: { values: { Reason: { a: { value: 'typed' } } } } } });
  });
  test('clear_on_close closes the whole stack', async () => {
    await open([text('a')], { clear_on_close: true });
    await slack.as('U1').close();
    expect(slack.as('U1').screen.views).toEqual([]);
  });
  test('a home is published to one person, and not where the tab is off', async () => {
    const home = { type: 'home', blocks: [{ type: 'header', text: plain('Orders') }] };
    expect((await call(slack, 'views.publish', { user_id: 'U1', view: home })).ok).toBe(true);
    expect(slack.as('U1').screen.text()).toContain('Orders');
    expect(slack.as('U2').screen.text()).not.toContain('Orders');
    slack.settings.homeTabEnabled = false;
    expect((await call(slack, 'views.publish', { user_id: 'U1', view: home })).error).toBe('not_enabled');
  });
});

describe('messages', () => {
  const post = (args: object = {}) => call(slack, 'chat.postMessage', { channel: 'C1', text: 'hello', ...args });
  test('go to a person by id, and the answer names the D… channel', async () => {
    const { channel, ts } = await post({ channel: 'U1' });
    expect(channel).toMatch(/^D/);
    expect(slack.as('U1').screen.dm.map((m) => m.text)).toEqual(['hello']);
    expect((await call(slack, 'chat.update', { channel, ts, text: 'bye' })).ok).toBe(true);
    expect((await call(slack, 'chat.update', { channel: 'U1', ts, text: 'no' })).error).toBe('channel_not_found');
    expect(await call(slack, 'conversations.open', { users: 'U1' })).toMatchObject({
      channel: { id: channel },
      already_open: true,
    });
  });
  test.each([
    ['an unknown channel', () => {}, 'C9', 'channel_not_found'],
    ['an archived channel', () => slack.world.setChannel('C1', { archived: true }), 'C1', 'is_archived'],
    [
      'a private channel without the bot',
      () => slack.world.setChannel('C1', { hasBot: false, isPrivate: true }),
      'C1',
      'channel_not_found',
    ],
    ['a channel without the bot', () => slack.world.setChannel('C1', { hasBot: false }), 'C1', 'not_in_channel'],
    [
      'a person when the messages tab is off',
      () => {
        slack.settings.messagesTabEnabled = false;
      },
      'U1',
      'messages_tab_disabled',
    ],
  ])('are refused in %s', async (_what, change, channel, error) => {
    change();
    expect((await post({ channel })).error).toBe(error);
  });
  test.each([
    'restricted_action',
    'restricted_action_read_only_channel',
    'user_not_visible',
    'messages_tab_disabled',
    'is_archived',
    'channel_not_found',
    'not_in_channel',
  ] as const)(
    'are refused with %s where a workspace says so, in one channel or to one person, until it is mended',
    async (refuses) => {
      const before = await post();
      slack.world.setChannel('C1', { refuses });
      slack.world.setPerson('U1', { refuses });
      const { channel } = await call(slack, 'conversations.open', { users: 'U1' });
      expect(channel === undefined).toBe(refuses === 'user_not_visible');
      expect([(await post()).error, (await post({ channel: 'U1' })).error]).toEqual([refuses, refuses]);
      expect((await call(slack, 'chat.postEphemeral', { channel: 'C1', user: 'U2', text: 'x' })).error).toBe(refuses);
      expect((await post({ channel: 'U2' })).ok).toBe(true);
      expect((await call(slack, 'chat.update', { channel: 'C1', ts: before['ts'], text: 'x' })).ok).toBe(true);
      slack.world.setChannel('C1', { refuses: null });
      slack.world.setPerson('U1', { refuses: null });
      expect([(await post()).ok, (await post({ channel: 'U1' })).ok]).toEqual([true, true]);
      expect(slack.violations).toEqual([]);
    },
  );
  test('are edited only by who wrote them, and only while they are there', async () => {
    const { ts } = await post();
    const update = (at: unknown) => call(slack, 'chat.update', { channel: 'C1', ts: at, text: 'x' });
    slack.state.messages.push({
      channel: 'C1',
      ts: '1.000001',
      text: 'mine',
      blocks: [],
      byBot: false,
      edits: 0,
      deleted: false,
    });
    expect((await update('1.000001')).error).toBe('cant_update_message');
    slack.world.deleteMessage({ channel: 'C1', ts: String(ts) });
    expect((await update(ts)).error).toBe('message_not_found');
  });
  test('vanish when a person deletes them, or all together by a retention rule; no edit brings them back', async () => {
    const inChannel = await post();
    const inDirect = await post({ channel: 'U1' });
    const kept = await post({ channel: 'U2' });
    const edit = async ({ channel, ts }: Record<string, unknown>) =>
      (await call(slack, 'chat.update', { channel, ts, text: 'x' })).error;
    slack.world.deleteMessage({ channel: 'C1', ts: String(inChannel['ts']) });
    expect([await edit(inChannel), await edit(inDirect)]).toEqual(['message_not_found', undefined]);
    slack.world.expireMessages(String(inDirect['channel']));
    expect([await edit(inDirect), await edit(kept)]).toEqual(['message_not_found', undefined]);
    expect([slack.as('U1').screen.messages, slack.as('U2').screen.dm]).toMatchObject([[], [{ text: 'x' }]]);
    expect((await post()).ok).toBe(true);
  });
  test('an edit without blocks keeps them, with an empty list removes them', async () => {
    const { ts } = await post({ blocks: [{ type: 'header', text: plain('Head') }] });
    await call(slack, 'chat.update', { channel: 'C1', ts, text: 'new' });
    expect(slack.as('U1').screen.text()).toContain('Head');
    await call(slack, 'chat.update', { channel: 'C1', ts, text: 'new', blocks: [] });
    expect(slack.as('U1').screen.text()).toContain('new');
  });
  test('private ones reach members only', async () => {
    expect((await call(slack, 'chat.postEphemeral', { channel: 'C1', user: 'U1', text: 'psst' })).ok).toBe(true);
    expect((await call(slack, 'chat.postEphemeral', { channel: 'C1', user: 'U5', text: 'psst' })).error).toBe(
      'user_not_in_channel',
    );
    expect(slack.as('U1').screen.ephemerals).toHaveLength(1);
    expect(slack.as('U2').screen.ephemerals).toHaveLength(0);
  });
});

describe('response_url', () => {
  async function url() {
    const delivery = await slack.interactions.command('U1', '/proxy', '', 'C1');
    const post = (payload: object) =>
      fetch(String(delivery?.body['response_url']), { method: 'POST', body: JSON.stringify(payload) });
    return post;
  }
  test('is used five times', async () => {
    const post = await url();
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await post({ text: 'x' })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    expect(slack.takeViolations()).toMatchObject([{ what: 'used_url' }]);
  });
  test('lives 30 minutes', async () => {
    const post = await url();
    clock += 30 * 60_000 + 1;
    expect((await post({ text: 'x' })).status).toBe(404);
  });
  test('enforces the limits of messages', async () => {
    const post = await url();
    expect((await post({ blocks: [{ type: 'banner' }] })).status).toBe(400);
    expect(slack.takeViolations()).toHaveLength(1);
  });
});
