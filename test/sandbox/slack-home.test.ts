import { afterEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startBolt, startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const button = (text: string, action_id: string) => ({ type: 'button' as const, action_id, text: plain(text) });
const home = (...blocks: object[]) => ({ type: 'home', blocks });
const section = (text: string) => ({ type: 'section', text: plain(text) });
const modal = { type: 'modal' as const, title: plain('Order 7'), blocks: [] };

let slack: LocalSlack;
let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

async function world() {
  slack = await startWorld();
  stop = () => slack.close();
}

const publish = (view: object, more: object = {}) => call(slack, 'views.publish', { user_id: 'U1', view, ...more });

test('a Home tab is one view of one person: published anew it keeps its id and gets another hash', async () => {
  await world();
  const first = (await publish(home(section('one'))))['view'] as { id: string; hash: string };
  const second = (await publish(home(section('two')), { hash: first.hash }))['view'];
  expect(second).toMatchObject({ id: first.id, type: 'home', root_view_id: first.id, previous_view_id: null });
  expect(second).not.toMatchObject({ hash: first.hash });
  expect(slack.as('U1').screen.text()).toContain('--- home\ntwo');
  expect(slack.as('U2').screen.home).toBeUndefined();
});

test('a hash that is not the newest changes nothing', async () => {
  await world();
  const { hash } = (await publish(home(section('one'))))['view'] as { hash: string };
  await publish(home(section('two')));
  expect((await publish(home(section('three')), { hash })).error).toBe('hash_conflict');
  expect(slack.as('U1').screen.text()).toContain('--- home\ntwo');
});

test.each([
  ['101 blocks', home(...Array.from({ length: 101 }, () => ({ type: 'divider' }))), 'invalid_arguments'],
  ['more than 250 kB', home(...Array.from({ length: 90 }, () => section('x'.repeat(2900)))), 'view_too_large'],
  ['a modal', modal, 'invalid_arguments'],
  ['a title, which only modals have', { ...home(), title: plain('x') }, 'invalid_arguments'],
  ['a table, which is for messages', home({ type: 'table', rows: [] }), 'invalid_arguments'],
])('a Home tab refuses %s', async (_what, view, error) => {
  await world();
  expect((await publish(view)).error).toBe(error);
  expect(slack.takeViolations()).toHaveLength(1);
});

test('nothing is published, and nobody opens it, where the manifest has no Home tab', async () => {
  slack = await startWorld({ settings: { homeTabEnabled: false } });
  stop = () => slack.close();
  expect((await publish(home())).error).toBe('not_enabled');
  await expect(slack.as('U1').openHome()).rejects.toThrow(/no Home tab/);
});

test('opening tells the tab, and the view where there is one', async () => {
  await world();
  const ada = slack.as('U1');
  const told = async (tab?: 'home' | 'messages') => (await ada.openHome(tab))?.body['event'];
  const first = await told();
  expect(first).toMatchObject({ type: 'app_home_opened', user: 'U1', tab: 'home', channel: slack.state.directs['U1'] });
  expect(first).not.toHaveProperty('view');
  await publish({ ...home(section('one')), private_metadata: 'page 1' });
  expect(await told()).toMatchObject({ view: { type: 'home', private_metadata: 'page 1', state: { values: {} } } });
  expect(await told('messages')).toMatchObject({ tab: 'messages' });
  expect(await told('messages')).not.toHaveProperty('view');
});

test('a click in it carries the view and a trigger, no response_url; the trigger opens a modal and cannot push', async () => {
  const bodies: Record<string, unknown>[] = [];
  const running = await startBolt('socket', (app) => {
    app.action('open', async ({ ack, body, client }) => {
      await ack();
      bodies.push(body as unknown as Record<string, unknown>);
      await client.views.open({ trigger_id: 'trigger_id' in body ? body.trigger_id : '', view: modal });
    });
    app.action('push', async ({ ack, body, client }) => {
      await ack();
      await client.views
        .push({ trigger_id: 'trigger_id' in body ? body.trigger_id : '', view: modal })
        .catch(({ data }: { data: { error: string } }) => bodies.push(data));
    });
  });
  ({ slack, stop } = running);
  const ada = slack.as('U1');
  await publish(home({ type: 'actions', elements: [button('Push', 'push')] }, section('Orders')));
  await ada.press('Push', { in: 'home' });
  await expect.poll(() => bodies).toMatchObject([{ error: 'invalid_trigger_id' }]);
  const [{ view_id }] = [{ view_id: ada.screen.home?.id }];
  await publish(home({ type: 'section', text: plain('Order 7'), accessory: button('Open', 'open') }));
  await ada.press('Open', { in: 'home' });
  await ada.waitFor('== Order 7 ==');
  expect(bodies[1]).toMatchObject({
    container: { type: 'view', view_id },
    view: { id: view_id, type: 'home' },
    actions: [{ action_id: 'open' }],
  });
  expect(bodies[1]).not.toHaveProperty('response_url');
  expect(bodies[1]).not.toHaveProperty('channel');
  expect(slack.violations).toEqual([]);
});
