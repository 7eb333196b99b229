import type { App, types } from '@slack/bolt';
import { afterEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import type { Shortcut } from '../../sandbox/slack/types.ts';
import { type Mode, type Running, startBolt } from './slack-bolt.ts';

const SHORTCUTS: Shortcut[] = [
  { type: 'global', name: 'Buy proxies', callbackId: 'buy_anywhere', description: '' },
  { type: 'message', name: 'Buy what this says', callbackId: 'buy_from', description: '' },
];
const modal: types.ModalView = { type: 'modal', title: { type: 'plain_text', text: 'Buy' }, blocks: [] };

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(mode: Mode, register: (app: App) => void = () => {}): Promise<LocalSlack> {
  running = await startBolt(mode, register, { settings: { shortcuts: SHORTCUTS } });
  return running.slack;
}

test.each<Mode>(['socket', 'http'])('a global shortcut opens a modal, over %s', async (mode) => {
  const slack = await start(mode, (app) =>
    app.shortcut({ callback_id: 'buy_anywhere', type: 'shortcut' }, async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: modal });
    }),
  );
  const ada = slack.as('U1');
  const delivery = await ada.shortcut('Buy proxies');
  await ada.waitFor('== Buy ==');
  expect(delivery?.body).toMatchObject({ type: 'shortcut', user: { id: 'U1', username: 'ada', team_id: 'T0TEAM' } });
  for (const field of ['response_url', 'channel', 'api_app_id', 'message'])
    expect(delivery?.body).not.toHaveProperty(field);
  expect(slack.violations).toEqual([]);
});

test('a message shortcut carries the message, whoever wrote it, and a response_url that answers there', async () => {
  const slack = await start('socket', (app) =>
    app.shortcut({ callback_id: 'buy_from', type: 'message_action' }, async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'Nothing to buy in that' });
    }),
  );
  const ada = slack.as('U1');
  const words = slack.as('U2').say('We need US 10, DE 5');
  const delivery = await ada.shortcut('Buy what this says', { on: 'We need US 10' });
  expect(delivery?.body).toMatchObject({
    type: 'message_action',
    callback_id: 'buy_from',
    user: { id: 'U1', name: 'ada' },
    channel: { id: 'C1', name: 'approvals' },
    message_ts: words.ts,
    message: { type: 'message', user: 'U2', ts: words.ts, text: 'We need US 10, DE 5' },
  });
  expect(delivery?.body['user']).not.toHaveProperty('team_id');
  await ada.waitFor('Nothing to buy in that');
  expect(ada.screen.ephemerals).toMatchObject([{ channel: 'C1', ephemeralTo: 'U1' }]);
  expect(slack.violations).toEqual([]);
});

test('only what the manifest has exists, each in its own menu', async () => {
  const slack = await start('socket');
  const ada = slack.as('U1');
  slack.as('U2').say('Hello');
  await expect(ada.shortcut('Sell proxies')).rejects.toThrow(/no global shortcut "Sell proxies".*has: Buy proxies/);
  await expect(ada.shortcut('Buy proxies', { on: 'Hello' })).rejects.toThrow(/no message shortcut/);
  await expect(slack.interactions.shortcut('U1', 'buy_from')).rejects.toThrow(/no global shortcut/);
});

test('a person of another organisation is offered none', async () => {
  const slack = await start('socket');
  await expect(slack.as('U9').shortcut('Buy proxies')).rejects.toThrow(/no global shortcut/);
});
