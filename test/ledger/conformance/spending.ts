import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import type { CostAtFiling } from '../../../src/purchasing/model/cost.ts';
import type { NewPurchase } from '../../../src/purchasing/model/filing.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import { inCents } from '../../../src/purchasing/model/quotient.ts';
import { overDollars } from '../../../src/purchasing/rules/dollars.ts';
import { POLICY } from '../../views/fixture.ts';
import type { Setup } from '../conformance.ts';
import { ANN, aPurchase, BEN, filed, HOUR, subjectOf, WAY_TO, walked } from '../fixture.ts';
import { costing, dollars } from './costing.ts';

const DAY = 24 * HOUR;

type Opened = Pick<OpenLedger, 'account' | 'ledger'>;

async function read({ account }: Opened, balance: string): Promise<void> {
  const reading = { balance: balance as Money, asker: 'before', taken: { process: 'one', ms: 0 } } as const;
  await account.keep(await account.ticket(), reading);
}

/** Sent alone between two readings. */
async function bought(opened: Opened, before: string, after: string, of: Partial<NewPurchase> = {}): Promise<string> {
  const id = await walked(opened.ledger, await filed(opened.ledger, of), 'approved');
  await read(opened, before);
  await walked(opened.ledger, id, 'sending', 'completed');
  await read(opened, after);
  return id;
}

/** As a filing would see it: in cents, and of how many nobody knows. */
async function spent({ ledger }: Opened, by = ANN, timeZone = 'UTC') {
  const subject = subjectOf(aPurchase({ requesterPerson: by }), { timeZone });
  const found = await ledger.filingFacts(subject);
  if (!found.spent) throw new Error('nothing was looked up');
  const { person, everybody } = found.spent;
  return [inCents(person.amount), person.unpriced, inCents(everybody.amount), everybody.unpriced];
}

