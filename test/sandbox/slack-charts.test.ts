import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call, trigger } from './slack-client.ts';

const x = (length: number) => 'x'.repeat(length);
const names = (count: number) => Array.from({ length: count }, (_, nth) => `n${nth}`);
const series = (name: string, labels: readonly unknown[], value: unknown = -1.5) => ({
  name,
  data: labels.map((label) => ({ label, value })),
});
const chart = (
  shape: { series?: unknown[]; axis?: object; type?: string; labels?: readonly string[] } = {},
  title = 'Balance',
) => {
  const labels = shape.labels ?? ['a', 'b'];
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: shape.type ?? 'line',
      series: shape.series ?? [series('one', labels)],
      axis_config: { categories: labels, ...shape.axis },
    },
  };
};

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startWorld();
});
afterEach(() => slack.close());

const post = (...blocks: object[]) => call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks });

test('the largest chart is taken, and its figures are read', async () => {
  const labels = names(20);
  const six = names(6).map((name) => series(name, labels));
  const axis = { x_label: x(50), y_label: x(50) };
  expect(await post(chart({ labels, series: six, axis, type: 'bar' }, x(50)), chart())).toMatchObject({ ok: true });
  expect(slack.as('U1').screen.text()).toContain('(chart: Balance; one: a -1.5, b -1.5)');
  expect(slack.violations).toEqual([]);
});

const two = ['a', 'b'];
test.each<[string, object[]]>([
  ['a title of 51 characters', [chart({}, x(51))]],
  ['no series', [chart({ series: [] })]],
  ['7 series', [chart({ series: names(7).map((name) => series(name, two)) })]],
  ['two series of one name', [chart({ series: [series('one', two), series('one', two)] })]],
  ['a name of 21 characters', [chart({ series: [series(x(21), two)] })]],
  ['21 points', [chart({ labels: names(21) })]],
  ['a category of 21 characters', [chart({ labels: [x(21)] })]],
  ['a category twice', [chart({ labels: ['a', 'a'] })]],
  ['a category that a series lacks', [chart({ series: [series('one', ['a'])] })]],
  ['a point of no category', [chart({ series: [series('one', ['a', 'c'])] })]],
  ['a value that is no number', [chart({ series: [series('one', two, '5')] })]],
  ['an axis named in 51 characters', [chart({ axis: { y_label: x(51) } })]],
  ['a field that the documentation has not', [{ ...chart(), alt_text: 'x' }]],
  ['a kind that the product does not send', [chart({ type: 'pie' })]],
  ['three charts', [chart(), chart(), chart()]],
])('a chart is refused for %s', async (_what, blocks) => {
  expect((await post(...blocks)).error).toBe('invalid_blocks');
  expect(slack.takeViolations()).toHaveLength(1);
});

test('a chart is for messages alone', async () => {
  const view = { type: 'modal', title: { type: 'plain_text', text: 'x' }, blocks: [chart()] };
  expect(await call(slack, 'views.open', { trigger_id: await trigger(slack), view })).toMatchObject({ ok: false });
  expect(slack.takeViolations()).toMatchObject([{ what: expect.stringContaining('unsupported type') }]);
});

test('a workspace that does not know charts names the block, and it is nobody’s violation', async () => {
  slack.settings.takesCharts = false;
  expect(await post({ type: 'divider' }, chart())).toMatchObject({
    ok: false,
    error: 'invalid_blocks',
    errors: ['[ERROR] unsupported type: data_visualization [json-pointer:/blocks/1/type]'],
  });
  expect(await post({ type: 'divider' })).toMatchObject({ ok: true });
  expect(slack.violations).toEqual([]);
});
