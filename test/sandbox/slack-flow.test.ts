import type { App, types } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import { type Mode, type Running, startBolt } from './slack-bolt.ts';

const COUNTRIES = ['Germany', 'Greece', 'United States'];
const option = (text: string) => ({
  text: { type: 'plain_text' as const, text },
  value: text.slice(0, 2).toUpperCase(),
});

function buyView(rows: string[], extra: Partial<types.ModalView> = {}): types.ModalView {
  return {
    type: 'modal',
    callback_id: 'buy',
    title: { type: 'plain_text', text: 'Buy proxies' },
    submit: { type: 'plain_text', text: 'Review' },
    close: { type: 'plain_text', text: 'Cancel' },
    notify_on_close: true,
    blocks: [
      ...rows.flatMap((row): types.KnownBlock[] => [
        {
          type: 'input',
          block_id: `${row}_country`,
          label: { type: 'plain_text', text: 'Country' },
          element: { type: 'external_select', action_id: 'country', min_query_length: 1 },
        },
        {
          type: 'input',
          block_id: `${row}_quantity`,
          label: { type: 'plain_text', text: 'Quantity' },
          element: {
            type: 'number_input',
            action_id: 'quantity',
            is_decimal_allowed: false,
            min_value: '1',
            max_value: '500',
          },
        },
        {
          type: 'actions',
          block_id: `${row}_actions`,
          elements: [{ type: 'button', action_id: 'remove', value: row, text: { type: 'plain_text', text: 'Remove' } }],
        },
      ]),
      {
        type: 'actions',
        block_id: 'foot',
        elements: [
          { type: 'button', action_id: 'add', text: { type: 'plain_text', text: 'Add country' } },
          { type: 'button', action_id: 'paste', text: { type: 'plain_text', text: 'Paste a list' } },
        ],
      },
    ],
    ...extra,
  };
}

function register(app: App): { states: unknown[]; closed: unknown[] } {
  const seen = { states: [] as unknown[], closed: [] as unknown[] };
  app.command('/proxy', async ({ ack, body, client, command }) => {
    if (command.text === 'help') return ack('Usage: /proxy buy');
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: buyView(['r1']) });
  });
  app.options('country', async ({ ack, payload }) => {
    await ack({
      options: COUNTRIES.filter((name) => name.toLowerCase().includes(payload.value.toLowerCase())).map(option),
    });
  });
  app.action('add', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions' || !body.view) return;
    await client.views.update({ view_id: body.view.id, hash: body.view.hash, view: buyView(['r1', 'r2']) });
  });
  app.action('paste', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    await client.views.push({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'paste',
        title: { type: 'plain_text', text: 'Paste a list' },
        submit: { type: 'plain_text', text: 'Use it' },
        blocks: [
          {
            type: 'input',
            block_id: 'list',
            label: { type: 'plain_text', text: 'List' },
            element: { type: 'plain_text_input', action_id: 'list' },
          },
        ],
      },
    });
  });
  app.view('paste', async ({ ack, view }) => {
    if (view.state.values['list']?.['list']?.value === 'bad')
      return ack({ response_action: 'errors', errors: { list: 'No country in it' } });
    await ack();
  });
  app.view('buy', async ({ ack, view }) => {
    seen.states.push(view.state.values);
    await ack({
      response_action: 'update',
      view: {
        type: 'modal',
        title: { type: 'plain_text', text: 'Filed' },
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Filed *once* for <@U1>' } }],
      },
    });
  });
  app.view({ callback_id: 'buy', type: 'view_closed' }, async ({ ack, body }) => {
    seen.closed.push(body);
    await ack();
  });
  return seen;
}

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(mode: Mode) {
  let seen = { states: [] as unknown[], closed: [] as unknown[] };
  running = await startBolt(mode, (app) => {
    seen = register(app);
  });
  return { ...running, seen, ada: running.slack.as('U1'), bob: running.slack.as('U2') };
}

