import { z } from 'zod';
import type { Approvals, Limits, Policy } from '../purchasing/model/policy.ts';
import { RIGHTS, type Right } from '../purchasing/model/right.ts';
import { duration } from './duration.ts';
import { type ReadFile, unreadable } from './files.ts';
import { plans } from './plans.ts';
import { type Problem, section, toProblems, wrong } from './problem.ts';
import { reminders } from './reminders.ts';
import { readYaml } from './yaml.ts';

export type PolicyReading =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const notGroup = wrong(
  (input) => (typeof input === 'string' && /^(?:@|<!)/.test(input) ? 'a handle' : 'not a user group id (S…)'),
  'a handle or name can be taken over by others, so write the id: in Slack open People, User groups, the group, its ⋯ menu, Copy group ID',
);

const group = z.preprocess(
  (entry) => (typeof entry === 'string' ? entry.trim() : (entry ?? '')),
  z.string(notGroup).regex(/^(?:S[A-Z0-9]+)?$/, notGroup),
);

/** A list, or one text with commas. Blank entries go; a list of nothing else is empty, and an empty list lets nobody in. */
const groups = z
  .preprocess((value) => (typeof value === 'string' ? value.split(',') : [value].flat()), z.array(group))
  .transform((ids) => [...new Set(ids.filter((id) => id !== ''))])
  .prefault([]);

const MEANING = {
  balance: 'see the balance',
  buy: 'buy',
  renew: 'renew',
  approve: 'approve requests, settle unknown outcomes or freeze spending',
} as const satisfies Record<Right, string>;

const who = (right: Right) => groups.describe(`Ids (S…) of the user groups that may ${MEANING[right]}.`);

const access = section({ balance: who('balance'), buy: who('buy'), renew: who('renew'), approve: who('approve') });

/** The largest quantity that can be typed anywhere; a limit above it limits nothing. */
const LARGEST_NUMBER = 999_999_999;

function wholeNumber(least: number, unset: number) {
  const message = wrong(
    `not a whole number from ${least} to ${LARGEST_NUMBER}`,
    `write digits only, or leave it out for ${unset}`,
  );
  return z.int(message).min(least, message).max(LARGEST_NUMBER, message).default(unset);
}

const notChannel = wrong(
  'not a channel id (C… or G…)',
  'names can change, and after a # YAML reads a comment, so write the id: in Slack open the channel, click its name, and copy the channel ID at the bottom of About',
);

const times = {
  expire_after: duration('24h').describe('Undecided for so long: expired (s, m, h or d).'),
  send_within: duration('15m').describe('Approved but not sent for so long: expired.'),
};

const channelApprovals = section({
  channel: z
    .string(notChannel)
    .regex(/^[CG][A-Z0-9]+$/, notChannel)
    .describe('The id of the channel where requests are decided; invite the bot into it.'),
  free_up_to: wholeNumber(0, 0).describe('IPs a person may buy in a rolling 24 h on their own confirmation.'),
  renewals: z
    .boolean(wrong('neither true nor false', 'write true or false, without quotes'))
    .default(true)
    .describe('Renewals need approval; false lets them follow free_up_to like a purchase.'),
  ...times,
}).transform(
  ({ channel, free_up_to: freeUpTo, renewals, expire_after: expireAfterMs, send_within: sendWithinMs }): Approvals => ({
    mode: 'channel',
    channel,
    freeUpTo,
    renewalsNeedApproval: renewals,
    expireAfterMs,
    sendWithinMs,
  }),
);

/** A policy without approvals is a decision that nobody may take by silence, nor by a word that only looks like a no. */
const approvals = z.union(
  [
    z.literal('off').transform((): Approvals => {
      const { expire_after: expireAfterMs, send_within: sendWithinMs } = z.object(times).parse({});
      return { mode: 'off', expireAfterMs, sendWithinMs };
    }),
    channelApprovals,
  ],
  wrong(
    'neither the word off nor a mapping',
    'write `channel: C…` below it, or exactly `approvals: off` to do without',
  ),
);

const limits = section({
  ips_per_order: wholeNumber(1, 500),
  ips_per_person_per_day: wholeNumber(1, 1_000),
}).transform(
  ({ ips_per_order: ipsPerOrder, ips_per_person_per_day: ipsPerPersonPerDay }): Limits => ({
    ipsPerOrder,
    ipsPerPersonPerDay,
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
  return { ok: true, policy: parsed.data, warnings };
}

export function readPolicyFile(path: string, readFile: ReadFile): PolicyReading {
  let text: string;
  try {
    text = readFile(path).text;
  } catch (error) {
    const ifAbsent = 'copy policy.example.yml there, and fill it in';
    return { ok: false, problems: [unreadable('POLICY_FILE', JSON.stringify(path), error, ifAbsent)] };
  }
  return readPolicy(text);
}

/** For editors: `docs/policy.schema.json`. */
export function policyJsonSchema(): object {
  return z.toJSONSchema(policy, { io: 'input' });
}
