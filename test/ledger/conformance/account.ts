import { describe, expect, test } from 'vitest';
import { freezeGoneBack } from '../../../src/ledger/gone-back.ts';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { Asker, Movement } from '../../../src/purchasing/model/account.ts';
import type { NewPurchase } from '../../../src/purchasing/model/filing.ts';
import { GONE_BACK } from '../../../src/purchasing/model/freeze.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import { inCents } from '../../../src/purchasing/model/quotient.ts';
import type { Setup } from '../conformance.ts';
import { ANN, ANSWER, BEN, filed, HOUR, MINUTE, START, walked } from '../fixture.ts';

const DAY = 24 * HOUR;

type Opened = Pick<OpenLedger, 'account' | 'ledger'>;

/** A reading with nothing else meanwhile. */
async function read({ account }: Opened, balance: string, minutes = 0, asker: Asker = 'command') {
  return account.keep(await account.ticket(), {
    balance: balance as Money,
    asker,
    taken: { process: 'one', ms: minutes * MINUTE },
  });
}

/** Sent and answered; the balance is read just before and just after. */
async function bought(
  opened: Opened,
  before: string,
  after: string,
  of: Partial<NewPurchase> = {},
  minutes = 0,
): Promise<string> {
  const id = await walked(opened.ledger, await filed(opened.ledger, of), 'approved');
  await read(opened, before, minutes, 'before');
  await answered(opened, await walked(opened.ledger, id, 'sending'));
  await read(opened, after, minutes, 'after');
  return id;
}

async function answered({ ledger }: Opened, id: string) {
  const detail = { kind: 'answer', attemptId: 'attempt 1', answer: ANSWER, late: false } as const;
  await ledger.change(id, () => ({
    result: null,
    by: BEN,
    to: 'completed',
    entries: [{ by: BEN, from: null, to: null, detail }],
  }));
}

/** As people read them. */
async function told({ account }: Opened): Promise<readonly (readonly unknown[])[]> {
  return (await account.movementsAfter(0)).map(({ difference, kind, purchases }) => [difference, kind, ...purchases]);
}

const US_10 = { basket: [{ country: 'US', quantity: 10 }], quantity: 10 };
const DE_5 = { basket: [{ country: 'DE', quantity: 5 }], quantity: 5 };
const BOTH = { basket: [...US_10.basket, ...DE_5.basket], quantity: 15 };

async function cents({ account }: Opened, basket: NewPurchase['basket'], kind: 'buy' | 'renew' = 'buy') {
  const [found] = await account.estimates([{ kind, productId: 'lt-monthly', basket }]);
  if (!found) return undefined;
  const { amount, since, latest, observations } = found;
  return { cents: inCents(amount), since, latest, observations };
}

