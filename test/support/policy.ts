import type { BalancePolicy, Reminders, Reports } from '../../src/purchasing/model/policy.ts';
import { CHANNEL } from './people.ts';
import { MONTHLY, plansYaml } from './plan.ts';

const LINES = {
  access: 'access: { balance: [S0TEAM], buy: [S0BUYERS], renew: [S0BUYERS], approve: [S0LEADS] }',
  approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5 }`,
  plans: plansYaml(MONTHLY),
  limits: 'limits: { ips_per_order: 500, ips_per_person_per_day: 1000 }',
  // A test counts the vendor's requests, and says what the next one is answered.
  balance: 'balance: { read_every: off }',
};

/** Lines of `policy.yml` that replace those of the same top-level key, or stand beside them. */
export type PolicyLines = { readonly [key in keyof typeof LINES | 'contact' | 'reminders' | 'reports']?: string };

/** A `policy.yml` for the people of the tests. */
export function policyYaml(lines: PolicyLines = {}): string {
  return `${Object.values({ ...LINES, ...lines }).join('\n')}\n`;
}

/** What holds where `reminders` is left out. */
export const REMINDERS: Reminders = {
  beforeEndMs: [7, 3, 1].map((days) => days * 86_400_000),
  endingWithinMs: 7 * 86_400_000,
  atMinutes: 9 * 60,
  renewKeptBeforeMs: 3 * 86_400_000,
};

/** Of IPs alone. */
export const NO_DOLLARS = { dollarsPerPersonPerMonth: null, dollarsPerMonth: null } as const;

/** What holds where `reports` is left out. */
export const NO_REPORTS: Reports = { monthly: false, timeZone: 'UTC' };

/** Nobody reads the balance but who needs it. */
export const NO_INTERVAL: BalancePolicy = {
  readEveryMs: null,
  warnBelow: null,
  warnDays: null,
  freezeOnUnexplainedAbove: null,
};

/** Approvals by one person each, of which nobody is reminded. */
export const NOBODY_PRESSED = {
  freeUpToDollars: null,
  twoPeopleAboveDollars: null,
  twoPeopleAbove: null,
  remindAfterMs: [],
  quiet: null,
  escalation: null,
} as const;
