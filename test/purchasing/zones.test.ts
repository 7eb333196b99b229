import { describe, expect, test } from 'vitest';
import { UTC, zoneOf } from '../../src/purchasing/rules/zones.ts';

const NINE = 9 * 60;
const dayOf = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

describe('a time of day on a calendar day somewhere', () => {
  test.each([
    ['in UTC', 'UTC', '2026-03-10', NINE, '2026-03-10T09:00:00.000Z'],
    ['ahead of everybody', 'Pacific/Kiritimati', '2026-03-10', NINE, '2026-03-09T19:00:00.000Z'],
    ['behind everybody', 'Pacific/Pago_Pago', '2026-03-10', NINE, '2026-03-10T20:00:00.000Z'],
    ['at an odd offset', 'Asia/Kathmandu', '2026-03-10', NINE, '2026-03-10T03:15:00.000Z'],
    ['before summer time', 'Europe/Berlin', '2026-03-28', NINE, '2026-03-28T08:00:00.000Z'],
    ['on the day on which summer time begins', 'Europe/Berlin', '2026-03-29', NINE, '2026-03-29T07:00:00.000Z'],
    ['at an hour that summer time leaves out: later', 'Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
    ['just before that hour', 'Europe/Berlin', '2026-03-29', 119, '2026-03-29T00:59:00.000Z'],
    ['on the day on which summer time ends', 'Europe/Berlin', '2026-10-25', NINE, '2026-10-25T08:00:00.000Z'],
    ['at an hour that comes twice: the first', 'Europe/Berlin', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
    ['in New York before summer time', 'America/New_York', '2026-03-07', NINE, '2026-03-07T14:00:00.000Z'],
    ['in New York when it begins', 'America/New_York', '2026-03-08', NINE, '2026-03-08T13:00:00.000Z'],
    ['in New York at an hour left out', 'America/New_York', '2026-03-08', 150, '2026-03-08T07:30:00.000Z'],
    ['in New York when it ends', 'America/New_York', '2026-11-01', 90, '2026-11-01T05:30:00.000Z'],
    ['where summer time is half an hour', 'Australia/Lord_Howe', '2026-10-04', NINE, '2026-10-03T22:00:00.000Z'],
    ['at midnight where summer time leaves it out', 'Africa/Cairo', '2026-04-24', 0, '2026-04-23T22:00:00.000Z'],
  ])('%s', (_, zone, day, minutes, expected) => {
    expect(iso(zoneOf(zone).at(dayOf(day), minutes))).toBe(expected);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-01-31T10:00:00Z', '2026-02-01'],
    ['Pacific/Kiritimati', '2026-01-31T09:59:59Z', '2026-01-31'],
    ['Pacific/Pago_Pago', '2026-02-01T10:59:59.999Z', '2026-01-31'],
    ['Pacific/Pago_Pago', '2026-02-01T11:00:00Z', '2026-02-01'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
    ['America/New_York', '1969-12-31T23:59:59.500Z', '1969-12-31'],
  ])('in %s it is, at %s, the %s', (zone, at, day) => {
    expect(zoneOf(zone).dayOf(Date.parse(at))).toBe(dayOf(day));
  });

  test.each([null, '', 'Mars/Olympus'])('without a zone that is known (%s) it is that of UTC', (name) => {
    const at = Date.parse('2026-01-31T23:30:00Z');
    expect(zoneOf(name).dayOf(at)).toBe(UTC.dayOf(at));
    expect(zoneOf(name).at(dayOf('2026-01-31'), NINE)).toBe(UTC.at(dayOf('2026-01-31'), NINE));
  });
});
