import type { FaultRule } from '../../../sandbox/slack/index.ts';
import type { LocalVendor } from '../../../sandbox/vendor-api/index.ts';
import type { Site } from '../../support/site.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import type { Fleet } from './fleet.ts';
import { faultOf } from './invariants.ts';
import type { Phase, Plan } from './plan.ts';
import { soon } from './rest.ts';

// What Slack and the vendor do wrong in a round: laid out, met, and over.

const FAULTS_MET_WITHIN_MS = 2_500;
const SHUT_MS = 1_000;

export interface SlackRule {
  readonly name: string;
  readonly rule: FaultRule;
}

export function addSlackFaults({ slack }: Site, plan: Plan, phase: Phase): readonly SlackRule[] {
  return plan.slack
    .filter((laid) => laid.phase === phase)
    .map(({ method, fault, times }) => ({
      name: `${fault.kind}${'when' in fault ? ` ${fault.when}` : ''}`,
      rule: slack.faults.add(method, fault, { times }),
    }));
}

export function addVendorFaults({ vendor }: Site, plan: Plan, gate: TcpProxy): void {
  for (const [index, { plays }] of plan.vendor.entries())
    vendor.next(plan.renewals || plan.wanted[index]?.kind === 'renew' ? 'renew' : 'create', plays);
  if (plan.refuseConnection) shutAfterBalance(vendor, gate);
}

/** The balance is the last thing asked for before a POST: its answer is gone, and the port is closed. */
function shutAfterBalance(vendor: LocalVendor, gate: TcpProxy): void {
  const off = vendor.on(({ type }) => {
    if (type !== 'answer') return;
    off();
    if (vendor.posts === 0) gate.refuse(SHUT_MS);
  });
}

/** The trouble is over: what it has done to the processes shows itself now. */
export async function heal(site: Site, fleet: Fleet, rules: readonly SlackRule[]): Promise<void> {
  // Where nothing has died, what Slack does wrong is given the time to be met.
  if (!fleet.harmed) await soon(() => rules.every(({ rule }) => rule.hits > 0), FAULTS_MET_WITHIN_MS);
  site.slack.faults.clear();
  if (!fleet.harmed) return;
  await (fleet.size === 1 ? fleet.restart() : fleet.fill());
}

/** Those that were met, not all that were laid out: a click may be over before. */
export function facedFaults(
  { vendor }: Site,
  plan: Plan,
  gate: TcpProxy,
  slack: readonly SlackRule[],
): readonly string[] {
  const posts = vendor.requests.filter(({ raw }) => raw.startsWith('POST '));
  return [
    ...posts.flatMap(({ raw, played }, nth) => {
      const fault = played && faultOf(plan, nth, played, raw.includes('/orders/renew ') ? 'renew' : 'buy');
      return fault ? [`vendor: ${fault.name}`] : [];
    }),
    ...(gate.refused ? ['vendor: connection refused'] : []),
    ...slack.filter(({ rule }) => rule.hits > 0).map(({ name }) => `Slack: ${name}`),
    `process: ${plan.strike.kind}`,
  ];
}
