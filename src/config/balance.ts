import { z } from 'zod';
import type { BalancePolicy } from '../purchasing/model/policy.ts';
import { aDuration } from './duration.ts';
import { wrong } from './problem.ts';
import { section } from './schema.ts';
import { dollars, wholeNumber } from './values.ts';

const notInterval = wrong('neither a duration nor the word off', 'write it like read_every: 15m, or off to do without');

const readEvery = z
  .union([z.literal('off').transform(() => null), aDuration], notInterval)
  .prefault('15m')
  .describe('The balance is read when nobody else has for so long; off for never.');

const notDays = wrong('neither a number of days nor the word off', 'write it like warn_days: 7, or off to do without');

const warnDays = z
  .union([z.literal('off').transform(() => null), wholeNumber(1, 'for 7').max(365)], notDays)
  .prefault(7)
  .describe('Those who approve are told when the balance is enough for fewer days; off for never.');

export const balance = section({
  read_every: readEvery,
  warn_below: dollars('to hear of none')
    .exactOptional()
    .describe('Dollars: those who approve are told when there is less. Left out: never.'),
  warn_days: warnDays,
  freeze_on_unexplained_above: dollars('to do without')
    .exactOptional()
    .describe('Dollars: spending freezes by itself when more leaves and nothing explains it. Left out: never.'),
})
  .prefault({})
  .transform(
    ({
      read_every: readEveryMs,
      warn_below: warnBelow = null,
      warn_days,
      freeze_on_unexplained_above: freezeOnUnexplainedAbove = null,
    }): BalancePolicy => ({ readEveryMs, warnBelow, warnDays: warn_days, freezeOnUnexplainedAbove }),
  );
