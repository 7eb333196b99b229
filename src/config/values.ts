import { z } from 'zod';
import { type Money, parseMoney } from '../purchasing/model/money.ts';
import { wrong } from './problem.ts';

// Values that several sections of the policy hold.

const notGroup = wrong(
  (input) => (typeof input === 'string' && /^(?:@|<!)/.test(input) ? 'a handle' : 'not a user group id (S…)'),
  'a handle or name can be taken over by others, so write the id: in Slack open People, User groups, the group, its ⋯ menu, Copy group ID',
);

const group = z.preprocess(
  (entry) => (typeof entry === 'string' ? entry.trim() : (entry ?? '')),
  z.string(notGroup).regex(/^(?:S[A-Z0-9]+)?$/, notGroup),
);

/** A list of user groups, or one text with commas. Blank entries go. */
export const groups = z
  .preprocess((value) => (typeof value === 'string' ? value.split(',') : [value].flat()), z.array(group))
  .transform((ids) => [...new Set(ids.filter((id) => id !== ''))])
  .prefault([]);

/** The largest quantity that can be typed anywhere; a limit above it limits nothing. */
const LARGEST_NUMBER = 999_999_999;

/** @param unset said to whoever wrote something else: what holds where it is left out */
export function wholeNumber(least: number, unset: string) {
  const message = wrong(
    `not a whole number from ${least} to ${LARGEST_NUMBER}`,
    `write digits only, or leave it out ${unset}`,
  );
  return z.int(message).min(least, message).max(LARGEST_NUMBER, message);
}

/** @param unset said to whoever wrote something else: what holds where it is left out */
export function dollars(unset: string) {
  const message = wrong(
    'not an amount in dollars',
    `write digits with a point, like 100 or 99.50, without a sign, or leave it out ${unset}`,
  );
  return z.union([z.number(), z.string().regex(AMOUNT, message)], message).transform((written, ctx): Money => {
    // Of a number that was written with a zero at its end, the reader of YAML gives the text.
    const text = String(written);
    const money = AMOUNT.test(text) ? parseMoney(text) : undefined;
    if (money !== undefined) return money;
    ctx.addIssue({ code: 'custom', input: written, message: message.error({ input: written }) });
    return z.NEVER;
  });
}

/** Dollars, with cents or without. */
const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const notTime = wrong('not a time of day', 'write it like "09:00", in quotes');

/** `09:00`, in minutes after midnight. In quotes: YAML reads 09:00 as it stands, and 12:30 as a number of seconds. */
export const timeOfDay = z.string(notTime).regex(TIME_OF_DAY, notTime).transform(minutes);

/** @returns undefined for what is no time of day. */
export function minutesOfDay(text: string): number | undefined {
  return TIME_OF_DAY.test(text) ? minutes(text) : undefined;
}

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
