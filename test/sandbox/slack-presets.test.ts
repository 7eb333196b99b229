import type { types } from '@slack/bolt';
import { afterEach, expect, test } from 'vitest';
import { type Running, startBolt } from './slack-bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (text: string) => ({ text: plain(text), value: text });
const input = (id: string, element: object) => ({
  type: 'input',
  block_id: id,
  label: plain(id),
  element: { action_id: 'a', ...element },
});
const bare = [input('Reason', { type: 'plain_text_input' })];
const preset = [
  ...bare,
  input('Quantity', { type: 'number_input', is_decimal_allowed: false, initial_value: '10' }),
  input('Plan', { type: 'static_select', options: [option('monthly')], initial_option: option('monthly') }),
  input('Sure', { type: 'checkboxes', options: [option('yes')], initial_options: [option('yes')] }),
];
const view = (blocks: unknown[]): types.ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Go'),
  blocks: blocks as types.KnownBlock[],
});

let running: Running;
afterEach(() => running.stop());

/** The form with its presets stands on the screen; `states` are what the submits carry. */
async function formWithPresets(comesBy: 'open' | 'push' | 'views.update' | 'response_action', settings: object) {
  const states: unknown[] = [];
  running = await startBolt(
    'socket',
    (app) => {
      app.command('/form', async ({ ack, body, client }) => {
        await ack();
        const { view: opened } = await client.views.open({
          trigger_id: body.trigger_id,
          view: view(comesBy === 'open' ? preset : bare),
        });
        if (comesBy === 'views.update') await client.views.update({ view_id: opened?.id ?? '', view: view(preset) });
      });
      let isFirst = comesBy === 'response_action' || comesBy === 'push';
      app.view('form', async ({ ack, view: { state } }) => {
        if (!isFirst) states.push(state.values);
        const action = comesBy === 'push' ? 'push' : 'update';
        await (isFirst ? ack({ response_action: action, view: view(preset) }) : ack());
        isFirst = false;
      });
    },
    { settings },
  );
  const ada = running.slack.as('U1');
  await ada.command('/form');
  await ada.waitFor('Reason');
  if (comesBy === 'response_action' || comesBy === 'push') {
    await ada.type('Reason', 'first');
    await ada.submit();
  }
  await ada.waitFor('Quantity: 10\nPlan: monthly\nSure: [x] yes');
  await ada.type('Reason', 'because');
  return { ada, states };
}

const reason = { a: { type: 'plain_text_input', value: 'because' } };
const shown = {
  Quantity: { a: { type: 'number_input', value: '10' } },
  Plan: { a: { type: 'static_select', selected_option: option('monthly') } },
  Sure: { a: { type: 'checkboxes', selected_options: [option('yes')] } },
};
const blank = {
  Quantity: { a: { type: 'number_input', value: null } },
  Plan: { a: { type: 'static_select', selected_option: null } },
  Sure: { a: { type: 'checkboxes', selected_options: [] } },
};

test.each([
  ['reported', 'views.update', shown],
  ['missing', 'views.update', {}],
  ['null', 'views.update', blank],
  ['missing', 'response_action', {}],
  ['null', 'response_action', blank],
  ['null', 'open', shown],
  ['null', 'push', shown],
] as const)('%s: presets that come by %s', async (presetsByUpdate, comesBy, reported) => {
  const { ada, states } = await formWithPresets(comesBy, { presetsByUpdate });
  await ada.submit();
  expect(states).toEqual([{ Reason: reason, ...reported }]);
  expect(running.slack.violations).toEqual([]);
});

test.each(['missing', 'null'] as const)('%s: what was touched is reported, also when it was emptied', async (mode) => {
  const { ada, states } = await formWithPresets('views.update', { presetsByUpdate: mode });
  await ada.pick('Plan', 'monthly');
  await ada.type('Quantity', '');
  await ada.submit('Go', { force: true });
  expect(states).toMatchObject([{ Plan: shown.Plan, Quantity: blank.Quantity }]);
});
