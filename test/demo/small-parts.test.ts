import { expect, test } from 'vitest';
import { readAppListing } from '../../sandbox/demo/app-listing.ts';
import { completionsFor } from '../../sandbox/page/completions.ts';
import { formatDate } from '../../sandbox/page/dates.ts';
import { unread } from '../../sandbox/page/read-marks.ts';
import { readRoute } from '../../sandbox/page/route.ts';
import type { Message } from '../../sandbox/slack/index.ts';

const app = readAppListing();

test('a slash offers the command, a command its verbs, and nothing else offers anything', () => {
  expect(completionsFor('/', app).map(({ text }) => text)).toEqual(['/proxy ']);
  expect(completionsFor('/proxy ', app).map(({ text }) => text)).toContain('/proxy buy ');
  expect(completionsFor('/proxy ba', app).map(({ text }) => text)).toEqual(['/proxy balance']);
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

test('the address says who looks at what', () => {
  expect(readRoute('#/ada/general')).toEqual({ person: 'ada', where: 'general' });
  expect(readRoute('#/ada')).toEqual({ person: 'ada' });
  expect(readRoute('')).toEqual({});
});

test('unread are the lasting messages after the last one seen', () => {
  const message = (ts: string, more: Partial<Message> = {}): Message => ({
    channel: 'C1',
    ts,
    text: '',
    blocks: [],
    byBot: true,
    edits: 0,
    deleted: false,
    ...more,
  });
  const all = [
    message('1.0'),
    message('2.0'),
    message('3.0', { ephemeralTo: 'U1' }),
    message('4.0', { deleted: true }),
  ];
  expect(unread(all, {}, 'U1', 'C1')).toBe(2);
  expect(unread(all, { 'U1 C1': '1.0' }, 'U1', 'C1')).toBe(1);
  expect(unread(all, { 'U1 C1': '2.0' }, 'U1', 'C1')).toBe(0);
});
