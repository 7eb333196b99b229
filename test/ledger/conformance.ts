import type { OpenLedger } from '../../src/ledger/open.ts';
import { describeAccount } from './conformance/account.ts';
import { describeAlerts } from './conformance/alerts.ts';
import { describeBaskets } from './conformance/baskets.ts';
import { describeBatches } from './conformance/batches.ts';
import { describeChanges } from './conformance/changes.ts';
import { describeClosed } from './conformance/closed.ts';
import { describeCounts } from './conformance/counts.ts';
import { describeDrafts } from './conformance/drafts.ts';
import { describeEndings } from './conformance/endings.ts';
import { describeEntries } from './conformance/entries.ts';
import { describeFiling } from './conformance/filing.ts';
import { describeFreeze } from './conformance/freeze.ts';
import { describeGoneBack } from './conformance/gone-back.ts';
import { describeGroups } from './conformance/groups.ts';
import { describeHomes } from './conformance/homes.ts';
import { describeKeptCosts } from './conformance/kept-costs.ts';
import { describeLane } from './conformance/lane.ts';
import { describeLeases } from './conformance/leases.ts';
import { describeMonthlyReports } from './conformance/monthly-reports.ts';
import { describeOrders } from './conformance/orders.ts';
import { describeOutbox } from './conformance/outbox.ts';
import { describeQueues } from './conformance/queues.ts';
import { describeReadings } from './conformance/readings.ts';
import { describeSpending } from './conformance/spending.ts';
import { closeAfterwards, START, type TestClock } from './fixture.ts';

/** A ledger that nobody has used yet. `open` may be called several times: each is a process of its own to the database. */
interface FreshLedger {
  readonly open: () => Promise<OpenLedger>;
}

/** What every test begins with. */
export type Setup = () => Promise<OpenLedger & { clock: TestClock; openAgain: () => Promise<OpenLedger> }>;

/**
 * The promises of the ledger, for every database that holds it.
 * @param fresh makes an empty one that goes by `clock`, and is removed after the test.
 */
export function describeLedger(fresh: (clock: TestClock) => Promise<FreshLedger>): void {
  const setup: Setup = async () => {
    const clock = { now: START };
    const ledger = await fresh(clock);
    const openAgain = async () => closeAfterwards(await ledger.open());
    return { ...(await openAgain()), clock, openAgain };
  };
  describeAlerts(setup);
  describeFiling(setup);
  describeChanges(setup);
  describeBatches(setup);
  describeClosed(setup);
  describeCounts(setup);
  describeEntries(setup);
  describeReadings(setup);
  describeAccount(setup);
  describeSpending(setup);
  describeKeptCosts(setup);
  describeQueues(setup);
  describeLane(setup);
  describeLeases(setup);
  describeFreeze(setup);
  describeGroups(setup);
  describeGoneBack(setup);
  describeOrders(setup);
  describeEndings(setup);
  describeMonthlyReports(setup);
  describeHomes(setup);
  describeOutbox(setup);
  describeDrafts(setup);
  describeBaskets(setup);
}
