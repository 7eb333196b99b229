import type { App, types } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import { type Running, startBolt, startWorld } from './slack-bolt.ts';
import { call, trigger } from './slack-client.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const opt = (text: string) => ({ text: plain(text), value: text });
const button = (text: string, action_id: string) => ({ type: 'button' as const, action_id, text: plain(text) });

const form: types.ModalView = {
  type: 'modal',
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input',
      block_id: 'plan',
      label: plain('Plan'),
      element: { type: 'static_select', action_id: 'a', options: [opt('Monthly'), opt('Yearly')] },
    },
    {
      type: 'input',
      block_id: 'sure',
      optional: true,
      label: plain('Sure'),
      element: { type: 'checkboxes', action_id: 'a', options: [opt('A new, separate purchase'), opt('Tell me')] },
    },
    {
      type: 'section',
      block_id: 'size',
      text: plain('Size'),
      accessory: { type: 'static_select', action_id: 'size', options: [opt('Small'), opt('Large')] },
    },
    {
      type: 'input',
      block_id: 'country',
      optional: true,
      label: plain('Country'),
      element: { type: 'external_select', action_id: 'country' },
    },
    {
      type: 'input',
      block_id: 'live',
      optional: true,
      dispatch_action: true,
      label: plain('Live'),
      element: { type: 'plain_text_input', action_id: 'live' },
    },
    {
      type: 'actions',
      elements: [{ ...button('Reset', 'reset'), confirm: { title: plain('Sure?'), text: plain('All goes') } }],
    },
  ],
};

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(register: (app: App) => void) {
  running = await startBolt('socket', (app) => {
    app.command('/form', async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: form });
    });
    register(app);
  });
  const ada = running.slack.as('U1');
  return { ...running, ada, bob: running.slack.as('U2') };
}

async function openForm(register: (app: App) => void) {
  const started = await start(register);
  await started.ada.command('/form');
  await started.ada.waitFor('== Form ==');
  return started;
}

test('choices, ticks and selects end up in the state; only what stands outside an input block speaks at once', async () => {
  const values: unknown[] = [];
  const actions: unknown[] = [];
  const { ada, slack } = await openForm((app) => {
    app.action(/size|live|reset/, async ({ ack, body, action }) => {
      await ack();
      actions.push(action, body.type === 'block_actions' && body.container['type']);
    });
    app.view('form', async ({ ack, view }) => {
      values.push(view.state.values);
      await ack();
    });
  });
  await ada.pick('Plan', 'Yearly');
  await ada.tick('A new, separate purchase');
  await ada.tick('Tell me');
  await ada.tick('Tell me', { off: true });
  expect(actions).toEqual([]);
  await ada.pick('Size', 'Large');
  expect(actions).toMatchObject([
    { type: 'static_select', block_id: 'size', action_id: 'size', selected_option: opt('Large') },
    'view',
  ]);
  expect(await ada.press('Reset', { confirm: false })).toBeNull();
  await ada.type('Live', 'x', { enter: true });
  expect(actions).toHaveLength(4);
  expect(ada.screen.text()).toContain(
    'Plan: Yearly\nSure (optional): [x] A new, separate purchase [ ] Tell me\nSize Large',
  );
  await ada.submit();
  expect(values).toEqual([
    {
      plan: { a: { type: 'static_select', selected_option: opt('Yearly') } },
      sure: { a: { type: 'checkboxes', selected_options: [opt('A new, separate purchase')] } },
      size: { size: { type: 'static_select', selected_option: opt('Large') } },
      country: { country: { type: 'external_select', selected_option: null } },
      live: { live: { type: 'plain_text_input', value: 'x' } },
    },
  ]);
  expect(slack.violations).toEqual([]);
});

