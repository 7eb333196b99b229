import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { THE_BOT } from '../../src/purchasing/model/entries.ts';
import { GONE_BACK } from '../../src/purchasing/model/freeze.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { MONTHLY } from '../support/plan.ts';
import { scratchFile } from '../support/scratch.ts';
import { ledgerCommand, ledgerCommandHeard } from './command.ts';
import { BEN, closeAfterwards, filed, HOUR, setFreeze, walked } from './fixture.ts';

const OPERATOR = `operator:${userInfo().username}`;

async function running() {
  const path = scratchFile();
  const bot = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
  const run = (...args: string[]) => ledgerCommand({ kind: 'sqlite', path }, ...args);
  const entries = () =>
    bot.database.read((sql) => sql.all('SELECT by, kind, detail FROM entries WHERE purchase_id IS NULL ORDER BY seq'));
  return { path, run, entries, ...bot };
}

describe('ledger freeze', () => {
  test('stops the lane of a running bot, with an entry and a notice as if an approver had done it', async () => {
    const { run, ledger, outbox, entries } = await running();
    await walked(ledger, await filed(ledger), 'approved');
    const { code, out, err } = await run('freeze', 'the', 'token', 'leaked');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^Spending is frozen: nothing is sent until it is unfrozen\./);
    expect(await ledger.freeze()).toMatchObject({ by: OPERATOR, reason: 'the token leaked' });
    expect(await ledger.lane()).toMatchObject({ frozen: true });
    expect(await entries()).toEqual([{ by: OPERATOR, kind: 'frozen', detail: '{"reason":"the token leaked"}' }]);
    expect(await outbox.leaseNotices(9, 1)).toMatchObject([
      { kind: 'frozen', audience: 'approvers', by: OPERATOR, text: 'the token leaked' },
    ]);
  });

  test('leaves a freeze that is there as it is, says whose it is, and is content', async () => {
    const { run, ledger, entries } = await running();
    await setFreeze(ledger, 'lost token', BEN);
    const { code, out, err } = await run('freeze', 'another');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^Spending is frozen already, by U0BEN since \S+Z: lost token\nNothing has changed\.\n$/);
    expect(await ledger.freeze()).toMatchObject({ by: BEN, reason: 'lost token' });
    expect(await entries()).toHaveLength(1);
  });

  test.each([[['freeze']], [['freeze', ' ']], [['unfreeze', 'now']]])('is not understood as %j', async (args) => {
    const { run, ledger } = await running();
    expect(await run(...args)).toMatchObject({ code: 2, out: '' });
    expect(await ledger.freeze()).toBeNull();
  });

  test('begins no ledger where there is none', async () => {
    const path = scratchFile();
    for (const args of [['freeze', 'x'], ['unfreeze']]) {
      const { code, err } = await ledgerCommand({ kind: 'sqlite', path }, ...args);
      expect(code).toBe(1);
      expect(err).toContain(`there is no ledger at ${path}`);
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('works while the bot is not running; it finds the freeze and what is owed when it starts', async () => {
    const path = scratchFile();
    await (await openLedger({ kind: 'sqlite', path })).close();
    expect((await ledgerCommand({ kind: 'sqlite', path }, 'freeze', 'x')).code).toBe(0);
    const { ledger, outbox } = closeAfterwards(await openLedger({ kind: 'sqlite', path }));
    expect(await ledger.lane()).toMatchObject({ frozen: true });
    expect(await outbox.leaseNotices(9, 1)).toMatchObject([{ kind: 'frozen', by: OPERATOR }]);
  });
});

describe('ledger unfreeze', () => {
  test('ends a freeze, whoever made it, with an entry and a notice', async () => {
    const { run, ledger, outbox, entries } = await running();
    await setFreeze(ledger, 'lost token', BEN);
    const { code, out, err } = await run('unfreeze');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^Spending is no longer frozen; it was, by U0BEN since \S+Z: lost token\n/);
    expect(await ledger.freeze()).toBeNull();
    expect((await entries()).at(-1)).toEqual({ by: OPERATOR, kind: 'unfrozen', detail: '{}' });
    expect((await outbox.leaseNotices(9, 1)).at(-1)).toMatchObject({ kind: 'unfrozen', by: OPERATOR });
  });

  test.each([
    ['lost token', BEN, /\n1 order that is kept files its renewal within a minute, as the policy says\.\n$/],
    [
      GONE_BACK.backup,
      THE_BOT,
      /\n1 order that is kept files its renewal within a minute, once more if the ledger has forgotten/,
    ],
  ])('says how many orders that are kept file their renewal now: %s', async (reason, by, words) => {
    const { run, ledger, orders } = await running();
    const boughtAt = Date.now() - 29 * 24 * HOUR;
    for (const [orderId, intent] of [
      ['70', 'keep'],
      ['71', 'let_end'],
    ] as const) {
      const about = { orderId: orderId as OrderId, by: BEN };
      const content = { plan: MONTHLY, basket: [], boughtAt, owner: BEN, note: null };
      await orders.change([about.orderId], () => ({
        result: null,
        entries: [
          { ...about, detail: { kind: 'order_imported', ...content } },
          { ...about, detail: { kind: 'order_intent', intent, endsAt: null } },
        ],
      }));
    }
    await setFreeze(ledger, reason, by);
    expect((await run('unfreeze')).err).toMatch(words);
  });

  test('says that it cannot tell where the policy cannot be read, and unfreezes all the same', async () => {
    const { path, ledger } = await running();
    await setFreeze(ledger, 'lost token', BEN);
    const config = { kind: 'sqlite', path } as const;
    const { code, err } = await ledgerCommandHeard({ config, keeping: async () => null }, 'unfreeze');
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('the policy cannot be read') });
    expect(await ledger.freeze()).toBeNull();
  });

  test('of what is not frozen changes nothing, and is content', async () => {
    const { run, entries } = await running();
    const { code, out, err } = await run('unfreeze');
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'Spending is not frozen. Nothing has changed.\n' });
    expect(await entries()).toEqual([]);
  });
});
