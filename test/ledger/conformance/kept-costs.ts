import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movementsIn } from '../../../src/ledger/movements.ts';
import type { OpenLedger } from '../../../src/ledger/open.ts';
import { spentInMonth } from '../../../src/ledger/spending.ts';
import { rememberSpent } from '../../../src/ledger/spent-lately.ts';
import type { Money } from '../../../src/purchasing/model/money.ts';
import type { State } from '../../../src/purchasing/model/purchase.ts';
import { spentIn } from '../../../src/purchasing/rules/runway.ts';
import type { Setup } from '../conformance.ts';
import { ANN, BEN, filed, HOUR, MINUTE, type TestClock, walked } from '../fixture.ts';
import { costing } from './costing.ts';

const DAY = 24 * HOUR;

class Undone extends Error {}

/** What was spent in the month: as kept, and as it is when all of it is read anew. */
async function bothWays({ database }: OpenLedger, now: number) {
  const kept = await database.read((sql) => spentInMonth(sql, now, { timeZone: 'UTC' }, [ANN]));
  let anew: typeof kept | undefined;
  await database
    .write(async (sql) => {
      await sql.run('DELETE FROM purchase_costs');
      await sql.run('DELETE FROM stale_costs');
      await sql.run(`INSERT INTO stale_costs SELECT id FROM purchases WHERE state = 'completed'`);
      anew = await spentInMonth(sql, now, { timeZone: 'UTC' }, [ANN]);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return { kept, anew };
}

/** Of everybody, as kept, which is what it is anew. */
async function sum(opened: OpenLedger & { readonly clock: TestClock }): Promise<string> {
  const { kept, anew } = await bothWays(opened, opened.clock.now);
  expect(kept).toEqual(anew);
  return kept.everybody.amount.amount;
}

async function read({ account }: OpenLedger, balance: string): Promise<void> {
  const taken = { process: 'a', ms: 0 };
  await account.keep(await account.ticket(), { balance: balance as Money, asker: 'after', taken });
}

/** What may come next of what was sent. */
const NEXT: Readonly<Partial<Record<State, readonly State[]>>> = {
  sending: ['completed', 'declined', 'unknown'],
  declined: ['unknown'],
  unknown: ['completed', 'declined'],
};

type Step =
  | { readonly step: 'send'; readonly by: string; readonly cents: number | null; readonly outcome: State | null }
  | { readonly step: 'settle' | 'due' | 'no_more_due'; readonly which: number; readonly way: number }
  | { readonly step: 'read'; readonly by: number }
  | { readonly step: 'wait'; readonly ms: number };

const about = (...steps: ('settle' | 'due' | 'no_more_due')[]) =>
  fc.record({ step: fc.constantFrom(...steps), which: fc.nat(5), way: fc.nat(2) });

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('send' as const),
      by: fc.constantFrom(ANN, BEN),
      cents: fc.option(fc.integer({ min: 1, max: 500 })),
      outcome: fc.constantFrom('completed', 'completed', 'declined', 'unknown', null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('read' as const),
      by: fc.oneof(fc.constant(0), fc.integer({ min: -400, max: 50 })),
    }),
  },
  { weight: 3, arbitrary: about('settle') },
  { weight: 3, arbitrary: about('due', 'no_more_due') },
  fc.record({ step: fc.constant('wait' as const), ms: fc.constantFrom(MINUTE, HOUR, 20 * DAY, -HOUR) }),
);

/** Plays these steps, as far as they can be done; looks after each. */
async function play(
  opened: OpenLedger & { readonly clock: TestClock },
  steps: readonly Step[],
  look: () => Promise<void>,
) {
  const { ledger, account, clock } = opened;
  const ids: string[] = [];
  let cents = 1_000_000;
  for (const step of steps) {
    const id = 'which' in step ? ids[ids.length - 1 - (step.which % Math.max(1, ids.length))] : undefined;
    const state = id && (await ledger.record(id))?.purchase.state;
    if (step.step === 'wait') clock.now += step.ms;
    else if (step.step === 'read') {
      cents += step.by;
      const balance = (cents / 100).toFixed(2) as Money;
      await account.keep(await account.ticket(), { balance, asker: 'after', taken: { process: 'one', ms: clock.now } });
    } else if (step.step === 'send') {
      const of = {
        requesterPerson: step.by,
        requester: step.by,
        quantity: 1,
        basket: [{ country: 'US', quantity: 1 }],
      };
      const sent = await filed(ledger, step.cents === null ? of : costing((step.cents / 100).toFixed(2), of));
      const isLaneTaken = (await ledger.open()).some((other) => other.state === 'sending');
      await walked(ledger, sent, 'approved', ...(isLaneTaken ? [] : (['sending'] as const)));
      if (step.outcome !== null && !isLaneTaken) await walked(ledger, sent, step.outcome);
      ids.push(sent);
    } else if (id && state && step.step === 'settle') {
      const ways = NEXT[state] ?? [];
      const to = ways[step.way % Math.max(1, ways.length)];
      if (to) await walked(ledger, id, to);
    } else if (id && (state === 'declined' || state === 'completed'))
      await ledger.change(id, () => ({
        result: null,
        by: 'desk',
        readings: step.step === 'due' ? [{ nth: 10, dueAt: clock.now }] : [],
      }));
    await look();
  }
}

