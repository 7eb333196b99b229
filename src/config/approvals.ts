import { z } from 'zod';
import { compare, formatDollars } from '../purchasing/model/money.ts';
import type { Approvals, QuietHours } from '../purchasing/model/policy.ts';
import { aDuration, duration } from './duration.ts';
import { fault, wrong } from './problem.ts';
import { section } from './schema.ts';
import { isTimeZone } from './time-zone.ts';
import { dollars, groups, minutesOfDay, wholeNumber } from './values.ts';

const notChannel = wrong(
  'not a channel id (C… or G…)',
  'names can change, and after a # YAML reads a comment, so write the id: in Slack open the channel, click its name, and copy the channel ID at the bottom of About',
);

const times = {
  expire_after: duration('24h').describe('Undecided for so long: expired (s, m, h or d).'),
  send_within: duration('15m').describe('Approved but not sent for so long: expired.'),
};

/** More would be a message every now and then, and nobody reads those. */
const MOST_RUNGS = 10;

const notRungs = wrong(
  (input) => (Array.isArray(input) ? 'too long' : 'not a list of durations'),
  `write it like remind_after: [1h, 4h], with ${MOST_RUNGS} of them at most, or remind_after: off to do without`,
);

const remindAfter = z
  .union(
    [z.literal('off').transform((): number[] => []), z.array(aDuration, notRungs).max(MOST_RUNGS, notRungs)],
    notRungs,
  )
  .prefault(['1h', '4h'])
  .transform((rungs) => [...new Set(rungs)].sort((a, b) => a - b))
  .describe(
    'How long after a request its card’s thread is reminded of it, as long as nobody has decided; off for never.',
  );

const notQuiet = wrong(
  'not a span of hours',
  'write it like "19:00-08:00" (UTC) or "19:00-08:00 Europe/Berlin", in quotes, with two different times',
);

const quiet = z
  .string(notQuiet)
  .transform((text, ctx): QuietHours => {
    const [, from = '', until = '', timeZone = 'UTC'] = /^(\S{5}) ?[-–] ?(\S{5})(?: (\S+))?$/.exec(text.trim()) ?? [];
    const [fromMinutes, untilMinutes] = [minutesOfDay(from), minutesOfDay(until)];
    if (fromMinutes !== undefined && untilMinutes !== undefined && fromMinutes !== untilMinutes && isTimeZone(timeZone))
      return { fromMinutes, untilMinutes, timeZone };
    ctx.addIssue({ code: 'custom', input: text, message: notQuiet.error({ input: text }) });
    return z.NEVER;
  })
  .optional()
  .describe('Hours in which nobody is reminded; what falls into them comes at their end, once.');

const channelApprovals = section({
  channel: z
    .string(notChannel)
    .regex(/^[CG][A-Z0-9]+$/, notChannel)
    .describe('The id of the channel where requests are decided; invite the bot into it.'),
  free_up_to: wholeNumber(0, 'for 0')
    .optional()
    .describe(
      'IPs a person may buy in a rolling 24 h on their own confirmation; 0 where neither this nor free_up_to_dollars is given.',
    ),
  free_up_to_dollars: dollars('to do without')
    .optional()
    .describe(
      'The same in dollars, at observed prices. Where both are given both must hold; what no price is known of needs approval.',
    ),
  renewals: z
    .boolean(wrong('neither true nor false', 'write true or false, without quotes'))
    .default(true)
    .describe('Renewals need approval; false lets them follow free_up_to like a purchase.'),
  two_people_above: wholeNumber(0, 'to do without')
    .optional()
    .describe(
      'More IPs than that need two different approvers; with what the same person asks for on the same plan within 24 h.',
    ),
  two_people_above_dollars: dollars('to do without')
    .optional()
    .describe(
      'More dollars than that, at observed prices, need two different approvers, and so does what no price is known of; with what the same person asks for within 24 h.',
    ),
  remind_after: remindAfter,
  quiet,
  escalate_after: aDuration
    .optional()
    .describe('Undecided for so long: the groups of escalate_to are mentioned, once.'),
  escalate_to: groups.describe('Ids (S…) of the user groups to mention then; they get no right by it.'),
  ...times,
})
  .superRefine(
    ({ escalate_after: after, escalate_to: to }, ctx) => {
      const missing = (path: string, beside: string, remedy: string) =>
        ctx.addIssue({ code: 'custom', path: [path], message: fault(`is missing beside ${beside}`, remedy) });
      if (after !== undefined && to.length === 0)
        missing('escalate_to', 'escalate_after', 'list the user groups to mention, or leave both out');
      if (after === undefined && to.length > 0)
        missing('escalate_after', 'escalate_to', 'write it like 8h, or leave both out');
    },
    // Also where another key is wrong: all problems are reported at once.
    {
      when: ({ value, issues }) =>
        (value as { readonly escalate_to?: unknown } | null | undefined)?.escalate_to !== undefined &&
        !issues.some(({ path }) => String(path?.[0]).startsWith('escalate_')),
    },
  )
  .transform(
    (given): Approvals => ({
      mode: 'channel',
      channel: given.channel,
      freeUpTo: given.free_up_to ?? (given.free_up_to_dollars === undefined ? 0 : null),
      freeUpToDollars: given.free_up_to_dollars ?? null,
      renewalsNeedApproval: given.renewals,
      twoPeopleAbove: given.two_people_above ?? null,
      twoPeopleAboveDollars: given.two_people_above_dollars ?? null,
      remindAfterMs: given.remind_after,
      quiet: given.quiet ?? null,
      escalation: given.escalate_after === undefined ? null : { afterMs: given.escalate_after, to: given.escalate_to },
      expireAfterMs: given.expire_after,
      sendWithinMs: given.send_within,
    }),
  );

/** A policy without approvals is a decision that nobody may take by silence, nor by a word that only looks like a no. */
export const approvals = z.union(
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

/** Where the policy says two things of one request, the stricter one holds: that is worth saying. */
export function contradictions(given: Approvals): readonly string[] {
  if (given.mode === 'off') return [];
  const { freeUpTo, twoPeopleAbove, freeUpToDollars, twoPeopleAboveDollars } = given;
  const ips =
    freeUpTo === null || twoPeopleAbove === null || freeUpTo <= twoPeopleAbove
      ? []
      : [
          `approvals.free_up_to (${freeUpTo}) is above approvals.two_people_above (${twoPeopleAbove}): more than ${twoPeopleAbove} IPs need two people all the same`,
        ];
  if (freeUpToDollars === null || twoPeopleAboveDollars === null) return ips;
  if (compare(freeUpToDollars, twoPeopleAboveDollars) <= 0) return ips;
  const above = formatDollars(twoPeopleAboveDollars);
  return [
    ...ips,
    `approvals.free_up_to_dollars (${formatDollars(freeUpToDollars)}) is above approvals.two_people_above_dollars (${above}): more than ${above} need two people all the same`,
  ];
}
