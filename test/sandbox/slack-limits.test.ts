import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call, trigger } from './slack-client.ts';

const x = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const opt = (value: string) => ({ text: plain(value), value });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const section = (text: string) => ({ type: 'section', text: plain(text) });
const button = (extra: object = {}) => ({ type: 'button', action_id: 'b', text: plain('Go'), ...extra });
const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
const input = (element: object, extra: object = {}) => ({
  type: 'input',
  label: plain('Label'),
  element: { action_id: 'a', ...element },
  ...extra,
});
const numberInput = (extra: object = {}) => input({ type: 'number_input', is_decimal_allowed: false, ...extra });
const three = ['a', 'b', 'c'].map(opt);
const multi = (extra: object) => input({ type: 'multi_static_select', max_selected_items: 2, ...extra });
const cell = (text: string) => ({ type: 'raw_text', text });
const table = (rows: unknown[][], extra: object = {}) => ({ type: 'table', rows, ...extra });
const select = (extra: object) => input({ type: 'static_select', ...extra });
const modal = (blocks: unknown[], extra: object = {}) => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Go'),
  blocks,
  ...extra,
});

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startWorld();
});
afterEach(() => slack.close());

/** [what is wrong, the block, what Slack says]: the same in a modal and (unless `modalOnly`) in a message. */
const WRONG_BLOCKS: [string, unknown, RegExp][] = [
  ['an unknown block', { type: 'banner' }, /unsupported type: banner/],
  ['a block without a type', { text: plain('x') }, /missing required field: type/],
  ['a field the block does not have', { ...section('x'), colour: 'red' }, /invalid additional property: colour/],
  ['an empty text', section(''), /must be more than 0 characters/],
  ['a section text over 3,000', section(x(3001)), /less than 3001/],
  ['a section with neither text nor fields', { type: 'section' }, /text or fields/],
  ['11 fields', { type: 'section', fields: times(11, () => plain('x')) }, /no more than 10/],
  ['a field over 2,000', { type: 'section', fields: [mrkdwn(x(2001))] }, /less than 2001/],
  ['a header over 150', { type: 'header', text: plain(x(151)) }, /less than 151/],
  ['a header in mrkdwn', { type: 'header', text: mrkdwn('x') }, /unsupported type: mrkdwn/],
  ['11 context elements', { type: 'context', elements: times(11, () => plain('x')) }, /no more than 10/],
  ['26 actions', actions(...times(26, (i) => button({ action_id: `b${i}` }))), /no more than 25/],
  ['no action at all', actions(), /no fewer than 1/],
  ['a button over 75', actions(button({ text: plain(x(76)) })), /less than 76/],
  ['a button in mrkdwn', actions(button({ text: mrkdwn('x') })), /unsupported type: mrkdwn/],
  ['a button value over 2,000', actions(button({ value: x(2001) })), /less than 2001/],
  ['a button url over 3,000', actions(button({ url: x(3001) })), /less than 3001/],
  ['an unknown button style', actions(button({ style: 'default' })), /valid enum value/],
  ['a confirm text over 300', actions(button({ confirm: { text: plain(x(301)) } })), /less than 301/],
  [
    'a confirm button over 30',
    actions(button({ confirm: { text: plain('x'), confirm: plain(x(31)) } })),
    /less than 31/,
  ],
  ['an action_id over 255', actions(button({ action_id: x(256) })), /less than 256/],
  ['a block_id over 255', { ...section('x'), block_id: x(256) }, /less than 256/],
  ['an action_id twice in a block', actions(button(), button()), /action_id must be unique/],
  [
    'a number_input outside an input block',
    actions({ type: 'number_input', action_id: 'n', is_decimal_allowed: false }),
    /unsupported type: number_input/,
  ],
  [
    'a number_input as accessory',
    { ...section('x'), accessory: { type: 'number_input', is_decimal_allowed: true } },
    /unsupported type/,
  ],
  ['a button in an input block', input(button()), /unsupported type: button/],
  [
    'a number_input without is_decimal_allowed',
    input({ type: 'number_input' }),
    /missing required field: is_decimal_allowed/,
  ],
  ['a min_value that is a number', numberInput({ min_value: 1 }), /a number given as a string/],
  ['min over max', numberInput({ min_value: '9', max_value: '1' }), /min_value must not be more/],
  [
    'an initial number out of range',
    numberInput({ min_value: '5', initial_value: '1' }),
    /between min_value and max_value/,
  ],
  ['an input label over 2,000', input({ type: 'plain_text_input' }, { label: plain(x(2001)) }), /less than 2001/],
  ['a hint over 2,000', input({ type: 'plain_text_input' }, { hint: plain(x(2001)) }), /less than 2001/],
  ['a placeholder over 150', input({ type: 'plain_text_input', placeholder: plain(x(151)) }), /less than 151/],
  ['min_length over 3,000', input({ type: 'plain_text_input', min_length: 3001 }), /between 0 and 3000/],
  ['101 options', select({ options: times(101, (i) => opt(`o${i}`)) }), /no more than 100/],
  ['no options', select({ options: [] }), /no fewer than 1/],
  [
    'options and option_groups',
    select({ options: [opt('a')], option_groups: [{ label: plain('g'), options: [opt('a')] }] }),
    /exactly one of/,
  ],
  ['a group label over 75', select({ option_groups: [{ label: plain(x(76)), options: [opt('a')] }] }), /less than 76/],
  ['an option text over 75', select({ options: [{ text: plain(x(76)), value: 'v' }] }), /less than 76/],
  ['an option value over 75', select({ options: [{ text: plain('t'), value: x(76) }] }), /less than 76/],
  [
    'an initial option that is no option',
    select({ options: [opt('a')], initial_option: opt('b') }),
    /one of the provided options/,
  ],
  ['101 options to choose several of', multi({ options: times(101, (i) => opt(`o${i}`)) }), /no more than 100/],
  ['none to choose several of', multi({}), /exactly one of/],
  ['more chosen at first than may be', multi({ options: three, initial_options: three }), /no more than 2/],
  ['chosen at first what is no option', multi({ options: three, initial_options: [opt('d')] }), /among the provided/],
  ['at most none', multi({ options: three, max_selected_items: 0 }), /between 1 and 100/],
  [
    'a select of several in an actions block',
    actions({ type: 'multi_static_select', action_id: 'm', options: three }),
    /unsupported type: multi_static_select/,
  ],
  ['11 checkboxes', input({ type: 'checkboxes', options: times(11, (i) => opt(`o${i}`)) }), /no more than 10/],
  [
    'an image without alt_text',
    { type: 'image', image_url: 'https://example.com/x.png' },
    /missing required field: alt_text/,
  ],
];