export function describeKeptCosts(setup: Setup): void {
  describe('what is kept of costs', () => {
    test('adds up to the same as everything read anew, whatever is sent, settled and read', {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 40 }), async (steps) => {
          const opened = await setup();
          await play(opened, steps, async () => {
            const { kept, anew } = await bothWays(opened, opened.clock.now);
            expect(kept).toEqual(anew);
          });
        }),
        { numRuns: 8 },
      );
    });

    test('changes with what is known of a purchase beside it that may explain the same movement', async () => {
      const opened = await setup();
      const { ledger } = opened;
      await read(opened, '100');
      const other = await walked(ledger, await filed(ledger, costing('7')), 'approved', 'sending', 'unknown');
      await walked(ledger, await filed(ledger, costing('5')), 'approved', 'sending', 'completed');
      await read(opened, '90');
      // Either may explain what left: each counts as was expected of it.
      expect(await sum(opened)).toBe('12');
      await walked(ledger, other, 'declined');
      expect(await sum(opened)).toBe('10');
      await read(opened, '90');
      expect(await sum(opened)).toBe('10');
      await walked(ledger, other, 'unknown');
      expect(await sum(opened)).toBe('12');
    });

    test('is no longer what was expected as soon as a balance shows what it was', async () => {
      const opened = await setup();
      const { ledger } = opened;
      await read(opened, '100');
      await walked(ledger, await filed(ledger, costing('5')), 'approved', 'sending', 'completed');
      await read(opened, '100');
      expect(await sum(opened)).toBe('5');
      await read(opened, '90');
      expect(await sum(opened)).toBe('10');
    });

    test('stays what was expected while its own readings come and go, and none of them shows a fall', async () => {
      const opened = await setup();
      const { ledger } = opened;
      await read(opened, '100');
      const id = await walked(ledger, await filed(ledger, costing('5')), 'approved', 'sending', 'completed');
      await read(opened, '100');
      for (const readings of [[], [{ nth: 10, dueAt: 1 }], []]) {
        await ledger.change(id, () => ({ result: null, by: 'desk', readings }));
        expect(await sum(opened)).toBe('5');
      }
    });

    test('is nobody’s own while something beside it that was declined may yet turn out to have taken money', async () => {
      const opened = await setup();
      const { ledger } = opened;
      await read(opened, '100');
      const other = await walked(ledger, await filed(ledger), 'approved', 'sending', 'unknown');
      await walked(ledger, await filed(ledger, costing('5')), 'approved', 'sending', 'completed');
      await read(opened, '90');
      await walked(ledger, other, 'declined');
      const due = (dueAt: number | null) =>
        ledger.change(other, () => ({
          result: null,
          by: 'desk',
          readings: dueAt === null ? [] : [{ nth: 10, dueAt }],
        }));
      for (const [at, expected] of [
        [null, '10'],
        [1, '5'],
        [null, '10'],
      ] as const) {
        await due(at);
        expect(await sum(opened)).toBe(expected);
        // Computed anew with it.
        await read(opened, '90');
        expect(await sum(opened)).toBe(expected);
      }
    });
  });

  describe('what has left lately, as one process remembers it', () => {
    test('is what all movements of that time add up to, whatever the clock does', { timeout: 120_000 }, async () => {
      const times = fc.tuple(fc.integer({ min: 0, max: 3 * DAY }), fc.integer({ min: -DAY, max: DAY }));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(anyStep, times), { minLength: 10, maxLength: 30 }), async (all) => {
          const opened = await setup();
          const { database, clock } = opened;
          const spentLately = rememberSpent();
          const looks = all.map(([, at]) => at).values();
          await play(
            opened,
            all.map(([step]) => step),
            async () => {
              const [over, ahead] = looks.next().value ?? [DAY, 0];
              const [since, now] = [clock.now - over, clock.now + ahead];
              const [remembered, anew] = await database.read(async (sql) => [
                await spentLately(sql, since, now),
                await spentIn(await movementsIn(sql, { from: since, to: now })),
              ]);
              expect(Number(remembered)).toBe(Number(anew));
            },
          );
        }),
        { numRuns: 8 },
      );
    });

    test('counts nothing twice where two ask at once', async () => {
      const opened = await setup();
      const { database, clock } = opened;
      const spentLately = rememberSpent();
      const look = () => database.read((sql) => spentLately(sql, clock.now - DAY, clock.now));
      await read(opened, '100');
      await read(opened, '90');
      expect(await Promise.all([look(), look()])).toEqual(['10', '10']);
      await read(opened, '70');
      expect(await Promise.all([look(), look(), look()])).toEqual(['30', '30', '30']);
      expect(await look()).toBe('30');
    });
  });
}
