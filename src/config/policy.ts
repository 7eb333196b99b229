import { parseDocument } from 'yaml';
import type { Access, Approvals, Limits, Policy } from '../purchasing/model/policy.ts';
import { RIGHTS, type Right } from '../purchasing/model/right.ts';
import { parseDuration } from './duration.ts';
import { readPlans } from './plans.ts';
import type { Problem } from './problem.ts';
import { Section } from './section.ts';

export type PolicyReading =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What holds where the policy says nothing. A policy without approvals is refused: that is a decision nobody may take by silence. */
export const POLICY_DEFAULTS = {
  freeUpTo: 0,
  renewalsNeedApproval: true,
  expireAfter: '24h',
  sendWithin: '15m',
  ipsPerOrder: 500,
  ipsPerPersonPerDay: 1_000,
} as const;

const SECTIONS = ['access', 'approvals', 'plans', 'limits'];

/** Reads `policy.yml` and reports all that is wrong with it at once; warnings name what is allowed but lets nobody in. */
export function readPolicy(text: string): PolicyReading {
  // Version 1.2 keeps NO, off and yes as texts; 1.1 made Norway the boolean false.
  const document = parseDocument(text, { version: '1.2', uniqueKeys: true, intAsBigInt: true, logLevel: 'error' });
  const faults = [...document.errors, ...document.warnings].map(
    ({ message }) => message.split('\n', 1)[0] ?? 'cannot be read',
  );
  if (faults.length > 0) return { ok: false, problems: faults.map(unreadable) };

  const problems: Problem[] = [];
  const warnings: string[] = [];
  const policy = Section.read('', plainValue(document, problems), SECTIONS, problems);
  const access = readAccess(policy.section('access', RIGHTS), warnings);
  const approvals = readApprovals(policy);
  const plans = readPlans(policy, problems);
  const limits = readLimits(policy.section('limits', ['ips_per_order', 'ips_per_person_per_day']));
  if (problems.length > 0 || approvals === undefined) return { ok: false, problems };
  return { ok: true, policy: { access, approvals, plans, limits }, warnings };
}

function unreadable(message: string): Problem {
  return { key: 'policy', problem: `is not readable YAML: ${message}`, remedy: 'compare it with policy.example.yml' };
}

function plainValue(document: ReturnType<typeof parseDocument>, problems: Problem[]): unknown {
  try {
    // Maps, so that no key of the file can be taken for something every object has.
    const value: unknown = document.toJS({ mapAsMap: true });
    if (value === null || value instanceof Map) return value;
  } catch {
    // Too many aliases, or one that leads to itself.
  }
  problems.push(unreadable('it holds no sections'));
  return undefined;
}

function readAccess(access: Section, warnings: string[]): Access {
  const read = (right: Right): readonly string[] => {
    const groups = readGroups(access, right);
    if (groups.length === 0) warnings.push(`${access.key(right)} lists no user group, so nobody may ${MEANING[right]}`);
    return groups;
  };
  return { balance: read('balance'), buy: read('buy'), renew: read('renew'), approve: read('approve') };
}

const MEANING = {
  balance: 'see the balance',
  buy: 'buy',
  renew: 'renew',
  approve: 'approve requests, settle unknown outcomes or freeze spending',
} as const satisfies Record<Right, string>;

/** A list, or one text with commas. Blank entries go; a list of nothing else is empty, and an empty list lets nobody in. */
function readGroups(access: Section, right: Right): readonly string[] {
  const value = access.value(right) ?? [];
  const entries: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  const groups = new Set<string>();
  for (const entry of entries) {
    if (entry === null || (typeof entry === 'string' && entry.trim() === '')) continue;
    const id = typeof entry === 'string' ? entry.trim() : '';
    if (/^S[A-Z0-9]+$/.test(id)) groups.add(id);
    else access.note(right, 'holds something that is not a user group id (S…)', GROUP_REMEDY);
  }
  return [...groups];
}

const GROUP_REMEDY =
  'a handle or name can be taken over by others, so write the id: in Slack open People, User groups, the group, its ⋯ menu, Copy group ID';

const APPROVAL_KEYS = ['channel', 'free_up_to', 'renewals', 'expire_after', 'send_within'];

function readApprovals(policy: Section): Approvals | undefined {
  const value = policy.value('approvals');
  if (value === undefined)
    return policy.note(
      'approvals',
      'is missing',
      'name the channel for requests below it, or write `approvals: off` on purpose',
    );
  if (value === false || value === 'off') return { mode: 'off', ...readTimes(null) };
  if (!(value instanceof Map))
    return policy.note(
      'approvals',
      'is neither off nor a mapping',
      'write `channel: C…` below it, or `approvals: off`',
    );
  const approvals = policy.section('approvals', APPROVAL_KEYS);
  const channel = readChannel(approvals);
  const freeUpTo = approvals.wholeNumber('free_up_to', 0, POLICY_DEFAULTS.freeUpTo);
  const renewalsNeedApproval = approvals.yesOrNo('renewals', POLICY_DEFAULTS.renewalsNeedApproval);
  const times = readTimes(approvals);
  return channel === undefined ? undefined : { mode: 'channel', channel, freeUpTo, renewalsNeedApproval, ...times };
}

function readChannel(approvals: Section): string | undefined {
  const channel = approvals.value('channel');
  if (channel === undefined)
    return approvals.note('channel', 'is missing (after a # YAML reads a comment)', CHANNEL_REMEDY);
  if (typeof channel === 'string' && /^[CG][A-Z0-9]+$/.test(channel)) return channel;
  return approvals.note('channel', 'is not a channel id (C… or G…)', CHANNEL_REMEDY);
}

const CHANNEL_REMEDY =
  'names can change, so write the id: in Slack open the channel, click its name, and copy the channel ID at the bottom of About';

function readTimes(approvals: Section | null): { readonly expireAfterMs: number; readonly sendWithinMs: number } {
  return {
    expireAfterMs: readDuration(approvals, 'expire_after', POLICY_DEFAULTS.expireAfter),
    sendWithinMs: readDuration(approvals, 'send_within', POLICY_DEFAULTS.sendWithin),
  };
}

function readDuration(section: Section | null, name: string, unset: string): number {
  const value = section?.value(name) ?? unset;
  const duration = typeof value === 'string' ? parseDuration(value) : null;
  if (duration === null) section?.note(name, 'is not a duration', 'write it like 4s, 15m, 24h or 7d; at most a year');
  return duration ?? 0;
}

function readLimits(limits: Section): Limits {
  return {
    ipsPerOrder: limits.wholeNumber('ips_per_order', 1, POLICY_DEFAULTS.ipsPerOrder),
    ipsPerPersonPerDay: limits.wholeNumber('ips_per_person_per_day', 1, POLICY_DEFAULTS.ipsPerPersonPerDay),
  };
}
