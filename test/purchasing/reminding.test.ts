import { describe, expect, test } from 'vitest';
import type { Policy, QuietHours } from '../../src/purchasing/model/policy.ts';
import { dueReminders, isQuiet, shortestWaitMs } from '../../src/purchasing/rules/reminding.ts';
import { policy } from './fixture.ts';

const HOUR = 3_600_000;
const FILED = Date.UTC(2026, 0, 31, 15);
const REQUEST = { id: 'P-1', createdAt: FILED };
const NIGHT: QuietHours = { fromMinutes: 19 * 60, untilMinutes: 8 * 60, timeZone: 'UTC' };

type Channel = Extract<Policy['approvals'], { mode: 'channel' }>;
const given = (more: Partial<Channel> = {}): Channel =>
  policy({ remindAfterMs: [HOUR, 4 * HOUR], ...more }).approvals as Channel;
const due = (afterMs: number, more: Partial<Channel> = {}, owed: readonly string[] = []) =>
  dueReminders(REQUEST, new Set(owed), FILED + afterMs, given(more)).map(({ key }) => key);
const rung = (hours: number) => `P-1:reminder::thread:${hours * HOUR}`;
const ESCALATION = 'P-1:escalation::thread:';

describe('those who approve are reminded', () => {
  test.each<[string, number, readonly string[], readonly string[]]>([
    ['not before the first rung', HOUR - 1, [], []],
    ['at the first rung', HOUR, [], [rung(1)]],
    ['once', 2 * HOUR, [rung(1)], []],
    ['at the next, backing off', 4 * HOUR, [rung(1)], [rung(4)]],
    ['of the latest rung alone, where the bot was down at the one before', 5 * HOUR, [], [rung(4)]],
    ['no more after the last', 20 * HOUR, [rung(1), rung(4)], []],
  ])('%s', (_, afterMs, owed, expected) => {
    expect(due(afterMs, {}, owed)).toEqual(expected);
  });

  test('in no quiet hours; at their end once, of the latest rung', () => {
    const quiet = NIGHT;
    // Asked at 15:00: the rung of 4 h is reached at 19:00.
    expect(due(HOUR, { quiet })).toEqual([rung(1)]);
    for (const hours of [4, 8, 16.99]) expect(due(hours * HOUR, { quiet }, [rung(1)])).toEqual([]);
    expect(due(17 * HOUR, { quiet }, [rung(1)])).toEqual([rung(4)]);
    expect(due(17 * HOUR, { quiet })).toEqual([rung(4)]);
  });

  test('and others are mentioned once, in no quiet hours either', () => {
    const escalation = { afterMs: 2 * HOUR, to: ['S0BOSSES'] };
    expect(due(HOUR, { escalation }, [rung(1)])).toEqual([]);
    expect(due(2 * HOUR, { escalation }, [rung(1)])).toEqual([ESCALATION]);
    expect(due(3 * HOUR, { escalation }, [rung(1), ESCALATION])).toEqual([]);
    expect(due(4 * HOUR, { escalation, quiet: NIGHT }, [rung(1)])).toEqual([]);
    expect(due(17 * HOUR, { escalation, quiet: NIGHT }, [rung(1)])).toEqual([rung(4), ESCALATION]);
  });

  test('of nothing where the policy says so', () => {
    expect(due(20 * HOUR, { remindAfterMs: [] })).toEqual([]);
    expect(shortestWaitMs(given({ remindAfterMs: [] }))).toBeNull();
    expect(shortestWaitMs(policy('off').approvals)).toBeNull();
    expect(shortestWaitMs(given({ escalation: { afterMs: HOUR / 2, to: ['S1'] } }))).toBe(HOUR / 2);
  });
});

describe('quiet hours', () => {
  const at = (month: number, day: number, hour: number, minute = 0) => Date.UTC(2026, month - 1, day, hour, minute);
  const berlin: QuietHours = { ...NIGHT, timeZone: 'Europe/Berlin' };
  const noon: QuietHours = { fromMinutes: 12 * 60, untilMinutes: 13 * 60 + 30, timeZone: 'UTC' };
  test.each<[string, QuietHours, number, boolean]>([
    ['begin at their first minute', NIGHT, at(1, 31, 19), true],
    ['not before', NIGHT, at(1, 31, 18, 59), false],
    ['go on over midnight', NIGHT, at(2, 1, 0), true],
    ['end at their last', NIGHT, at(2, 1, 8), false],
    ['until then', NIGHT, at(2, 1, 7, 59), true],
    ['may lie within a day', noon, at(2, 1, 12, 30), true],
    ['and end in it', noon, at(2, 1, 13, 30), false],
    ['are those of their time zone in winter', berlin, at(1, 31, 18), true],
    ['and an hour earlier in summer', berlin, at(7, 31, 17), true],
    ['not in winter', berlin, at(1, 31, 17), false],
  ])('%s', (_, quiet, now, expected) => {
    expect(isQuiet(quiet, now)).toBe(expected);
  });
});