export function describeAccount(setup: Setup): void {
  describe('the chain of balance readings', () => {
    test('keeps every digit, the moment and who asked; what has not changed is no movement', async () => {
      const opened = await setup();
      const { account, clock, database } = opened;
      await read(opened, '100.00');
      clock.now += MINUTE;
      await read(opened, '100.0', 0, 'form');
      clock.now += MINUTE;
      await read(opened, '100.000000000000000000001', 0, 'interval');
      expect(await account.movements(0, clock.now)).toEqual([
        {
          seq: 3,
          from: START + MINUTE,
          to: START + 2 * MINUTE,
          before: '100.0',
          after: '100.000000000000000000001',
          difference: '0.000000000000000000001',
          kind: 'top_up',
          purchases: [],
          final: true,
        },
      ]);
      const rows = await database.read((sql) => sql.all('SELECT asker, asked_at FROM balance_readings ORDER BY seq'));
      expect(rows).toEqual(
        ['command', 'form', 'interval'].map((asker, nth) => ({ asker, asked_at: START + nth * MINUTE })),
      );
    });

    test('finds movements by when they ended, and the balance of any moment', async () => {
      const opened = await setup();
      const { account, clock } = opened;
      for (const balance of ['10', '9', '9', '7']) {
        await read(opened, balance);
        clock.now += HOUR;
      }
      const differences = async (...span: [number, number]) =>
        (await account.movements(...span)).map(({ difference }) => difference);
      expect(await differences(0, clock.now)).toEqual(['-1', '-2']);
      expect(await differences(START + HOUR, START + 3 * HOUR)).toEqual(['-2']);
      expect(await differences(START, START + 3 * HOUR - 1)).toEqual(['-1']);
      expect(await account.asOf(START - 1)).toBeNull();
      expect((await account.asOf(START + HOUR - 1))?.balance).toBe('10');
      expect((await account.asOf(START + 2 * HOUR))?.balance).toBe('9');
      expect((await account.latest())?.balance).toBe('7');
    });

    test('finds what explains the movements of a time, and what was sent in it, beside the first reading of all', async () => {
      const opened = await setup();
      const { account, clock, ledger } = opened;
      expect(await account.first()).toBeNull();
      const before = await bought(opened, '100', '52', US_10);
      clock.now += DAY;
      const from = clock.now;
      clock.now += HOUR;
      const within = await bought(opened, '52', '42', DE_5);
      // Sent, and shown by no balance.
      const silent = await walked(ledger, await filed(ledger, BOTH), 'approved', 'sending', 'completed');
      await filed(ledger, US_10);
      const to = clock.now;
      clock.now += HOUR;
      const later = await bought(opened, '42', '32', US_10);
      const ids = async (...of: [number, number]) => (await account.purchases(...of)).map(({ id }) => id);
      expect(await ids(from, to)).toEqual([within, silent]);
      // What is shown later is later's.
      expect(await ids(to, clock.now)).toContain(later);
      expect(await ids(0, from)).toEqual([before]);
      expect(await ids(clock.now, clock.now + DAY)).toEqual([]);
      expect(await account.first()).toMatchObject({ seq: 1, balance: '100' });
    });

    test('does not take an answer for newer because it came later: two that overlap show no fall and no top-up', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      await read(opened, '100');
      const slow = await other.account.ticket();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved', 'sending');
      await read(opened, '52');
      // The vendor had answered it before the purchase was booked.
      const late = { balance: '100' as Money, asker: 'command', taken: { process: 'one', ms: 0 } } as const;
      expect(await other.account.keep(slow, late)).toBe(false);
      await read(other, '52');
      expect(await told(opened)).toEqual([['-48', 'unknown', id]]);
    });

    test('takes one of two processes that ask at the same moment', async () => {
      const opened = await setup();
      const other = await opened.openAgain();
      const tickets = await Promise.all([opened.account.ticket(), other.account.ticket()]);
      const both = await Promise.all(
        [opened, other].map(({ account }, nth) =>
          account.keep(tickets[nth] as (typeof tickets)[0], {
            balance: `${nth}` as Money,
            asker: 'command',
            taken: { process: 'one', ms: 0 },
          }),
        ),
      );
      expect(both.filter((isLink) => !isLink)).toHaveLength(1);
      expect(await told(opened)).toEqual([]);
    });

    test('is only added to: a reading is not rewritten, and none goes at which the balance changed', async () => {
      const opened = await setup();
      for (const balance of ['10', '10', '9']) await read(opened, balance);
      const run = (statement: string) => opened.database.write((sql) => sql.run(statement));
      await expect(run(`UPDATE balance_readings SET balance = '8' WHERE seq = 1`)).rejects.toThrow();
      for (const seq of [2, 3]) await expect(run(`DELETE FROM balance_readings WHERE seq = ${seq}`)).rejects.toThrow();
    });
  });

  describe('a movement', () => {
    test('is ours while a completed purchase was not booked yet, and its cost where it was one', async () => {
      const opened = await setup();
      const id = await bought(opened, '100', '52');
      await read(opened, '40');
      expect(await told(opened)).toEqual([
        ['-48', 'ours', id],
        ['-12', 'elsewhere'],
      ]);
      expect(await opened.account.costs([id, 'another'])).toEqual(new Map([[id, '48']]));
    });

    test('is ours when the vendor books late; when it should long have been booked, it is not', async () => {
      const opened = await setup();
      const id = await bought(opened, '100', '100');
      await read(opened, '100', 1);
      await read(opened, '52', 9);
      await read(opened, '50', 9);
      const other = await bought(opened, '50', '50', {}, 9);
      await read(opened, '50', 19);
      await read(opened, '44', 30);
      expect(await told(opened)).toEqual([
        ['-48', 'ours', id],
        ['-2', 'elsewhere'],
        ['-6', 'elsewhere'],
      ]);
      expect(await opened.account.costs([id, other])).toEqual(new Map([[id, '48']]));
    });

    test('of several that were not booked is their sum', async () => {
      const opened = await setup();
      const ids = [await bought(opened, '100', '100'), await bought(opened, '100', '100')];
      await read(opened, '52');
      expect(await told(opened)).toEqual([['-48', 'ours', ...ids]]);
      expect(await opened.account.costs(ids)).toEqual(new Map());
    });

    test('is unknown while a purchase is, and explained by how it is settled', async () => {
      const opened = await setup();
      const ids: string[] = [];
      for (const [before, after, settled] of [
        ['100', '52', 'completed'],
        ['52', '42', 'declined'],
      ] as const) {
        const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
        await read(opened, before);
        await walked(opened.ledger, id, 'sending', 'unknown');
        await read(opened, after);
        expect((await opened.account.movementsAfter(0)).at(-1)).toMatchObject({ kind: 'unknown', final: false });
        await walked(opened.ledger, id, settled);
        ids.push(id);
      }
      expect(await told(opened)).toEqual([
        ['-48', 'ours', ids[0]],
        ['-10', 'elsewhere'],
      ]);
    });

    test('is unknown while a reading may yet contradict a refusal, and elsewhere once none can', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved');
      await read(opened, '100');
      await walked(opened.ledger, id, 'sending', 'declined');
      await opened.ledger.change(id, () => ({ result: null, by: ANN, readings: [{ nth: 2, dueAt: START }] }));
      await read(opened, '52');
      expect(await told(opened)).toEqual([['-48', 'unknown', id]]);
      await opened.ledger.change(id, () => ({ result: null, by: ANN, readings: [] }));
      expect(await told(opened)).toEqual([['-48', 'elsewhere']]);
    });

    test('is never called unexplained where the ledger went back in time', async () => {
      const opened = await setup();
      await read(opened, '100');
      await opened.database.write((sql) => freezeGoneBack(sql, `${GONE_BACK.backup}yesterday`));
      await read(opened, '52');
      // Booked late, and forgotten.
      await read(opened, '4');
      await read(opened, '4', 1);
      await read(opened, '4', 12);
      await read(opened, '3', 12);
      const movements: readonly Movement[] = await opened.account.movementsAfter(0);
      expect(movements.map(({ kind, final }) => [kind, final])).toEqual([
        ['unknown', true],
        ['unknown', true],
        ['elsewhere', true],
      ]);
    });

    test('that was sent just before the first reading of all is ours', async () => {
      const opened = await setup();
      const id = await walked(opened.ledger, await filed(opened.ledger), 'approved', 'sending');
      await answered(opened, id);
      await read(opened, '100');
      await read(opened, '52');
      expect(await told(opened)).toEqual([['-48', 'ours', id]]);
    });
  });

  describe('observed prices', () => {
    test('are those of one country bought alone, kept by kind, plan and country', async () => {
      const opened = await setup();
      expect(await cents(opened, US_10.basket)).toBeUndefined();
      await bought(opened, '100', '68', US_10);
      opened.clock.now += DAY;
      await bought(opened, '68', '58.40', { basket: [{ country: 'US', quantity: 3 }] });
      expect(await cents(opened, [{ country: 'US', quantity: 7 }])).toEqual({
        cents: '22.40',
        since: START,
        latest: START + DAY,
        observations: 2,
      });
      expect(await cents(opened, US_10.basket, 'renew')).toBeUndefined();
      expect(await cents(opened, BOTH.basket)).toBeUndefined();
    });

    test('come from a mixed basket where all but one country are known, and a changed one replaces the old', async () => {
      const opened = await setup();
      await bought(opened, '100', '68', US_10);
      await bought(opened, '68', '26', BOTH);
      expect(await cents(opened, BOTH.basket)).toMatchObject({ cents: '42.00', observations: 2 });
      opened.clock.now += DAY;
      await bought(opened, '26', '6', DE_5);
      const changed = { cents: '52.00', since: START + DAY, observations: 2 };
      expect(await cents(opened, BOTH.basket)).toMatchObject(changed);
      // Paid for at prices that nobody has observed: which of them has changed, nobody knows.
      await bought(opened, '6', '-90', BOTH);
      expect(await cents(opened, US_10.basket)).toBeUndefined();
    });

    test('are not taken where anything else was sent, or the balance rose', async () => {
      const opened = await setup();
      const late = await bought(opened, '100', '100', DE_5);
      await bought(opened, '100', '52', US_10);
      await read(opened, '52', 1);
      await read(opened, '52', 20);
      await bought(opened, '52', '60', US_10);
      await read(opened, '50', 20);
      expect(await cents(opened, US_10.basket)).toBeUndefined();
      expect(await cents(opened, DE_5.basket)).toBeUndefined();
      expect(await opened.account.costs([late])).toEqual(new Map());
    });

    test('of a vendor that books late are taken once nothing else can have been its booking', async () => {
      const opened = await setup();
      await bought(opened, '100', '100', US_10);
      await read(opened, '68', 1);
      expect(await cents(opened, US_10.basket)).toBeUndefined();
      await read(opened, '68', 12);
      expect(await cents(opened, US_10.basket)).toMatchObject({ cents: '32.00' });
      // Somebody else spends before it is booked: what is seen first is not its price.
      await bought(opened, '68', '68', DE_5, 12);
      await read(opened, '58', 13);
      await read(opened, '38', 14);
      await read(opened, '38', 30);
      expect(await cents(opened, DE_5.basket)).toBeUndefined();
    });
  });

  describe('thinning', () => {
    test('removes what is old and shows no change, in steps, so that every sum stays', async () => {
      const opened = await setup();
      const { account, clock, database } = opened;
      const run = async (balance: string, times: number) => {
        for (let n = 0; n < times; n += 1) await read(opened, balance);
      };
      await run('100', 150);
      await run('60', 150);
      await account.keep(
        { askedAt: START, entry: 0, reading: 0 },
        { balance: '1' as Money, asker: 'form', taken: { process: 'one', ms: 0 } },
      );
      await run('80', 5);
      clock.now += 91 * DAY;
      await run('80', 3);
      const movements = await account.movementsAfter(0);
      let after = 0;
      let steps = 0;
      for (
        let looked = await account.thin(after, 90 * DAY);
        looked !== null;
        looked = await account.thin(after, 90 * DAY)
      ) {
        after = looked;
        steps += 1;
      }
      expect(steps).toBe(2);
      const left = await database.read((sql) => sql.all('SELECT balance FROM balance_readings ORDER BY seq'));
      expect(left.map(({ balance }) => balance)).toEqual(['100', '100', '60', '60', '80', '80', '80', '80']);
      expect(await account.movementsAfter(0)).toEqual(movements);
      expect(await account.thin(0, 200 * DAY)).toBeNull();
    });
  });
}
