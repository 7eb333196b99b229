import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../../sandbox/slack/index.ts';
import { openSite, type Site } from '../../support/site.ts';
import { cardsOf } from '../../support/site-steps.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { auditBooks, auditSlack, FINAL, faultOf } from './invariants.ts';
import {
  type Clicks,
  decideSomehow,
  type Errand,
  errandsOf,
  fileSomehow,
  look,
  openDecisions,
  prepare,
} from './people.ts';
import { ORDER_TO_RENEW, type Phase, type Plan } from './plan.ts';
import { mountSmallDisk } from './small-disk.ts';
import { type Databases, sqliteStorage } from './storage.ts';
import { armStrike, type Struck } from './strikes.ts';

export interface RoundReport {
  readonly plan: Plan;
  /** Broken promises, in words. */
  readonly violations: readonly string[];
  readonly states: readonly string[];
  readonly posts: number;
  /** Requests that provably never left, and were tried again. */
  readonly triedAgain: number;
  readonly twice: number;
  readonly faults: readonly string[];
}

const TIMEOUT_MS = 2_000;
const CARD_WITHIN_MS = 2_000;
const FAULTS_MET_WITHIN_MS = 2_500;
const SHUT_MS = 1_000;

/** By survivors, and by what is left of those that healed. Then everything is started anew, and has its last chance. */
const REST_BY_ITSELF_MS = 12_000;
const REST_AT_LAST_MS = 40_000;
const LOOK_AGAIN_AFTER_MS = 50;
const WORDS_AT_MOST = 2_000;

