import type { Plan, Policy } from '../../src/purchasing/model/policy.ts';
import { NO_DOLLARS, NO_INTERVAL, NO_REPORTS, NOBODY_PRESSED, REMINDERS } from '../support/policy.ts';
import { among, type Choices, weighed } from './choices.ts';
import { ACCESS } from './people.ts';
import { CHANNEL } from './slack.ts';

const MINUTE_MS = 60_000;

export const PLAN: Plan = {
  productId: 'lt-monthly',
  name: 'Monthly',
  type: 'long-term',
  networkType: 'residential',
  term: null,
  termText: '',
};

/** Approvals in a channel, nothing free. Times are short, so that a run meets their ends. */
export const STRICT: Policy = {
  access: ACCESS,
  approvals: {
    mode: 'channel',
    channel: CHANNEL,
    freeUpTo: 0,
    renewalsNeedApproval: true,
    ...NOBODY_PRESSED,
    expireAfterMs: 10 * MINUTE_MS,
    sendWithinMs: 2 * MINUTE_MS,
  },
  plans: [PLAN],
  limits: { ipsPerOrder: 50, ipsPerPersonPerDay: 60, ...NO_DOLLARS },
  reminders: REMINDERS,
  balance: NO_INTERVAL,
  reports: NO_REPORTS,
};

export function choosePolicy(choices: Choices): Policy {
  const sendWithinMs = [20_000, 2 * MINUTE_MS, 15 * MINUTE_MS][choices.pick('send within', [1, 2, 4])] ?? 0;
  const expireAfterMs = [MINUTE_MS, 10 * MINUTE_MS, 24 * 60 * MINUTE_MS][choices.pick('expire after', [1, 2, 4])] ?? 0;
  const ipsPerPersonPerDay = among(choices, 'a day', [25, 60, 1_000]);
  const limits = { ipsPerOrder: 50, ipsPerPersonPerDay, ...NO_DOLLARS };
  const kind = weighed(choices, 'approvals', { strict: 50, free: 30, off: 20 });
  const twoPeopleAbove = among(choices, 'two people above', [null, null, 5]);
  if (kind === 'off') return { ...STRICT, approvals: { mode: 'off', expireAfterMs, sendWithinMs }, limits };
  const freeUpTo = kind === 'free' ? 12 : 0;
  return {
    ...STRICT,
    approvals: {
      mode: 'channel',
      channel: CHANNEL,
      freeUpTo,
      renewalsNeedApproval: kind === 'strict',
      ...NOBODY_PRESSED,
      twoPeopleAbove,
      expireAfterMs,
      sendWithinMs,
    },
    limits,
  };
}

/** What an admin may have changed between two starts. */
export function changePolicy(policy: Policy, choices: Choices): Policy {
  switch (weighed(choices, 'change of policy', { none: 80, limits: 5, plan: 5, approvals: 5, people: 5 })) {
    case 'none':
      return policy;
    case 'limits':
      return { ...policy, limits: { ...policy.limits, ipsPerOrder: 5, ipsPerPersonPerDay: 15 } };
    case 'plan':
      return { ...policy, plans: [{ ...PLAN, productId: 'lt-other' }] };
    case 'approvals':
      return policy.approvals.mode === 'off' ? policy : { ...policy, approvals: { ...policy.approvals, freeUpTo: 0 } };
    case 'people': {
      if (policy.approvals.mode === 'off') return policy;
      const twoPeopleAbove = policy.approvals.twoPeopleAbove === null ? 5 : null;
      return { ...policy, approvals: { ...policy.approvals, twoPeopleAbove } };
    }
  }
}
