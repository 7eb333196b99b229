import { describe, expect, test } from 'vitest';
import { BATCHES } from './batches.ts';
import { CORNERS, EVERY_ANSWER, ONES_OWN } from './corners.ts';
import { DOLLAR_SCOPES } from './dollars.ts';
import { explore } from './exhaustive.ts';
import { KEPT_SCOPES } from './kept.ts';
import { TWO_LANES } from './lanes.ts';
import { SMALL_SCOPES } from './scopes.ts';
import { TWO_PEOPLE_SCOPES } from './two-people.ts';

const TIMEOUT_MS = 120_000; // some seconds on a machine of its own

describe('in every interleaving every promise holds', () => {
  test.each(
    [...CORNERS, ...SMALL_SCOPES, ...TWO_PEOPLE_SCOPES, ...BATCHES, ...KEPT_SCOPES, ...DOLLAR_SCOPES].map(
      (scope) => [scope.name, scope] as const,
    ),
  )(
    '%s',
    async (name, scope) => {
      const { runs, states, interleavings, ends } = await explore(scope);
      console.info(`${name}: ${interleavings} interleavings, ${states} states, ${runs} runs, ${ends.size} ends`);
      expect(interleavings).toBeGreaterThan(0n);
    },
    TIMEOUT_MS,
  );
});

describe('leaving out states that were met before', () => {
  test.each([EVERY_ANSWER, ONES_OWN].map((scope) => [scope.name, scope] as const))(
    'counts and finds the same as running each to its end: %s',
    async (_name, scope) => {
      const pruned = await explore(scope);
      const whole = await explore(scope, { prune: false });
      expect(whole.runs).toBe(Number(whole.interleavings));
      expect(pruned.interleavings).toBe(whole.interleavings);
      expect(pruned.ends).toEqual(whole.ends);
    },
    TIMEOUT_MS,
  );
});

test(
  'a run is its answers: the same answers, the same world',
  async () => {
    const first = await explore(TWO_LANES);
    const second = await explore(TWO_LANES);
    expect(second).toEqual(first);
  },
  TIMEOUT_MS,
);
