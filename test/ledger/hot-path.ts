import type { OpenLedger } from '../../src/ledger/open.ts';
import { BUSY, COMMON_CONTENT } from './grown.ts';
import { aPurchase, subjectOf } from './purchases.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of a policy without limits in dollars. */
const NO_DOLLARS = { priced: { kind: 'renew', productId: 'lt-monthly', basket: [] }, dollars: null } as const;

/** What is done again and again, whatever the ledger's age; by name. */
export const HOT_PATH: Readonly<Record<string, (opened: OpenLedger) => Promise<unknown>>> = {
  'filing, by somebody who has bought much': ({ ledger }) => {
    const purchase = aPurchase({ id: crypto.randomUUID(), requesterPerson: BUSY, submission: crypto.randomUUID() });
    return ledger.file(subjectOf(purchase), () => ({ result: null, file: { ...purchase, createdAt: Date.now() } }));
  },
  'a review of 25 rows': ({ ledger }) =>
    ledger.batchFilingFacts({
      submission: 'none',
      rows: Array.from({ length: 25 }, (_, n) => ({
        submission: `none ${n}`,
        contentKey: `renew ${n}`,
        requesterIds: [BUSY],
        orderId: null,
        ...NO_DOLLARS,
      })),
    }),
  'near-duplicates of what many have asked for': ({ ledger }) =>
    ledger.filingFacts({
      submission: 'none',
      contentKey: COMMON_CONTENT,
      requesterIds: ['U0NEW'],
      orderId: null,
      ...NO_DOLLARS,
    }),
  'what a decision rests on': ({ ledger }) =>
    ledger.open().then(([first]) => ledger.change(first?.id ?? '', () => ({ result: null, by: 'desk' }))),
  'what the buy form knows of its buyer': ({ ledger }) => ledger.buyerFacts([BUSY, 'W0BUSY']),
  '`/proxy requests`': ({ ledger }) => ledger.open(),
  '`/proxy orders`': ({ orders }) => orders.page({ which: 'running', endingWithinMs: 7 * DAY }, 0, 10),
  '`/proxy orders mine`': ({ orders }) =>
    orders.page({ which: 'running', endingWithinMs: 7 * DAY, owners: [BUSY] }, 0, 10),
  'a Home tab': ({ ledger, orders, homes }) =>
    Promise.all([
      ledger.outcomesOf([BUSY], 20),
      orders.page({ which: 'running', endingWithinMs: 1, owners: [BUSY] }, 0, 10),
      homes.lease(10, 1_000, 10),
    ]),
  'a look of the lane': ({ ledger, leases }) => Promise.all([ledger.lane(), leases.dueReadings(1_000)]),
  'the minute’s look at messages that stand': ({ outbox }) => outbox.redrawOpen(10 * MINUTE),
  'a look of the sweep': ({ ledger, outbox }) =>
    Promise.all([ledger.overdue(15_000), outbox.undecidedFor(0), outbox.leaseNotices(10, 1_000)]),
  'what stands beside a balance': ({ account }) =>
    Promise.all([
      account.first(),
      account.latest(),
      account.asOf(Date.now() - 7 * DAY),
      account.movements(Date.now() - DAY, Date.now()),
    ]),
  'a look at the account': ({ alerts, leases }) =>
    Promise.all([alerts.watch(() => null), leases.takeInterval(15 * MINUTE, 1_000)]),
  'orders that come to their end': ({ endings }) =>
    Promise.all([endings.between(Date.now(), Date.now() + HOUR), endings.kept(Date.now(), Date.now() + HOUR)]),
  'a message taken by Slack': async ({ outbox }) => {
    const notice = await outbox.noticeAt({ channel: 'C0APPROVALS', ts: 'P-500card' });
    if (notice) await outbox.noticeShown(notice, { channel: 'C0APPROVALS', ts: 'P-500card' }, 9);
  },
  'whose message a button is on': ({ outbox }) => outbox.noticeAt({ channel: 'C0APPROVALS', ts: 'P-500card' }),
};