describe('refuses, in a modal and in a message alike', () => {
  test.each(WRONG_BLOCKS)('%s', async (_what, block, says) => {
    const asModal = await call(slack, 'views.open', { trigger_id: await trigger(slack), view: modal([block]) });
    expect(asModal).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(JSON.stringify(asModal['response_metadata'])).toMatch(says);
    expect(slack.takeViolations()).toHaveLength(1);

    const asMessage = await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks: [block] });
    expect(asMessage).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(JSON.stringify(asMessage['response_metadata'])).toMatch(says);
    expect(slack.takeViolations()).toMatchObject([{ where: 'chat.postMessage' }]);
  });
});

const WRONG_VIEWS: [string, Record<string, unknown>, string, RegExp][] = [
  [
    'a title over 24',
    modal([section('x')], { title: plain(x(25)) }),
    'invalid_arguments',
    /less than 25.*\/view\/title\/text/,
  ],
  ['a submit over 24', modal([section('x')], { submit: plain(x(25)) }), 'invalid_arguments', /less than 25/],
  ['a close over 24', modal([section('x')], { close: plain(x(25)) }), 'invalid_arguments', /less than 25/],
  ['no title', { type: 'modal', blocks: [section('x')] }, 'invalid_arguments', /missing required field: title/],
  [
    'inputs without submit',
    { type: 'modal', title: plain('T'), blocks: [numberInput()] },
    'invalid_arguments',
    /missing required field: submit/,
  ],
  ['101 blocks', modal(times(101, () => ({ type: 'divider' }))), 'invalid_arguments', /no more than 100/],
  ['private_metadata over 3,000', modal([], { private_metadata: x(3001) }), 'invalid_arguments', /less than 3001/],
  ['a callback_id over 255', modal([], { callback_id: x(256) }), 'invalid_arguments', /less than 256/],
  ['fields of the answer sent back', modal([], { id: 'V1' }), 'invalid_arguments', /invalid additional property: id/],
  [
    'a block_id twice',
    modal([
      { ...section('x'), block_id: 'b' },
      { ...section('y'), block_id: 'b' },
    ]),
    'invalid_arguments',
    /block_id must be unique/,
  ],
  [
    'two inputs in focus',
    modal([numberInput({ focus_on_load: true }), numberInput({ focus_on_load: true })]),
    'invalid_arguments',
    /focus_on_load/,
  ],
  [
    'a block for messages only',
    modal([{ type: 'markdown', text: 'x' }]),
    'invalid_arguments',
    /unsupported type: markdown/,
  ],
  ['a table, which is for messages', modal([table([[cell('a')]])]), 'invalid_arguments', /unsupported type: table/],
  ['more than 250 kB', modal(times(90, () => section(x(2900)))), 'view_too_large', /^/],
];