describe.each<Mode>(['socket', 'http'])('over %s', (mode) => {
  test('a command answers privately', async () => {
    const { slack, ada, bob } = await start(mode);
    const delivery = await ada.command('/proxy', 'help');
    expect(delivery).toMatchObject({ failure: null, via: mode });
    expect(ada.screen.ephemerals.map((m) => m.text)).toEqual(['Usage: /proxy buy']);
    expect(bob.screen.ephemerals).toEqual([]);
    expect(slack.violations).toEqual([]);
  });

  test('a person fills in, adds a row and submits; what was typed survives the update', async () => {
    const { slack, ada, seen } = await start(mode);
    await ada.command('/proxy', 'buy');
    await ada.waitFor('Buy proxies');
    expect(await ada.suggest('Country', 'g')).toEqual(['Germany', 'Greece']);
    await ada.pick('Country', 'Germany');
    await ada.type('Quantity', '10');
    await ada.press('Add country');
    await ada.waitFor((screen) => screen.modal?.blocks.length === 7);
    await ada.pick('Country', 'United States', { nth: 2 });
    await ada.type('Quantity', '5', { nth: 2 });
    expect(ada.screen.text()).toContain(
      'Country: Germany\nQuantity: 10\n[Remove]\nCountry: United States\nQuantity: 5\n[Remove]',
    );
    const result = await ada.submit('Review');
    expect(result).toMatchObject({ sent: true, errors: {} });
    expect(seen.states).toEqual([
      {
        r1_country: { country: { type: 'external_select', selected_option: option('Germany') } },
        r1_quantity: { quantity: { type: 'number_input', value: '10' } },
        r2_country: { country: { type: 'external_select', selected_option: option('United States') } },
        r2_quantity: { quantity: { type: 'number_input', value: '5' } },
      },
    ]);
    expect(ada.screen.text()).toContain('Filed once for @ada');
    expect(slack.violations).toEqual([]);
  });

  test('a pushed view shows its errors, then goes and leaves the one beneath', async () => {
    const { slack, ada } = await start(mode);
    await ada.command('/proxy', 'buy');
    await ada.waitFor('Buy proxies');
    await ada.press('Paste a list');
    await ada.waitFor((screen) => screen.views.length === 2);
    await ada.type('List', 'bad');
    expect((await ada.submit('Use it')).errors).toEqual({ List: 'No country in it' });
    expect(ada.screen.text()).toContain('! No country in it');
    await ada.type('List', 'DE 5');
    const { view } = await ada.submit();
    expect(view?.callbackId).toBe('buy');
    expect(slack.violations).toEqual([]);
  });

  test('closing tells an app that asked to be told', async () => {
    const { ada, seen } = await start(mode);
    await ada.command('/proxy', 'buy');
    await ada.waitFor('Buy proxies');
    await ada.close();
    expect(ada.screen.modal).toBeUndefined();
    expect(seen.closed).toMatchObject([{ type: 'view_closed', is_cleared: false }]);
  });

  test('an empty required input is refused by the client, and nothing is sent', async () => {
    const { slack, ada } = await start(mode);
    await ada.command('/proxy', 'buy');
    await ada.waitFor('Buy proxies');
    await ada.type('Quantity', '0');
    const result = await ada.submit('Review');
    expect(result.sent).toBe(false);
    expect(result.errors).toEqual({
      Country: 'Please complete this required field.',
      Quantity: 'Please enter a number that is at least 1.',
    });
    expect(slack.deliveries.filter(({ type }) => type === 'view_submission')).toEqual([]);
    expect((await ada.submit('Review', { force: true })).sent).toBe(true);
  });

  test('a person of another organisation has no command', async () => {
    const { slack } = await start(mode);
    expect(await slack.as('U9').command('/proxy', 'help', { channel: 'C1' })).toBeNull();
    expect(slack.as('U9').screen.text()).toContain('/proxy is not a valid command.');
  });
});

test('what is not on the screen is complained about with what is', async () => {
  const { ada } = await start('socket');
  await ada.command('/proxy', 'buy');
  await ada.waitFor('Buy proxies');
  await expect(ada.press('Buy now')).rejects.toThrow(/no button "Buy now"[\s\S]*\[Add country\]/);
  await expect(ada.submit('Ask for approval')).rejects.toThrow(/"Review", not "Ask for approval"/);
  await expect(ada.waitFor('Approved', { timeout: 20 })).rejects.toThrow(/Nothing came in 20 ms[\s\S]*Buy proxies/);
});
