import { describe, expect, test } from 'vitest';
import { EVERYTHING, readFilter } from '../../src/ledger/cli/filter.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand } from './command.ts';
import { ANN, BEN, closeAfterwards, filed, HOUR, START, WAY_TO, walked } from './fixture.ts';

const NOW = START;

describe('what a filter means', () => {
  test.each([
    [{}, {}],
    [{ state: 'unknown' }, { states: ['unknown'] }],
    [{ state: 'sending, unknown' }, { states: ['sending', 'unknown'] }],
    [{ person: 'U024BE7LH' }, { person: 'U024BE7LH' }],
    [{ person: 'W012A3CDE' }, { person: 'W012A3CDE' }],
    [{ order: '0090071992547409931234' }, { orderId: '90071992547409931234' }],
    [{ order: '0' }, { orderId: '0' }],
    [{ since: '2026-01-31' }, { since: Date.UTC(2026, 0, 31) }],
    [{ since: '2026-01-31T12:30Z' }, { since: Date.UTC(2026, 0, 31, 12, 30) }],
    [{ since: '2026-01-31T12:30:15.250Z' }, { since: Date.UTC(2026, 0, 31, 12, 30, 15, 250) }],
    [{ since: '24h' }, { since: NOW - 24 * HOUR }],
    [{ since: '400d' }, { since: NOW - 400 * 24 * HOUR }],
    [{ limit: '20' }, { limit: 20 }],
  ])('%j', (given, meant) => {
    expect(readFilter(given, NOW)).toEqual({ ...EVERYTHING, ...meant });
  });

  test.each([
    [{ state: 'gone' }, /^--state "gone" is no state: give one, or several with commas, of requested, approved,/],
    [{ state: 'unknown,' }, /^--state "" is no state/],
    [{ state: 'constructor' }, /^--state "constructor" is no state/],
    [{ person: '@ann' }, /^--person "@ann" is no Slack user id: give one like U024BE7LH/],
    [{ person: '' }, /^--person "" is no Slack user id/],
    [{ order: 'P-7K3F9QMW' }, /^--order "P-7K3F9QMW" is no order id: give its digits/],
    [{ order: '1'.repeat(41) }, /^--order "1{41}" is no order id/],
    [{ order: '-1' }, /^--order "-1" is no order id/],
    [{ since: 'yesterday' }, /^--since "yesterday" is neither a date nor a duration: give 2026-01-31 or/],
    [{ since: '2026-02-30' }, /^--since "2026-02-30" is neither/],
    [{ since: '2026-1-31' }, /^--since "2026-1-31" is neither/],
    [{ since: '2026-01-31T12:00' }, /^--since "2026-01-31T12:00" is neither/],
    [{ since: '1w' }, /^--since "1w" is neither/],
    [{ limit: '0' }, /^--limit "0" is no number of purchases: give a whole number from 1/],
    [{ limit: '1e3' }, /^--limit "1e3" is no number/],
    [{ limit: 'x'.repeat(100) }, /^--limit "x{60}…" is no number/],
  ])('%j is refused, with what would be right', (given, said) => {
    expect(() => readFilter(given, NOW)).toThrow(said);
  });
});

describe.each(['list', 'export'] as const)('ledger %s', (command) => {
  /** The ids that are printed, in their order. */
  async function selected(path: string, ...args: string[]): Promise<readonly string[]> {
    const json = command === 'list' ? ['--json'] : [];
    const { code, out, err } = await ledgerCommand({ kind: 'sqlite', path }, command, ...json, ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n').slice(command === 'list' ? 0 : 1, -1);
    return lines.map((line) => /p\d+/.exec(line)?.[0] ?? line);
  }

  test('takes states, a person, an order, a time and a number, and all of them together', async () => {
    const path = scratchFile();
    const { ledger } = closeAfterwards(await openLedger({ kind: 'sqlite', path }, () => START));
    const rejected = [];
    for (const createdAt of [START - 3 * HOUR, START - 2 * HOUR, START])
      rejected.push(await walked(ledger, await filed(ledger, { createdAt }), ...WAY_TO.rejected));
    const renewal = await filed(ledger, { kind: 'renew', orderId: '70', quantity: null, basket: [], requester: BEN });
    const other = await filed(ledger, { requester: 'U0CLARA', requesterPerson: 'W0CLARA' });
    const all = [...rejected, renewal, other];

    expect(await selected(path)).toEqual(all);
    expect(await selected(path, '--state', 'rejected')).toEqual(rejected);
    expect(await selected(path, '--state', 'requested,rejected')).toEqual(all);
    expect(await selected(path, '--state', 'expired')).toEqual([]);
    expect(await selected(path, '--person', BEN)).toEqual([renewal]);
    expect(await selected(path, '--person', ANN)).toEqual([...rejected, renewal]);
    expect(await selected(path, '--person', 'U0CLARA')).toEqual([other]);
    expect(await selected(path, '--person', 'W0CLARA')).toEqual([other]);
    expect(await selected(path, '--order', '070')).toEqual([renewal]);
    expect(await selected(path, '--order', '7')).toEqual([]);
    expect(await selected(path, '--since', new Date(START - 2 * HOUR).toISOString())).toEqual(all.slice(1));
    expect(await selected(path, '--since', '4s')).toEqual([]);
    expect(await selected(path, '--limit', '2')).toEqual([renewal, other]);
    expect(await selected(path, '--limit', '99')).toEqual(all);
    expect(await selected(path, '--state', 'rejected', '--person', ANN, '--limit=2')).toEqual(rejected.slice(1));
  });

  test('says what is right where a value is wrong', async () => {
    const { code, out, err } = await ledgerCommand({ kind: 'sqlite', path: '/nowhere' }, command, '--state', 'gone');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^ledger: --state "gone" is no state: .*\n\nUsage: /);
  });
});
