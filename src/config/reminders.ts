import { z } from 'zod';
import type { Reminders } from '../purchasing/model/policy.ts';
import { aDuration, duration } from './duration.ts';
import { wrong } from './problem.ts';
import { section } from './schema.ts';
import { timeOfDay } from './values.ts';

/** More would be a message a day, and nobody reads those. */
const MOST_RUNGS = 10;

const notRungs = wrong(
  (input) => (Array.isArray(input) ? 'empty or too long' : 'not a list of durations'),
  `write it like before_end: [7d, 3d, 1d], with 1 to ${MOST_RUNGS} of them, or reminders: off to do without`,
);

const beforeEnd = z
  .array(aDuration, notRungs)
  .min(1, notRungs)
  .max(MOST_RUNGS, notRungs)
  .prefault(['7d', '3d', '1d'])
  .transform((rungs) => [...new Set(rungs)].sort((a, b) => b - a))
  .describe('How long before the end of an order its owner is reminded.');

const asked = section({
  before_end: beforeEnd,
  at: timeOfDay.prefault('09:00').describe('When they are reminded, in their own time zone.'),
  renew_kept_before: duration('3d').describe('An order that is kept files its own renewal so long before its end.'),
});

type Asked = z.infer<typeof asked>;

function toReminders({ before_end, at, renew_kept_before }: Asked, isOff: boolean): Reminders {
  const [endingWithinMs = 0] = before_end;
  return {
    beforeEndMs: isOff ? [] : before_end,
    endingWithinMs,
    atMinutes: at,
    renewKeptBeforeMs: renew_kept_before,
  };
}

/** `reminders: off`: nobody is reminded; what is kept is renewed all the same. */
export const reminders = z
  .union(
    [
      z.literal('off').transform(() => toReminders(asked.parse({}), true)),
      asked.transform((given) => toReminders(given, false)),
    ],
    wrong('neither the word off nor a mapping', 'write before_end and at below it, or reminders: off to do without'),
  )
  .prefault({});
