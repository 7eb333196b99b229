import { z } from 'zod';
import { type Plan, TERM_UNITS, type Term } from '../purchasing/model/plan.ts';
import { fault, named, section, wrong } from './problem.ts';

/** Slack's limits for a list: the text and the value of an option, and how many there may be. */
const LONGEST_OPTION = 75;
const MOST_OPTIONS = 100;

/** Shown to people and sent to the vendor: what is seen must be what is there. */
const text = z
  .string(wrong('not a text', 'write a text, in quotes'))
  .max(
    LONGEST_OPTION,
    wrong(`longer than ${LONGEST_OPTION} characters, the most that Slack shows in a list`, 'shorten it'),
  )
  .refine(
    (value) => value.trim() === value && value !== '' && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value),
    wrong('no plain text', 'type it again, with no blanks around it and no invisible character in it'),
  );

const TERM = /^([1-9]\d{0,2}) (day|week|month|year)s?$/;

const notTerm = wrong('not a term', 'write it like 30 days, 1 month or 1 year, or leave it out');

const term = z
  .string(notTerm)
  .regex(TERM, notTerm)
  .transform((written): Term | null => {
    const [, amount, typed] = TERM.exec(written) ?? [];
    const unit = TERM_UNITS.find((known) => known === typed);
    return unit === undefined ? null : { amount: Number(amount), unit };
  });

const plan = section({
  product_id: text.describe('Sent to the vendor as it stands here.'),
  name: text.describe('What people see.'),
  type: text.describe('Sent to the vendor as it stands here.'),
  network_type: text.describe('Sent to the vendor as it stands here.'),
  term: term.optional().describe('The vendor states none: used for the calendar, always shown as computed.'),
});

const NO_PLAN = fault('lists no plan', 'list at least one, as in policy.example.yml, since nothing else can be bought');

/** At least one plan; each product id once, since that is what a renewal and a record are known by. */
export const plans = z
  .array(plan, NO_PLAN)
  .min(1, NO_PLAN)
  .max(MOST_OPTIONS, fault(`lists more than ${MOST_OPTIONS}, the most that Slack shows`, 'list fewer'))
  .superRefine(
    (listed, ctx) => {
      const ids = listed.map((entry: { readonly product_id?: unknown } | null | undefined) => entry?.product_id);
      for (const [index, id] of ids.entries()) {
        const first = ids.indexOf(id);
        if (typeof id === 'string' && first < index)
          ctx.addIssue({
            code: 'custom',
            path: [index, 'product_id'],
            input: id,
            message: fault(named(id, `the product_id of plans[${first + 1}] too`), 'keep one of the two'),
          });
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  )
  .transform((listed) => listed.map(toPlan));

function toPlan({
  product_id: productId,
  name,
  type,
  network_type: networkType,
  term = null,
}: z.output<typeof plan>): Plan {
  return { productId, name, type, networkType, term, termText: term === null ? '' : termText(term) };
}

function termText({ amount, unit }: Term): string {
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}
