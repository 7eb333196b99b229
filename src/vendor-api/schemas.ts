import { z } from 'zod';
import { parseMoney } from '../purchasing/model/money.ts';
import { JsonNumber } from './json.ts';

const number = z.instanceof(JsonNumber).transform((value) => value.source);

/** An integer as the vendor documents `code`: `200`, not `"200"`, `200.0` or `2e2`. */
const integer = number.refine((source) => /^-?(?:0|[1-9][0-9]{0,39})$/.test(source));

/** A string is read only where nothing has to be guessed: no exponent, no grouping, no blanks. */
const plainDecimal = z.string().regex(/^-?[0-9]+(?:\.[0-9]+)?$/);

/** Documented as a number; a plain decimal string such as `"12.50"` is read too. */
const money = z.union([number, plainDecimal]).transform((text, context) => {
  const amount = parseMoney(text);
  if (amount !== undefined) return amount;
  context.addIssue({ code: 'custom', message: 'not an amount' });
  return z.NEVER;
});

/** Any answer: an object with an integer `code`. */
export const codedAnswer = z.looseObject({ code: integer });

/** What stands beside `code` 200 in the answer of GET /v2/balance. */
export const balanceAnswer = z.looseObject({ data: z.looseObject({ balance: money }) });
