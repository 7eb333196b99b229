import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import './seeded.ts';
import { difference, type Money, sum } from '../../src/purchasing/model/money.ts';
import { inCents } from '../../src/purchasing/model/quotient.ts';
import { judge } from '../../src/purchasing/rules/movements.ts';
import { estimate } from '../../src/purchasing/rules/prices.ts';
import { AccountWorld, BASKETS, dollars, equal, PROCESSES, trueCost } from './account-world.ts';

const HISTORIES = 10_000;

const steps = fc.array(fc.tuple(fc.nat({ max: 1_000 }), fc.nat({ max: 10_000 })), { maxLength: 60, size: 'max' });

/** A history; `after` looks after each step. */
function history(taken: readonly (readonly [number, number])[], after: (world: AccountWorld) => void): AccountWorld {
  const world = new AccountWorld();
  for (const step of taken) {
    world.take(step);
    after(world);
  }
  return world;
}

const total = (amounts: readonly Money[]) => amounts.reduce(sum, '0' as Money);

describe('in every history of crashes, late bookings, replicas and clocks that jump', () => {
  test('movements add up to the last reading less the first, whoever else spends', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 7 }), (taken, often) => {
        const world = history(taken, (each) => {
          if (each.now % 8 <= often) each.spendElsewhere(1_234n);
        });
        const [first] = world.links;
        const last = world.links.at(-1);
        if (!first || !last) return;
        const differences = world.movements.map((movement) => movement.difference);
        expect(equal(total(differences), difference(last.balance, first.balance))).toBe(true);
      }),
      { numRuns: HISTORIES / 10 },
    );
  });

  test('with nobody else spending nothing is unexplained, and nothing rises that was not topped up', {
    timeout: 300_000,
  }, () => {
    fc.assert(
      fc.property(steps, (taken) => {
        history(taken, (world) => {
          const { movements } = world;
          expect(judge(movements, 0).unexplained).toEqual([]);
          const rises = movements.filter(({ kind }) => kind === 'top_up');
          expect(rises.length).toBeLessThanOrEqual(world.toppedUp);
        });
      }),
      { numRuns: HISTORIES },
    );
  });

  test('what somebody else spends while nothing is sent is unexplained once, by the next reading', {
    timeout: 300_000,
  }, () => {
    fc.assert(
      fc.property(steps, steps, fc.nat({ max: PROCESSES - 1 }), (before, after, process) => {
        const world = history(before, () => {});
        world.calm(process);
        expect(world.idle).toBe(true);
        // As it is told: each movement once, from where all before is final.
        const told = new Map<number, string>();
        let judgedUpTo = 0;
        const tell = () => {
          const judged = judge(
            world.movements.filter(({ seq }) => seq > judgedUpTo),
            judgedUpTo,
          );
          for (const { seq, difference: by } of judged.unexplained) told.set(seq, by);
          judgedUpTo = judged.judgedUpTo;
        };
        tell();
        world.spendElsewhere(12_340n);
        world.read(process);
        tell();
        expect([...told.values()]).toEqual(['-12.340']);
        for (const step of after) {
          world.take(step);
          tell();
        }
        expect(told.size).toBe(1);
      }),
      { numRuns: HISTORIES / 2 },
    );
  });

  test('an estimate is what the vendor charges, to the last digit', { timeout: 300_000 }, () => {
    let given = 0;
    fc.assert(
      fc.property(steps, (taken) => {
        const world = history(taken, (each) => {
          if (each.idle && each.now % 5 === 0) {
            each.spendElsewhere(777n);
            each.read(0);
          }
        });
        for (const basket of BASKETS) {
          const found = estimate(basket, world.prices);
          if (!found) continue;
          given += 1;
          expect(found.amount.divisor).toBe(1n);
          expect(equal(found.amount.amount, dollars(trueCost(basket)))).toBe(true);
          expect(inCents(found.amount)).toMatch(/^\d+\.\d\d$/);
        }
      }),
      { numRuns: HISTORIES / 2 },
    );
    expect(given).toBeGreaterThan(HISTORIES / 50);
  });
});
