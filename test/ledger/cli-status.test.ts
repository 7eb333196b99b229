import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../src/ledger/open.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { durationMs, durationText } from '../../src/purchasing/model/duration.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { BEN, closeAfterwards, filed, HOUR, MINUTE, setFreeze, WAY_TO, walked } from './fixture.ts';

/** Status tells ages, by the machine's clock: the ledger was written at times before now. */
async function written(): Promise<OpenLedger & { path: string; at: (ageMs: number) => void }> {
  const path = scratchFile();
  const began = Date.now();
  const clock = { now: began };
  const bot = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => clock.now));
  return {
    ...bot,
    path,
    at: (ageMs) => {
      clock.now = began - ageMs;
    },
  };
}

const beat = ({ instances }: OpenLedger, id: string, policyHash: string, vendorHash = 'v1') =>
  instances.beat({ id, version: '0.1.0', policyHash, vendorHash, policySince: 1, slack: 'connected' }, 1);

const status = async (path: string, ...args: string[]) => {
  const { code, out, err } = await ledgerCommand({ kind: 'sqlite', path }, 'status', ...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

describe('a duration in words', () => {
  test.each([
    [-5, '0s'],
    [0, '0s'],
    [999, '0s'],
    [4_000, '4s'],
    [89 * 1_000, '1m'],
    [90 * MINUTE, '1h'],
    [24 * HOUR, '1d'],
    [400 * 24 * HOUR, '400d'],
  ])('of %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test.each(['4s', '15m', '23h', '7d'])('%s is read as it is written', (text) => {
    expect(durationText(durationMs(text))).toBe(text);
  });
});

describe('ledger status', () => {
  test('tells what is open and for how long, what is owed, the freeze, and who is there', async () => {
    const bot = await written();
    const { path, ledger, outbox, at } = bot;
    at(3 * HOUR);
    const waiting = await filed(ledger);
    at(2 * HOUR);
    await filed(ledger);
    const unknown = await walked(ledger, await filed(ledger), ...WAY_TO.unknown);
    await walked(ledger, await filed(ledger), ...WAY_TO.completed);
    at(15 * MINUTE);
    const sending = await walked(ledger, await filed(ledger), ...WAY_TO.sending);
    await setFreeze(ledger, 'lost token', BEN);
    await outbox.owe({ key: 'a', kind: 'alert', audience: 'approvers', about: null, text: 'x', by: null }, null);
    at(40_000);
    await beat(bot, 'gone', 'p0');
    at(29_000);
    await beat(bot, 'first', 'p1');
    at(20_000);
    await beat(bot, 'second', 'p1');

    const told = JSON.parse(await status(path, '--json'));
    const ageSeconds = expect.any(Number);
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/);
    expect(told).toEqual({
      database: 'sqlite',
      schema: expect.any(Number),
      frozen: { by: BEN, reason: 'lost token', since },
      purchases: {
        requested: 2,
        approved: 0,
        sending: 1,
        completed: 1,
        declined: 0,
        unknown: 1,
        rejected: 0,
        withdrawn: 0,
        expired: 0,
      },
      oldest: {
        requested: { id: waiting, since, ageSeconds },
        approved: null,
        sending: { id: sending, since, ageSeconds },
        unknown: { id: unknown, since, ageSeconds },
      },
      undelivered: 2,
      instances: [
        { id: 'first', version: '0.1.0', startedAt: since, policy: 'p1', policySince: since, slack: 'connected' },
        { id: 'second', version: '0.1.0', startedAt: since, policy: 'p1', policySince: since, slack: 'connected' },
      ],
      policiesDiffer: false,
      vendorsDiffer: false,
    });
    expect(told.oldest.requested.ageSeconds).toBeGreaterThanOrEqual(3 * 3_600);

    const text = await status(path);
    expect(text).toMatch(new RegExp(`^ledger +SQLite at ${path}, schema \\d+$`, 'm'));
    expect(text).toMatch(/^spending +frozen for 15m by U0BEN: lost token$/m);
    expect(text).toMatch(new RegExp(`^requested +2, ${waiting} for 3h$`, 'm'));
    expect(text).toMatch(/^approved +0$/m);
    expect(text).toMatch(new RegExp(`^sending +1, ${sending} for 15m$`, 'm'));
    expect(text).toMatch(/^completed +1$/m);
    expect(text).toMatch(/^messages owed +2$/m);
    expect(text).toMatch(/^bot +running, 2 processes$/m);
    expect(text).toMatch(/^ +first, version 0\.1\.0, started \d+s ago, policy p1, Slack: connected$/m);
    expect(text).not.toContain('different');
  });

  test('says which processes go by different rules', async () => {
    const bot = await written();
    await beat(bot, 'first', 'p1', 'v1');
    await beat(bot, 'second', 'p2', 'v2');
    expect(JSON.parse(await status(bot.path, '--json'))).toMatchObject({ policiesDiffer: true, vendorsDiffer: true });
    expect(await status(bot.path)).toMatch(/different policies.*\n.*different vendor addresses or accounts/);
  });

  test('of an empty ledger says that nothing is there', async () => {
    const { path } = await written();
    const text = await status(path);
    expect(text).toMatch(/^spending +not frozen$/m);
    expect(text).toMatch(/^bot +not running$/m);
    expect(JSON.parse(await status(path, '--json'))).toMatchObject({ frozen: null, instances: [], undelivered: 0 });
  });

  test('prints nothing that a terminal obeys', async () => {
    const { path, ledger } = await written();
    const reason = 'red \u001b[31m\u202etxt\nnext';
    await setFreeze(ledger, reason, BEN);
    expect(await status(path)).toContain('red \\u001b[31m\\u202etxt\\nnext\n');
    expect(await status(path, '--json')).not.toContain('\u202e');
  });
});