/** What a bot in trouble may log; not what nobody handled, and not what is no line of the log. */
const TROUBLE = /^\{"level":"error",(?!.*nobody handled)/;
const REFUSES_TO_START = /the ledger|^ {2}|^\s*$|disk|SQLite|npm run/;

/** Plays one round to its end, in an office of its own. Never throws: what went wrong is a violation too. */
export async function playRound(plan: Plan, databases: Databases | undefined): Promise<RoundReport> {
  const made = await databases?.make();
  const isFull = plan.strike.kind.startsWith('disk full');
  const site = await openSite({
    expected: isFull ? new RegExp(`${TROUBLE.source}|${REFUSES_TO_START.source}`) : TROUBLE,
    ...(made && { postgres: made.url }),
    env: { PROXY_API_TIMEOUT_MS: String(TIMEOUT_MS) },
  });
  Object.assign(site.slack.settings, { ackLimitMs: 3_000, allowLateAck: true });
  site.vendor.addOrder({ id: ORDER_TO_RENEW });
  const gate = await startTcpProxy();
  const disk = isFull ? mountSmallDisk(join(site.folder, 'data')) : undefined;
  const violations: string[] = [];
  const rules: SlackRule[] = [];
  let fleet: Fleet | undefined;
  let told: { states: readonly string[]; twice: number; triedAgain: number } = { states: [], twice: 0, triedAgain: 0 };
  try {
    const storage = made?.storage ?? sqliteStorage(site);
    fleet = await startFleet(site, storage, plan.processes, { PROXY_API_BASE_URL: gate.through(site.vendor.baseUrl) });
    told = await act(plan, { site, fleet, storage, disk }, gate, violations, rules);
  } catch (error) {
    violations.push(wordsOf(error));
  }
  const posts = site.vendor.posts;
  const faults = facedFaults(site, plan, gate, rules);
  await fleet?.endAll();
  await gate.close();
  await site.close().catch((error: unknown) => violations.push(wordsOf(error)));
  disk?.close();
  return { plan, ...told, violations: [...new Set(violations)], posts, faults };
}

async function act(plan: Plan, struck: Struck, gate: TcpProxy, violations: string[], rules: SlackRule[]) {
  const { site, fleet } = struck;
  const errands = errandsOf(plan.wanted);
  const clicks: Clicks = new Map();

  const prepared = await Promise.all(errands.map((errand) => prepare(site, errand)));
  const filed = armStrike(plan, 'filing', struck);
  rules.push(...addSlackFaults(site, plan, 'filing'));
  await Promise.allSettled(prepared.map((person) => person.submit('Ask for approval')));
  await filed;
  await heal(site, fleet, rules);
  const ids: string[] = [];
  for (const errand of errands) ids.push(await fileSomehow(site, errand));
  await soon(() => ids.every((id) => cardsOf(site, id).length > 0), CARD_WITHIN_MS);

  const decisions = await Promise.allSettled(
    errands.map((errand, index) => openDecisions(site, errand, ids[index] ?? '', clicks)),
  );
  addVendorFaults(site, plan);
  if (plan.refuseConnection) shutAfterBalance(site, gate);
  const decided = armStrike(plan, 'deciding', struck);
  rules.push(...addSlackFaults(site, plan, 'deciding'));
  await Promise.all(decisions.flatMap((opened) => (opened.status === 'fulfilled' ? [opened.value()] : [])));
  await decided;
  await heal(site, fleet, rules);
  for (const [index, errand] of errands.entries()) await decideSomehow(site, errand, ids[index] ?? '', clicks);

  await comeToRest(site, fleet, errands);
  violations.push(...(await auditBooks(site, plan, errands, clicks)));
  const lines = await look(site);
  return {
    states: lines.map(({ state }) => state),
    triedAgain: lines.filter(({ attempts }) => attempts > 1).length,
    twice: auditSlack(site, lines, errands).twice,
  };
}

/** The trouble is over: what it has done to the processes shows itself now. */
async function heal(site: Site, fleet: Fleet, rules: readonly SlackRule[]): Promise<void> {
  // Where nothing has died, what Slack does wrong is given the time to be met.
  if (!fleet.harmed) await soon(() => rules.every(({ rule }) => rule.hits > 0), FAULTS_MET_WITHIN_MS);
  site.slack.faults.clear();
  if (!fleet.harmed) return;
  await (fleet.size === 1 ? fleet.restart() : fleet.fill());
}

async function comeToRest(site: Site, fleet: Fleet, errands: readonly Errand[]): Promise<void> {
  let missing: readonly string[] = [];
  const atRest = async () => {
    const lines = await look(site);
    const open = lines.filter(({ state }) => !FINAL.has(state)).map(({ id, state }) => `${id} is still ${state}`);
    missing = [...open, ...auditSlack(site, lines, errands).missing];
    return missing.length === 0;
  };
  if (await soon(atRest, REST_BY_ITSELF_MS)) return;
  if (fleet.harmed) await fleet.restart();
  if (!(await soon(atRest, REST_AT_LAST_MS))) throw new Error(missing.join('\n'));
}

function addVendorFaults({ vendor }: Site, { wanted, vendor: [first, second] }: Plan): void {
  const renews = wanted[1]?.kind === 'renew';
  if (first) vendor.next('create', first.plays);
  if (second) vendor.next(renews ? 'renew' : 'create', second.plays);
}

function addSlackFaults({ slack }: Site, plan: Plan, phase: Phase): readonly SlackRule[] {
  return plan.slack
    .filter((laid) => laid.phase === phase)
    .map(({ method, fault, times }) => ({
      name: `${fault.kind}${'when' in fault ? ` ${fault.when}` : ''}`,
      rule: slack.faults.add(method, fault, { times }),
    }));
}

/** The balance is the last thing asked for before a POST: its answer is gone, and the port is closed. */
function shutAfterBalance({ vendor }: Site, gate: TcpProxy): void {
  const off = vendor.on(({ type }) => {
    if (type !== 'answer') return;
    off();
    if (vendor.posts === 0) gate.refuse(SHUT_MS);
  });
}

interface SlackRule {
  readonly name: string;
  readonly rule: FaultRule;
}

/** Those that were met, not all that were laid out: a click may be over before. */
function facedFaults({ vendor }: Site, plan: Plan, gate: TcpProxy, slack: readonly SlackRule[]): readonly string[] {
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

async function soon(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(LOOK_AGAIN_AFTER_MS);
  }
  return true;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The hands of the local Slack complain with all that is on the screen.
  return (error.cause ? `${error.message}: ${wordsOf(error.cause)}` : error.message).slice(0, WORDS_AT_MOST);
}