test.each(WRONG_VIEWS)('a view is refused for %s', async (_what, view, error, says) => {
  const answer = await call(slack, 'views.open', { trigger_id: await trigger(slack), view });
  expect(answer.error).toBe(error);
  expect(JSON.stringify(answer['response_metadata'] ?? {})).toMatch(says);
  expect(slack.takeViolations()).toHaveLength(1);
  expect(slack.as('U1').screen.modal).toBeUndefined();
});

const WRONG_MESSAGES: [string, Record<string, unknown>, string][] = [
  ['51 blocks', { text: 'x', blocks: times(51, () => ({ type: 'divider' })) }, 'invalid_blocks'],
  [
    'more than 10,000 characters in all blocks',
    { text: 'x', blocks: times(4, () => section(x(2600))) },
    'msg_blocks_too_long',
  ],
  ['a text over 40,000', { text: x(40_001) }, 'msg_too_long'],
  ['nothing to show', {}, 'no_text'],
  ['two tables', { text: 'x', blocks: [table([[cell('a')]]), table([[cell('b')]])] }, 'invalid_blocks'],
  ['a table without rows', { text: 'x', blocks: [table([])] }, 'invalid_blocks'],
  ['a table of 101 rows', { text: 'x', blocks: [table(times(101, () => [cell('a')]))] }, 'invalid_blocks'],
  ['a table of 21 columns', { text: 'x', blocks: [table([times(21, () => cell('a'))])] }, 'invalid_blocks'],
  ['an empty cell', { text: 'x', blocks: [table([[cell('')]])] }, 'invalid_blocks'],
  [
    'a table of more than 10,000 characters',
    { text: 'x', blocks: [table(times(11, () => [cell(x(1000))]))] },
    'invalid_blocks',
  ],
  [
    'columns aligned anyhow',
    { text: 'x', blocks: [table([[cell('a')]], { column_settings: [{ align: 'top' }] })] },
    'invalid_blocks',
  ],
];

test.each(WRONG_MESSAGES)('a message is refused for %s', async (_what, args, error) => {
  expect((await call(slack, 'chat.postMessage', { channel: 'C1', ...args })).error).toBe(error);
  expect(slack.takeViolations()).toHaveLength(1);
  expect(slack.as('U1').screen.messages.filter((m) => !m.bySlack)).toEqual([]);
});

test.each([
  { type: 'video', alt_text: 'x' },
  { type: 'card', title: mrkdwn('x') },
  actions({ type: 'overflow', action_id: 'o', options: [opt('a')] }),
  input({ type: 'radio_buttons', options: [opt('a')] }),
])('what Slack has and the product does not send is refused, and says where to teach it: %o', async (block) => {
  await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks: [block] });
  expect(slack.takeViolations()).toMatchObject([
    { what: expect.stringMatching(/unsupported type: \w+ \(.*sandbox\/slack\/limits/) },
  ]);
});

test('the largest allowed is taken', async () => {
  const view = modal(
    [
      ...times(99, (i) => ({ ...section('x'), block_id: `s${i}` })),
      select({ options: times(100, (i) => opt(`o${i}`)), initial_option: opt('o1') }),
    ],
    {
      title: plain(x(24)),
      private_metadata: x(3000),
    },
  );
  expect(await call(slack, 'views.open', { trigger_id: await trigger(slack), view })).toMatchObject({ ok: true });
  const blocks = [
    { type: 'header', text: plain(x(150)) },
    ...times(3, () => section(x(3000))),
    actions(...times(25, (i) => button({ action_id: `b${i}`, text: plain('x') }))),
  ];
  expect(await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks })).toMatchObject({ ok: true });
  const rows = times(100, (i) => [cell(`order ${i}`), { type: 'raw_number', value: i, text: `${i}` }]);
  const settings = { column_settings: [null, { align: 'right', is_wrapped: true }] };
  expect(
    await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks: [table(rows, settings)] }),
  ).toMatchObject({ ok: true });
  expect(slack.as('U1').screen.text()).toContain('order 0 | 0\norder 1 | 1');
  expect(slack.violations).toEqual([]);
});