export function describeSpending(setup: Setup): void {
  describe('what was spent in the month', () => {
    test('is what was observed, else what was expected at filing, of all that was, may have been or may yet be spent', async () => {
      const opened = await setup();
      const { ledger } = opened;
      expect(await spent(opened)).toEqual(['0.00', 0, '0.00', 0]);
      // It was dearer than expected.
      await bought(opened, '1000', '952', costing('40'));
      expect(await spent(opened)).toEqual(['48.00', 0, '48.00', 0]);
      for (const [state, amount] of [
        ['requested', '1'],
        ['approved', '2'],
        ['unknown', '4'],
        ['sending', '8'],
        ['rejected', '100'],
        ['withdrawn', '100'],
        ['expired', '100'],
      ] as const)
        await walked(ledger, await filed(ledger, costing(amount)), ...WAY_TO[state]);
      expect(await spent(opened)).toEqual(['63.00', 0, '63.00', 0]);
      await filed(ledger, costing('0.01', { requesterPerson: BEN }));
      expect(await spent(opened)).toEqual(['63.00', 0, '63.01', 0]);
      expect(await spent(opened, BEN)).toEqual(['0.01', 0, '63.01', 0]);
    });

    test('is not known of what was never priced; a price that was observed since is taken for it', async () => {
      const opened = await setup();
      const DE = { basket: [{ country: 'DE', quantity: 2 }], quantity: 2 };
      await filed(opened.ledger, DE);
      expect(await spent(opened)).toEqual(['0.00', 1, '0.00', 1]);
      await bought(opened, '100', '95', { basket: [{ country: 'DE', quantity: 1 }], quantity: 1 });
      expect(await spent(opened)).toEqual(['15.00', 0, '15.00', 0]);
    });

    test('begins anew with the month by the ledger’s clock; what is still open counts on', async () => {
      const opened = await setup();
      const { clock, ledger } = opened;
      clock.now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
      await walked(ledger, await filed(ledger, costing('10')), ...WAY_TO.completed);
      await filed(ledger, costing('5'));
      expect(await spent(opened)).toEqual(['15.00', 0, '15.00', 0]);
      clock.now += 1;
      expect(await spent(opened)).toEqual(['5.00', 0, '5.00', 0]);
      await walked(ledger, await filed(ledger, costing('3')), ...WAY_TO.completed);
      clock.now += 27 * DAY;
      expect(await spent(opened)).toEqual(['8.00', 0, '8.00', 0]);
      clock.now = Date.UTC(2026, 2, 1);
      expect(await spent(opened)).toEqual(['5.00', 0, '5.00', 0]);
    });

    test('is of the month that it is in the zone of the policy', async () => {
      const opened = await setup();
      const { clock, ledger } = opened;
      clock.now = Date.UTC(2026, 0, 31, 9, 59);
      await walked(ledger, await filed(ledger, costing('10')), ...WAY_TO.completed);
      clock.now = Date.UTC(2026, 0, 31, 10);
      expect(await spent(opened, ANN, 'Pacific/Kiritimati')).toEqual(['0.00', 0, '0.00', 0]);
      expect(await spent(opened)).toEqual(['10.00', 0, '10.00', 0]);
      clock.now = Date.UTC(2026, 1, 1, 10, 59);
      expect(await spent(opened, ANN, 'Pacific/Pago_Pago')).toEqual(['10.00', 0, '10.00', 0]);
      clock.now += 60_000;
      expect(await spent(opened, ANN, 'Pacific/Pago_Pago')).toEqual(['0.00', 0, '0.00', 0]);
    });

    test('leaves out itself and what waits behind it, where one is to be sent; not what was sent', async () => {
      const { ledger } = await setup();
      await filed(ledger, costing('1'));
      const id = await walked(ledger, await filed(ledger, costing('100')), 'approved');
      await filed(ledger, costing('2'));
      await walked(ledger, await filed(ledger, costing('4')), ...WAY_TO.completed);
      await walked(ledger, await filed(ledger, costing('8')), ...WAY_TO.unknown);
      const facts = await ledger.change(id, (_, found) => ({ result: found, by: ANN }), {
        dollars: { timeZone: 'UTC' },
      });
      expect(facts?.spent && inCents(facts.spent.everybody.amount)).toBe('13.00');
      expect(facts?.cost.known && inCents(facts.cost.amount)).toBe('100.00');
      const unasked = await ledger.change(id, (_, found) => ({ result: found, by: ANN }));
      expect(unasked).toMatchObject({ spent: null, cost: { known: false } });
    });

    test('counts also what another files at the same moment: of two who reach for the last dollars one is refused', async () => {
      const opened = await setup();
      const other = (await opened.openAgain()).ledger;
      const policy = { ...POLICY, limits: { ...POLICY.limits, dollarsPerMonth: '100' as Money } };
      await filed(opened.ledger, costing('40'));
      const reach = async (ledger: OpenLedger['ledger'], by: string) => {
        const purchase = aPurchase(costing('60', { requesterPerson: by }));
        return ledger.file(subjectOf(purchase, { timeZone: 'UTC' }), ({ spent: so }) => {
          const over = overDollars({ amount: '60' as Money, divisor: 1n }, so, policy);
          return over ? { result: 'refused' } : { result: 'filed', file: purchase };
        });
      };
      const ends = await Promise.all([reach(opened.ledger, ANN), reach(other, BEN)]);
      expect(ends.toSorted()).toEqual(['filed', 'refused']);
      expect(await spent(opened)).toContain('100.00');
    });

    test('is kept to the last part of a cent', async () => {
      const opened = await setup();
      const third = { ...dollars('10'), divisor: '3' } as CostAtFiling;
      for (let nth = 0; nth < 3; nth += 1) await filed(opened.ledger, { evidence: { cost: third } });
      expect(await spent(opened)).toEqual(['10.00', 0, '10.00', 0]);
    });
  });

  test('what others of the same day have cost is told only where it is asked for', async () => {
    const { ledger } = await setup();
    await filed(ledger, costing('7'));
    const facts = (asked: boolean) => ledger.filingFacts(subjectOf(aPurchase(), asked ? { timeZone: 'UTC' } : null));
    expect((await facts(true)).others).toMatchObject([{ cost: { amount: '7', divisor: 1n } }]);
    expect((await facts(false)).others).toMatchObject([{ cost: null }]);
    expect((await facts(false)).spent).toBeNull();
  });
}
