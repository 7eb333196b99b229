import { join } from 'node:path';
import { openSite } from '../../support/site.ts';
import { ORDERS_POLICY } from '../../support/site-orders.ts';
import { cardsOf } from '../../support/site-steps.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { auditBooks, auditSlack, underWay } from './invariants.ts';
import { type Clicks, decideSomehow, errandsOf, fileSomehow, look, openDecisions, prepare } from './people.ts';
import { ORDER_TO_RENEW, type Plan } from './plan.ts';
import { actOnRenewals } from './renewals-round.ts';
import { comeToRest, soon } from './rest.ts';
import { type Acted, during, type Scene } from './scene.ts';
import { mountSmallDisk } from './small-disk.ts';
import { type Databases, sqliteStorage } from './storage.ts';
import { addVendorFaults, facedFaults, type SlackRule } from './trouble.ts';

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
const WORDS_AT_MOST = 2_000;

/** What a bot in trouble may log; not what nobody handled, and not what is no line of the log. */
const TROUBLE = /^\{"level":"error",(?!.*nobody handled)/;
const AT_THE_LEDGER = /^(database|connections)/;
const REFUSES_TO_START = /the ledger|^ {2}|^\s*$|disk|SQLite|npm run/;

/** Plays one round to its end, in an office of its own. Never throws: what went wrong is a violation too. */
export async function playRound(plan: Plan, databases: Databases | undefined): Promise<RoundReport> {
  const made = await databases?.make();
  const isFull = plan.strike.kind.startsWith('disk full');
  // A program that meets no usable ledger where it starts says so, and ends.
  const mayRefuse = isFull || (plan.strike.phase === 'starting' && AT_THE_LEDGER.test(plan.strike.kind));
  const site = await openSite({
    expected: mayRefuse ? new RegExp(`${TROUBLE.source}|${REFUSES_TO_START.source}`) : TROUBLE,
    ...(plan.renewals && { policy: ORDERS_POLICY }),
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
  let acted: Acted = { violations: [], lines: [], twice: 0 };
  try {
    const storage = made?.storage ?? sqliteStorage(site);
    fleet = createFleet(site, storage, plan.processes, { PROXY_API_BASE_URL: gate.through(site.vendor.baseUrl) });
    const scene = { plan, struck: { site, fleet, storage, disk }, gate, rules };
    acted = await (plan.renewals ? actOnRenewals(scene, plan.renewals) : actOnPurchases(scene));
    violations.push(...acted.violations);
  } catch (error) {
    violations.push(wordsOf(error));
  }
  const posts = site.vendor.posts;
  const faults = facedFaults(site, plan, gate, rules);
  await fleet?.endAll();
  await gate.close();
  await site.close().catch((error: unknown) => violations.push(wordsOf(error)));
  disk?.close();
  return {
    plan,
    violations: [...new Set(violations)],
    states: acted.lines.map(({ state }) => state),
    posts,
    triedAgain: acted.lines.filter(({ attempts }) => attempts > 1).length,
    twice: acted.twice,
    faults,
  };
}

/** People ask for one or two purchases, and decide them. */
async function actOnPurchases(scene: Scene): Promise<Acted> {
  const { plan, gate } = scene;
  const { site, fleet } = scene.struck;
  const errands = errandsOf(plan.wanted);
  const clicks: Clicks = new Map();
  await fleet.fill();

  const prepared = await Promise.all(errands.map((errand) => prepare(site, errand)));
  await during(scene, 'filing', () => Promise.allSettled(prepared.map((person) => person.submit('Ask for approval'))));
  const ids: string[] = [];
  for (const errand of errands) ids.push(await fileSomehow(site, errand));
  await soon(() => ids.every((id) => cardsOf(site, id).length > 0), CARD_WITHIN_MS);

  const decisions = await Promise.allSettled(
    errands.map((errand, index) => openDecisions(site, errand, ids[index] ?? '', clicks)),
  );
  addVendorFaults(site, plan, gate);
  await during(scene, 'deciding', () =>
    Promise.all(decisions.flatMap((opened) => (opened.status === 'fulfilled' ? [opened.value()] : []))),
  );
  for (const [index, errand] of errands.entries()) await decideSomehow(site, errand, ids[index] ?? '', clicks);

  const missing = await comeToRest(fleet, async () => {
    const lines = await look(site);
    return [...underWay(lines), ...auditSlack(site, lines).missing];
  });
  const { violations } = await auditBooks(site, plan, errands.length, clicks);
  const lines = await look(site);
  return { violations: [...missing, ...violations], lines, twice: auditSlack(site, lines).twice };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The hands of the local Slack complain with all that is on the screen.
  return (error.cause ? `${error.message}: ${wordsOf(error.cause)}` : error.message).slice(0, WORDS_AT_MOST);
}
