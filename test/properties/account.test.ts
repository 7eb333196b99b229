import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import './seeded.ts';
import { difference, type Money, sum } from '../../src/purchasing/model/money.ts';
import { inCents } from '../../src/purchasing/model/quotient.ts';
import { SPENT_BY } from '../../src/purchasing/model/spend.ts';
import { decideAlerts } from '../../src/purchasing/rules/alerts.ts';
import { judge } from '../../src/purchasing/rules/movements.ts';
import { estimate } from '../../src/purchasing/rules/prices.ts';
import { spendOf, spentHere } from '../../src/purchasing/rules/spend.ts';
import { NO_INTERVAL } from '../support/policy.ts';
import { MONTHLY, purchase, YEARLY } from '../views/fixture.ts';
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

/** What the ledger keeps of what was told. */
interface Heard {
  judgedUpTo: number;
  readonly falls: number[];
  readonly topUps: number[];
  freezes: number;
}

function nothingTold(): Heard {
  return { judgedUpTo: 0, falls: [], topUps: [], freezes: 0 };
}

/** One look at what the ledger holds, by any process. Whatever was frozen is unfrozen at once. */
function tell(world: AccountWorld, heard: Heard): void {
  const policy = { ...NO_INTERVAL, freezeOnUnexplainedAbove: '0' as Money };
  const change = decideAlerts(
    {
      now: world.now,
      judgedUpTo: heard.judgedUpTo,
      movements: world.movements.filter(({ seq }) => seq > heard.judgedUpTo),
      toldOf: new Set([...heard.falls, ...heard.topUps]),
      latest: world.links.at(-1) ?? null,
      underWay: false,
      told: { low: null, short: null },
      spent: { spent: '0' as Money, overMs: 0 },
      freeze: null,
    },
    policy,
  );
  if (!change) return;
  heard.judgedUpTo = change.judgedUpTo;
  for (const { kind, text } of change.notices) (kind === 'fall' ? heard.falls : heard.topUps).push(Number(text));
  if (change.freeze) heard.freezes += 1;
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

  test('what reports of its months tell adds up to what the balance did, and so does each of their tables', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat({ max: 60 }), { maxLength: 3 }), async (taken, cuts) => {
        const world = history(taken, (each) => {
          if (each.now % 3 === 0) each.spendElsewhere(777n);
        });
        const { movements } = world;
        const purchases = world.purchases.map(({ id, basket, state }, nth) =>
          purchase({ id, basket, state, requesterPerson: `U${nth % 3}`, plan: nth % 2 ? MONTHLY : YEARLY }),
        );
        const edges = [0, ...cuts.toSorted((a, b) => a - b), movements.length];
        const months = edges.slice(1).map((to, nth) => movements.slice(edges[nth], to));
        const asked = months.flatMap((some) => {
          const facts = {
            span: { from: 0, to: 0 },
            begins: null,
            ends: null,
            movements: some,
            purchases,
            costs: new Map(),
          };
          return SPENT_BY.map((axis) => spendOf(facts, axis));
        });
        const told = await Promise.all(asked);
        for (const spend of told) {
          const rows = total([...spend.rows.map(({ spent }) => spent), spend.together?.spent ?? ('0' as Money)]);
          expect(equal(rows, spentHere(spend))).toBe(true);
        }
        const byPerson = told.filter(({ by }) => by === 'person');
        const sums = byPerson.flatMap(({ kinds }) => Object.values(kinds).map((kind) => kind.sum));
        expect(equal(total(sums), total(movements.map((movement) => movement.difference)))).toBe(true);
      }),
      { numRuns: HISTORIES / 10 },
    );
  });

  test('with nobody else spending nothing is unexplained, and nothing rises that was not topped up', {
    timeout: 300_000,
  }, () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const told = nothingTold();
        history(taken, (world) => {
          const { movements } = world;
          expect(judge(movements, 0).unexplained).toEqual([]);
          // Looked at by chance, as by processes that come and go.
          if (world.now % 3 !== 0) tell(world, told);
          expect(told.falls).toEqual([]);
          expect(told.freezes).toBe(0);
          expect(told.topUps.length).toBe(new Set(told.topUps).size);
          expect(told.topUps.length).toBeLessThanOrEqual(world.toppedUp);
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
        const told = nothingTold();
        tell(world, told);
        expect(told.falls).toEqual([]);
        world.spendElsewhere(12_340n);
        world.read(process);
        tell(world, told);
        const [fall] = world.movements.slice(-1);
        expect(fall?.difference).toBe('-12.340');
        expect(told.falls).toEqual([fall?.seq]);
        for (const step of after) {
          world.take(step);
          tell(world, told);
        }
        expect(told.falls).toEqual([fall?.seq]);
        expect(told.freezes).toBe(1);
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