describe('type-ahead', () => {
  test('asks from min_query_length on, which is 3 unless said', async () => {
    const { ada } = await openForm((app) =>
      app.options('country', async ({ ack }) => ack({ options: [opt('Germany')] })),
    );
    await expect(ada.suggest('Country', 'ge')).rejects.toThrow(/from 3 characters on/);
    expect(await ada.suggest('Country', 'ger')).toEqual(['Germany']);
    await expect(ada.pick('Country', 'Narnia')).rejects.toThrow(/no option "Narnia".*offered: Germany/);
  });
  test('carries a stale state, as Slack does', async () => {
    const states: unknown[] = [];
    const { ada } = await openForm((app) =>
      app.options('country', async ({ ack, body }) => {
        states.push('view' in body && body.view?.state.values['plan']);
        await ack({ options: [] });
      }),
    );
    await ada.pick('Plan', 'Yearly');
    await ada.suggest('Country', 'ger');
    expect(states).toEqual([{ a: { type: 'static_select', selected_option: null } }]);
  });
  test('over 100 answers show nothing, and are recorded', async () => {
    const { ada, slack } = await openForm((app) =>
      app.options('country', async ({ ack }) =>
        ack({ options: Array.from({ length: 101 }, (_, i) => opt(`Country ${i}`)) }),
      ),
    );
    expect(await ada.suggest('Country', 'cou')).toEqual([]);
    expect(slack.takeViolations()).toMatchObject([{ where: 'ack of block_suggestion' }]);
  });
});

test('an invalid answer to a command is a failure that the person sees', async () => {
  const { ada, slack } = await start((app) =>
    app.command('/proxy', async ({ ack }) => ack({ text: 'x', blocks: [{ type: 'header', text: plain('') }] })),
  );
  await ada.command('/proxy');
  expect(ada.screen.text()).toContain('failed with the error "invalid_command_response"');
  expect(slack.takeViolations()).toMatchObject([{ where: 'ack of command' }]);
});

test('a private message is pressed by its owner alone, and replaced through its response_url', async () => {
  const messages: unknown[] = [];
  const { ada, bob, slack } = await start((app) => {
    app.command('/proxy', async ({ ack }) =>
      ack({ text: 'Sure?', blocks: [{ type: 'actions', elements: [button('Yes', 'yes')] }] }),
    );
    app.action('yes', async ({ ack, body, respond }) => {
      await ack();
      messages.push(body.type === 'block_actions' && [body.message, body.container['is_ephemeral']]);
      await respond({ text: 'Done', replace_original: true });
    });
  });
  await ada.command('/proxy');
  const shown = ada.message(/Yes/);
  await expect(bob.pressOn(shown, 'Yes')).rejects.toThrow(/cannot see/);
  await ada.pressOn(shown, 'Yes');
  await ada.waitFor((screen) => screen.ephemerals[0]?.edits === 1);
  expect(messages).toEqual([[undefined, true]]);
  expect(slack.violations).toEqual([]);
});

test('a home is opened, drawn and pressed', async () => {
  const pressed: unknown[] = [];
  const { ada } = await start((app) => {
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [{ type: 'actions', elements: [button('Orders', 'orders')] }] },
      });
    });
    app.action('orders', async ({ ack, body }) => {
      await ack();
      pressed.push(body.type === 'block_actions' && body.view?.type);
    });
  });
  await ada.openHome();
  await ada.waitFor('[Orders]');
  await ada.press('Orders', { in: 'home' });
  expect(pressed).toEqual(['home']);
});

test('a person is picked by name, and reported by the id that Slack uses for them', async () => {
  const slack = await startWorld();
  slack.world.setPerson('U2', { enterpriseUserId: 'W2', actsAs: 'enterprise' });
  const owner = {
    type: 'input',
    block_id: 'owner',
    label: plain('Owner'),
    element: { type: 'users_select', action_id: 'a', initial_user: 'U1' },
  };
  await call(slack, 'views.open', { trigger_id: await trigger(slack), view: { ...form, blocks: [owner] } });
  const ada = slack.as('U1');
  expect(ada.screen.text()).toContain('Owner: ada');
  await ada.pick('Owner', 'bob');
  expect(ada.screen.text()).toContain('Owner: bob');
  expect((await ada.submit()).delivery?.body['view']).toMatchObject({
    state: { values: { owner: { a: { type: 'users_select', selected_user: 'W2' } } } },
  });
  await slack.close();
});

