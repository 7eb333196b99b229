import { describe, expect, test } from 'vitest';
import { readAppListing } from '../../sandbox/demo/app-listing.ts';
import type { ShownMessage, Snapshot } from '../../sandbox/demo/wire.ts';
import { completionsFor } from '../../sandbox/page/completions.ts';
import { formatDate } from '../../sandbox/page/dates.ts';
import { type Unread, unread } from '../../sandbox/page/read-marks.ts';
import { readRoute } from '../../sandbox/page/route.ts';
import { type Known, NOTHING_KNOWN, take } from '../../sandbox/page/store.ts';

const app = readAppListing();

test('a slash offers the command, a command its verbs, and nothing else offers anything', () => {
  expect(completionsFor('/', app).map(({ text }) => text)).toEqual(['/proxy ']);
  expect(completionsFor('/proxy ', app).map(({ text }) => text)).toContain('/proxy buy ');
  expect(completionsFor('/proxy ba', app).map(({ text }) => text)).toEqual(['/proxy balance', '/proxy baskets']);
  expect(completionsFor('/proxy o', app)).toMatchObject([
    { text: '/proxy orders ', shown: expect.stringMatching(/^\/proxy orders \[mine \|.*\]$/) },
  ]);
  // What may stand after a verb is none.
  expect(completionsFor('/proxy m', app)).toEqual([]);
  expect(completionsFor('/proxy buy US', app)).toEqual([]);
  expect(completionsFor('/other', app)).toEqual([]);
  expect(completionsFor('hello', app)).toEqual([]);
});

test('dates are told by the day where it is near, and by their fallback where they are none', () => {
  const now = new Date(2026, 0, 31, 12);
  const at = new Date(2026, 0, 31, 9, 5).getTime() / 1000;
  expect(formatDate(at, '{date_short_pretty}', 'x', now)).toBe('Today');
  expect(formatDate(at - 86_400, '{date_pretty}', 'x', now)).toBe('Yesterday');
  expect(formatDate(at + 86_400, '{date_long_pretty}', 'x', now)).toBe('Tomorrow');
  expect(formatDate(at, '{date_num} {unknown}', 'x', now)).toMatch(/^2026-01-31 \{unknown\}$/);
  expect(formatDate(Number.NaN, '{date}', 'then', now)).toBe('then');
});

test('the address says who looks at what, and at which thread', () => {
  expect(readRoute('#/ada/general')).toEqual({ person: 'ada', where: 'general' });
  expect(readRoute('#/ada/general/1700000000.000100')).toMatchObject({ where: 'general', thread: '1700000000.000100' });
  expect(readRoute('#/ada')).toEqual({ person: 'ada' });
  expect(readRoute('')).toEqual({});
});

function message(ts: string, more: Partial<ShownMessage> = {}): ShownMessage {
  return { channel: 'C1', ts, text: '', blocks: [], byBot: true, edits: 0, deleted: false, mentions: [], ...more };
}

describe('unread is what Slack would say', () => {
  const directs = { U1: 'D1' };
  const ofMe = { mentions: ['U1'] };
  test.each<[string, { messages: ShownMessage[]; in?: string }, Unread]>([
    ['a message of a channel is only bold', { messages: [message('2.0')] }, { isAny: true, count: 0 }],
    ['a mention is counted', { messages: [message('2.0'), message('3.0', ofMe)] }, { isAny: true, count: 1 }],
    [
      'a mention of others is only bold',
      { messages: [message('2.0', { mentions: ['U2'] })] },
      { isAny: true, count: 0 },
    ],
    [
      'a direct message is counted',
      { messages: [message('2.0', { channel: 'D1' })], in: 'D1' },
      { isAny: true, count: 1 },
    ],
    ['what has been read is not', { messages: [message('1.0', ofMe)] }, { isAny: false, count: 0 }],
    ['an edit of it is not either', { messages: [message('1.0', { ...ofMe, edits: 2 })] }, { isAny: false, count: 0 }],
    ['a private answer is not', { messages: [message('2.0', { ephemeralTo: 'U1' })] }, { isAny: false, count: 0 }],
    ['what is deleted is not', { messages: [message('2.0', { deleted: true, ...ofMe })] }, { isAny: false, count: 0 }],
    ['a reply in a thread is not', { messages: [message('2.0', { threadTs: '1.0' })] }, { isAny: false, count: 0 }],
    [
      'a mention in a thread is',
      { messages: [message('2.0', { threadTs: '1.0', ...ofMe })] },
      { isAny: true, count: 1 },
    ],
    [
      'one that also went to the channel is',
      { messages: [message('2.0', { threadTs: '1.0', broadcast: true })] },
      { isAny: true, count: 0 },
    ],
    ['words of another person are bold', { messages: [message('2.0', { author: 'U2' })] }, { isAny: true, count: 0 }],
    ["one's own words are not", { messages: [message('2.0', { author: 'U1' })] }, { isAny: false, count: 0 }],
  ])('%s', (_title, { messages, in: channel = 'C1' }, expected) => {
    expect(unread({ messages, directs }, { [`U1 ${channel}`]: '1.0' }, 'U1', channel)).toEqual(expected);
  });
});

test('a connection that comes back brings nothing back that a reload has taken away, and takes nothing away', () => {
  const privately = (ts: string) => message(ts, { ephemeralTo: 'U1' });
  const snapshot = (messages: ShownMessage[], views: string[]) => ({
    type: 'snapshot' as const,
    snapshot: { messages, stacks: { U1: views.map((id) => ({ id })) } } as unknown as Snapshot,
  });
  const shown = ({ snapshot: now }: Known) => ({
    messages: now?.messages.map(({ ts }) => ts),
    views: now?.stacks['U1']?.map(({ id }) => id),
  });
  const loaded = take(NOTHING_KNOWN, snapshot([message('1.0'), privately('2.0')], ['V1']));
  expect(shown(loaded)).toEqual({ messages: ['1.0'], views: [] });
  const later = take(loaded, { type: 'message', message: privately('3.0') });
  const edited = take(later, { type: 'message', message: { ...privately('2.0'), edits: 1 } });
  expect(shown(edited).messages).toEqual(['1.0', '3.0']);
  const back = take(edited, snapshot([message('1.0'), privately('2.0'), privately('3.0')], ['V1', 'V2']));
  expect(shown(back)).toEqual({ messages: ['1.0', '3.0'], views: ['V2'] });
  // A sandbox that was started anew counts from the beginning.
  const anew = take(take(back, snapshot([message('1.0')], [])), snapshot([message('1.0')], ['V1']));
  expect(shown(anew).views).toEqual(['V1']);
});
