import type { LedgerLine } from '../../support/books.ts';
import { LEAD2, LEAD3 } from '../../support/site.ts';
import { cardsOf } from '../../support/site-steps.ts';
import { auditBooks, auditSlack, underWay } from './invariants.ts';
import { type Clicks, decideSomehow, look, openDecisions } from './people.ts';
import type { Renewals } from './plan.ts';
import {
  decideTogetherSomehow,
  deliverTwice,
  fileTogetherSomehow,
  openTogether,
  ownOrders,
  prepareTogether,
  settle,
  settleSomehow,
  tryInVain,
  withdrawSomehow,
} from './renewals.ts';
import { auditBatchInSlack, auditReminders, auditRenewals } from './renewals-audit.ts';
import { comeToRest, soon } from './rest.ts';
import { type Acted, during, type Scene } from './scene.ts';
import { addVendorFaults } from './trouble.ts';

/** What is kept is looked for at each start, and then every minute. */
const FILED_WITHIN_MS = 5_000;
const STARTS_AT_MOST = 4;
const CARD_WITHIN_MS = 2_000;
const BRIEFLY = { timeout: 1_500 };

/** An order that is kept files its renewal, people renew others together, and settle what becomes unknown. */
export async function actOnRenewals(scene: Scene, renewals: Renewals): Promise<Acted> {
  const { plan, gate } = scene;
  const { site, fleet } = scene.struck;
  const { together, kept } = renewals;
  const clicks: Clicks = new Map();
  await ownOrders(site, renewals);
  const deliverAgain = deliverTwice(site, renewals);

  await during(scene, 'starting', () => fleet.fillWhileStruck());
  const keptId = await filedByItself(scene);

  const form = await prepareTogether(site, together).catch(() => undefined);
  await during(scene, 'filing', async () => form?.submit('Ask for approval'));
  const batch = await fileTogetherSomehow(site, together);
  await soon(() => [batch, keptId].every((id) => cardsOf(site, id).length > 0), CARD_WITHIN_MS);

  await tryInVain(site, batch, together.by);
  await tryInVain(site, keptId, kept.by);
  const decider = { decision: kept.decision, lead: LEAD2 };
  const decisions = await Promise.allSettled([
    openTogether(site, together, batch, clicks),
    // Nobody has two modals open.
    ...(together.decision === 'both at once' ? [] : [openDecisions(site, decider, keptId, clicks)]),
  ]);
  addVendorFaults(site, plan, gate);
  await during(scene, 'deciding', () =>
    Promise.all(decisions.flatMap((opened) => (opened.status === 'fulfilled' ? [opened.value()] : []))),
  );
  await decideTogetherSomehow(site, together, batch, clicks);
  await decideSomehow(site, decider, keptId, clicks);

  const settled = await settleAll(scene, renewals, batch);
  // Whatever is started or delivered once more finds all of it done.
  await fleet.restart();
  await deliverAgain();
  const missing = await comeToRest(fleet, async () => {
    const lines = await look(site);
    return [
      ...underWay(lines),
      ...auditSlack(site, lines, settled).missing,
      ...auditBatchInSlack(
        site,
        lines.filter((line) => line.batch === batch),
      ),
    ];
  });
  const { violations, shown } = await auditBooks(site, plan, together.orders.length + 1, clicks);
  const lines = await look(site);
  return {
    violations: [...missing, ...violations, ...auditRenewals(shown, renewals), ...(await auditReminders(site))],
    lines,
    twice: auditSlack(site, lines, settled).twice,
  };
}

/** Settles whatever becomes unknown, and with that lets the rest of the batch go on. @returns what was settled. */
async function settleAll(scene: Scene, renewals: Renewals, batch: string): Promise<ReadonlySet<string>> {
  const { site, fleet } = scene.struck;
  const settled = new Set<string>();
  const unknown = async () => {
    await comeToRest(fleet, async () => moving(await look(site)));
    const lines = (await look(site)).filter(({ state }) => state === 'unknown');
    for (const { id } of lines) settled.add(id);
    return lines;
  };
  const first = await unknown();
  await during(scene, 'settling', async () => {
    for (const line of first) await tryToSettle(scene, line, renewals);
  });
  for (let open = await unknown(); open.length > 0; open = await unknown())
    for (const line of open) await settleSomehow(site, line);
  await withdrawSomehow(site, renewals.together, batch);
  return settled;
}

/** @returns the purchase that the order has filed. */
async function filedByItself({ plan, struck: { site, fleet } }: Scene): Promise<string> {
  const filed = async () => (await look(site)).find(({ orderId }) => orderId === plan.renewals?.kept.order)?.id;
  for (let starts = 0; starts < STARTS_AT_MOST; starts += 1) {
    if (await soon(async () => (await filed()) !== undefined, FILED_WITHIN_MS)) return (await filed()) ?? '';
    await fleet.restart();
  }
  throw new Error('an order that is kept has not filed its renewal');
}

/** Those who may not, try first. */
async function tryToSettle({ struck: { site } }: Scene, line: LedgerLine, { together, kept }: Renewals): Promise<void> {
  const keeper = line.orderId === kept.order ? kept.by : together.by;
  if (keeper === LEAD3) await settle(site, line, LEAD3, BRIEFLY).catch(() => undefined);
  await settle(site, line).catch(() => undefined);
}

/** What still goes on by itself: not what waits for an outcome of its batch that is unknown, or for money. */
function moving(lines: readonly LedgerLine[]): readonly string[] {
  const waits = ({ batch, state, why }: LedgerLine) =>
    state === 'approved' &&
    batch !== null &&
    (why !== null || lines.some((other) => other.batch === batch && other.state === 'unknown'));
  return underWay(lines.filter((line) => !waits(line)));
}