test('of several options some are chosen, up to the most, and taken out again', async () => {
  const slack = await startWorld();
  const orders = {
    type: 'input',
    block_id: 'orders',
    label: plain('Orders'),
    element: {
      type: 'multi_static_select',
      action_id: 'a',
      max_selected_items: 2,
      options: ['7', '8', '9'].map(opt),
      initial_options: [opt('7')],
    },
  };
  await call(slack, 'views.open', { trigger_id: await trigger(slack), view: { ...form, blocks: [orders] } });
  const ada = slack.as('U1');
  await ada.pick('Orders', '9');
  expect(ada.screen.text()).toContain('Orders: 7, 9');
  await expect(ada.pick('Orders', '8')).rejects.toThrow(/no more than 2/);
  await ada.pick('Orders', '7', { off: true });
  expect((await ada.submit()).delivery?.body['view']).toMatchObject({
    state: { values: { orders: { a: { type: 'multi_static_select', selected_options: [opt('9')] } } } },
  });
  await ada.pick('Orders', '9', { off: true });
  expect((await ada.submit()).errors).toEqual({ Orders: 'Please complete this required field.' });
  expect(slack.violations).toEqual([]);
  await slack.close();
});

test('several options are chosen from what the app offers, asked as somebody types', async () => {
  const { ada, slack } = await start((app) => {
    app.options('orders', async ({ ack, body: { value } }) =>
      ack({ options: ['17', '18', '27'].filter((id) => id.includes(value)).map(opt) }),
    );
    app.command('/renew', async ({ ack, body, client }) => {
      await ack();
      const element = { type: 'multi_external_select' as const, action_id: 'orders', min_query_length: 0 };
      const blocks = [{ type: 'input' as const, block_id: 'b', label: plain('Orders'), element }];
      await client.views.open({ trigger_id: body.trigger_id, view: { ...form, blocks } });
    });
  });
  await ada.command('/renew');
  await ada.waitFor('== Form ==');
  expect(await ada.suggest('Orders', '1')).toEqual(['17', '18']);
  await ada.pick('Orders', '18');
  await ada.pick('Orders', '27');
  expect(ada.screen.modal?.inputs).toMatchObject({
    '["b","orders"]': { value: { selected_options: [opt('18'), opt('27')] } },
  });
  expect(slack.violations).toEqual([]);
});

test('a deactivated person is not offered where people are chosen', async () => {
  const slack = await startWorld();
  slack.world.setPerson('U2', { deleted: true });
  const owner = { type: 'input', label: plain('Owner'), element: { type: 'users_select', action_id: 'a' } };
  await call(slack, 'views.open', { trigger_id: await trigger(slack), view: { ...form, blocks: [owner] } });
  await expect(slack.as('U1').pick('Owner', 'bob')).rejects.toThrow(/no option "bob"/);
  await slack.close();
});

test('opening a modal from inside one is recorded', async () => {
  const slack = await startWorld();
  await call(slack, 'views.open', { trigger_id: await trigger(slack), view: form });
  const { body } = await slack
    .as('U1')
    .press('Reset')
    .then((delivery) => delivery ?? { body: {} as Record<string, unknown> });
  await call(slack, 'views.open', { trigger_id: body['trigger_id'], view: form });
  expect(slack.takeViolations()).toMatchObject([{ where: 'views.open' }]);
  await slack.close();
});

test('a deactivated person cannot act, and one of several like inputs must be named', async () => {
  const slack = await startWorld();
  const twice = {
    ...form,
    blocks: [
      { ...form.blocks[0], block_id: 'p1' },
      { ...form.blocks[0], block_id: 'p2' },
    ],
  };
  await call(slack, 'views.open', { trigger_id: await trigger(slack), view: twice });
  await expect(slack.as('U1').pick('Plan', 'Yearly')).rejects.toThrow(/There are 2.*say which with nth/);
  await expect(slack.as('U1').pick('Plan', 'Yearly', { nth: 3 })).rejects.toThrow(/only 2/);
  slack.world.setPerson('U1', { deleted: true });
  await expect(slack.as('U1').command('/proxy')).rejects.toThrow(/deactivated/);
  await slack.close();
});
