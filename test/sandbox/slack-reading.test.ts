import { describe, expect, test } from 'vitest';
import { liveParts, renderText } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call, trigger } from './slack-client.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

describe('See more', () => {
  const section = (text: string, extra: object = {}) => ({ type: 'section', text: { type: 'mrkdwn', text }, ...extra });
  const long = `${`${'x'.repeat(349)} `.repeat(2)}the end`;
  test.each([
    ['a long text', section(long), ['the end']],
    ['many lines', section('1\n2\n3\n4\n5\n*6*'), ['6']],
    ['the same expanded', section('1\n2\n3\n4\n5\n6', { expand: true }), []],
    ['five lines', section('1\n2\n3\n4\n5'), []],
    ['long fields', { type: 'section', fields: [plain(long)] }, []],
    ['a long context', { type: 'context', elements: [plain(long)] }, []],
  ])('folds in a message: %s', async (_what, block, folded) => {
    const slack = await startWorld();
    await call(slack, 'chat.postMessage', { channel: 'C1', text: 'x', blocks: [block] });
    const { screen } = slack.as('U1');
    expect(screen.folded).toEqual(folded);
    expect(screen.text().includes('… See more')).toBe(folded.length > 0);
    await slack.close();
  });
  test('folds nothing in a view', async () => {
    const slack = await startWorld();
    const view = { type: 'modal', title: plain('T'), blocks: [section(long)] };
    await call(slack, 'views.open', { trigger_id: await trigger(slack), view });
    const { screen } = slack.as('U1');
    expect([screen.folded, screen.text()]).toEqual([[], expect.not.stringContaining('See more')]);
    await slack.close();
  });
});

describe('liveParts', () => {
  const kinds = (text: string, verbatim = false) =>
    liveParts({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim } }] }).map(
      ({ kind, target }) => `${kind} ${target}`,
    );
  test.each([
    ['<@U1> and <!subteam^S1|@x>', ['person U1', 'group S1']],
    ['<!here> <!channel|x>', ['broadcast here', 'broadcast channel']],
    ['<https://a.example|safe> <#C1>', ['link https://a.example', 'channel C1']],
    ['see https://a.example/x or evil.com', ['link https://a.example/x', 'link evil.com']],
    ['wake @channel', ['broadcast channel']],
    ['&lt;@U1&gt; &amp; US 10, order 1.5', []],
    ['`https://a.example`', []],
  ])('%s', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
  test('verbatim and plain text leave bare addresses dead', () => {
    expect(kinds('https://a.example', true)).toEqual([]);
    expect(liveParts({ blocks: [{ type: 'section', text: plain('https://a.example <@U1>') }] })).toEqual([]);
    expect(liveParts({ text: 'https://a.example' })).toMatchObject([{ kind: 'link', bare: true, at: '/text' }]);
  });
});

test('a message is read as a person reads it', () => {
  const names = { people: { U1: { name: 'ada' } }, groups: { S1: { handle: 'leads' } }, channels: {} } as never;
  const text = '*Buy* _now_ <@U1> <!subteam^S1> <https://a.example|label> a_b_c &lt;x&gt; `*raw*`';
  const message = {
    channel: 'C1',
    ts: '1',
    text: '',
    byBot: true,
    edits: 0,
    deleted: false,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
  };
  expect(renderText(message, names)).toBe('Buy now @ada @leads label a_b_c <x> *raw*');
});
