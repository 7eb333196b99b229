import { z } from 'zod';
import { plural } from '../plural.ts';
import {
  type Limits,
  type Plan,
  type Policy,
  RIGHTS,
  type Right,
  TERM_UNITS,
  type Term,
} from '../purchasing/model/policy.ts';
import { approvals, contradictions } from './approvals.ts';
import { balance } from './balance.ts';
import { type ReadFile, unreadable } from './files.ts';
import { fault, named, type Problem, problemLine, wrong } from './problem.ts';
import { reminders } from './reminders.ts';
import { reports } from './reports.ts';
import { section, toProblems } from './schema.ts';
import { dollars, groups, wholeNumber } from './values.ts';
import { readYaml } from './yaml.ts';

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
const plans = z
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
  return { productId, name, type, networkType, term, termText: term === null ? '' : plural(term.amount, term.unit) };
}

export type PolicyReading =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const MEANING = {
  balance: 'see the balance',
  buy: 'buy',
  renew: 'renew',
  approve: 'approve requests, settle unknown outcomes or freeze spending',
} as const satisfies Record<Right, string>;

const who = (right: Right) => groups.describe(`Ids (S…) of the user groups that may ${MEANING[right]}.`);

const access = section({ balance: who('balance'), buy: who('buy'), renew: who('renew'), approve: who('approve') });

const limits = section({
  ips_per_order: wholeNumber(1, 'for 500').default(500),
  ips_per_person_per_day: wholeNumber(1, 'for 1000').default(1_000),
  dollars_per_person_per_month: dollars('for none')
    .optional()
    .describe(
      'Dollars a person may spend in a calendar month (of reports.time_zone), as observed or at observed prices.',
    ),
  dollars_per_month: dollars('for none').optional().describe('The same for all people together.'),
}).transform(
  (given): Limits => ({
    ipsPerOrder: given.ips_per_order,
    ipsPerPersonPerDay: given.ips_per_person_per_day,
    dollarsPerPersonPerMonth: given.dollars_per_person_per_month ?? null,
    dollarsPerMonth: given.dollars_per_month ?? null,
  }),
);

const notContact = wrong(
  'not a name, nor the id of a Slack user, user group or channel',
  'write it like contact: S… (a user group), or leave the line out',
);

const contact = z
  .string(notContact)
  .regex(/\S/, notContact)
  .exactOptional()
  .describe('Who to turn to: the id of a Slack user, user group or channel, or a name.');

const policy = section({
  access: access.prefault({}),
  approvals,
  plans,
  limits: limits.prefault({}),
  reminders,
  balance,
  reports,
  contact,
});

/** Reads `policy.yml` and reports all that is wrong with it at once; warnings name what is allowed but lets nobody in. */
export function readPolicy(text: string): PolicyReading {
  const yaml = readYaml(text);
  if (!yaml.ok) return yaml;
  const parsed = policy.safeParse(yaml.value);
  if (!parsed.success) return { ok: false, problems: toProblems(parsed.error) };
  const empty = RIGHTS.filter((right) => parsed.data.access[right].length === 0);
  const warnings = empty.map((right) => `access.${right} lists no user group, so nobody may ${MEANING[right]}`);
  return { ok: true, policy: parsed.data, warnings: [...warnings, ...contradictions(parsed.data.approvals)] };
}

/** What the policy's schema says of one place (`plans[2].term`) in a policy that may lack the rest; undefined: nothing. */
export function problemAt(key: string, value: object): Problem | undefined {
  return toProblems(policy.safeParse(value).error).find((problem) => problem.key === key);
}

/** The policy file at one moment. */
export interface PolicySeen {
  /** Equal where nothing has changed. */
  readonly content: string;
  readonly read: () => PolicyReading;
}

export function lookAtPolicyFile(path: string, readFile: ReadFile): PolicySeen {
  try {
    const { text } = readFile(path);
    return { content: text, read: () => readPolicy(text) };
  } catch (error) {
    const ifAbsent = 'copy policy.example.yml there, and fill it in';
    const problem = unreadable('POLICY_FILE', JSON.stringify(path), error, ifAbsent);
    return { content: problemLine(problem), read: () => ({ ok: false, problems: [problem] }) };
  }
}

export function readPolicyFile(path: string, readFile: ReadFile): PolicyReading {
  return lookAtPolicyFile(path, readFile).read();
}

/** How near its end an order is `ending`, where there is no policy to say so. */
export function usualEndingWithinMs(): number {
  return reminders.parse({}).endingWithinMs;
}

/** For editors: `docs/policy.schema.json`. */
export function policyJsonSchema(): object {
  return z.toJSONSchema(policy, { io: 'input' });
}
