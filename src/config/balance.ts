import { z } from 'zod';
import type { BalancePolicy } from '../purchasing/model/policy.ts';
import { aDuration } from './duration.ts';
import { section, wrong } from './problem.ts';

const notInterval = wrong('neither a duration nor the word off', 'write it like read_every: 15m, or off to do without');

const readEvery = z
  .union([z.literal('off').transform(() => null), aDuration], notInterval)
  .prefault('15m')
  .describe('The balance is read when nobody else has for so long; off for never.');

export const balance = section({ read_every: readEvery })
  .prefault({})
  .transform(({ read_every: readEveryMs }): BalancePolicy => ({ readEveryMs }));
