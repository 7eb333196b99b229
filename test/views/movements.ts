import type { Movement } from '../../src/purchasing/model/account.ts';
import { difference } from '../../src/purchasing/model/money.ts';
import { money, NOW } from './fixture.ts';

/** One dollar left for one purchase, a minute ago. */
export function movement(overrides: Partial<Movement> = {}): Movement {
  const shape: Movement = {
    seq: 2,
    from: NOW - 120_000,
    to: NOW - 60_000,
    before: money('10.00'),
    after: money('9.00'),
    difference: money('-1.00'),
    kind: 'ours',
    purchases: ['p1'],
    final: true,
    ...overrides,
  };
  return { ...shape, difference: difference(shape.after, shape.before) };
}
