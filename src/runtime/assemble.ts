import { randomInt, randomUUID } from 'node:crypto';
import { spendChart } from '../../views/charts.ts';
import { homeView } from '../../views/home.ts';
import { renderNotice } from '../../views/notice.ts';
import { createCharts } from '../charts/index.ts';
import { awaitingPosts } from '../purchasing/awaiting-posts.ts';
import { BalanceAlerts } from '../purchasing/balance-alerts.ts';
import { BalanceInterval } from '../purchasing/balance-interval.ts';
import { Batches } from '../purchasing/batches.ts';
import { Delivery } from '../purchasing/deliver.ts';
import { deskStatus } from '../purchasing/desk-status.ts';
import { Reminding } from '../purchasing/end-reminders.ts';
import { FailedClicks } from '../purchasing/failed-clicks.ts';
import { HomePages } from '../purchasing/home-pages.ts';
import { Importing } from '../purchasing/importing.ts';
import { Keeping } from '../purchasing/keeping.ts';
import { Lane } from '../purchasing/lane.ts';
import { MonthlyReporting } from '../purchasing/monthly-reporting.ts';
import { OrderBook } from '../purchasing/order-book.ts';
import { Purchasing } from '../purchasing/purchasing.ts';
import { ReportFiles } from '../purchasing/report-files.ts';
import { SavedBaskets } from '../purchasing/saved-baskets.ts';
import { Spending } from '../purchasing/spending.ts';
import { Talk } from '../purchasing/talk.ts';
import { SlackDirectory } from '../slack/directory.ts';
import { troubleOf } from '../slack/errors.ts';
import { SlackFiles } from '../slack/files.ts';
import { homePublisher } from '../slack/home-publisher.ts';
import type { HandlerContext } from '../slack/listeners.ts';
import { SlackMessenger } from '../slack/messenger.ts';
import { SlackPeople } from '../slack/people.ts';
import { SlackSocket } from '../slack/socket.ts';
import type { Identity } from '../slack/startup.ts';
import { createApp } from './app.ts';
import { CutOff } from './cut-off.ts';
import { freezeWatch } from './journal.ts';
import type { Parts } from './parts.ts';
import { forPeople, shared } from './readings.ts';

/** What stands once Slack has said who the bot is. */
export interface Bot {
  readonly identity: Identity;
  readonly lane: Lane;
  readonly talk: Talk;
  readonly delivery: Delivery;
  readonly reminding: Reminding;
  readonly keeping: Keeping;
  readonly balanceInterval: BalanceInterval;
  readonly balanceAlerts: BalanceAlerts;
  readonly reporting: MonthlyReporting;
  readonly homePages: HomePages;
  readonly failedClicks: FailedClicks;
  readonly directory: SlackDirectory;
  /** Who may do what has changed, or may have. */
  readonly rightsChanged: () => Promise<void>;
  /** Resolves when everything that somebody has clicked or typed is done. */
  readonly listenersEnded: () => Promise<void>;
}

/** Puts the bot together; nothing of it runs yet. */
export function assemble(parts: Parts, identity: Identity): Bot {
  const {
    config,
    policy,
    log,
    clock,
    opened,
    vendor,
    client,
    logger,
    receiver,
    workers,
    stopping,
    ackWithinMs,
    traces,
    observer,
    instances,
    lastReading,
  } = parts;
  const { ledger, orders, account, alerts, reports, endings, leases, drafts, homes, baskets } = opened;
  const outbox = awaitingPosts(opened.outbox, clock);
  const directory = new SlackDirectory({
    client,
    get access() {
      return policy().access;
    },
    teamId: identity.teamId,
    clock,
    log,
  });
  const wake = () => workers.wake();
  const purchasing = new Purchasing({
    ledger,
    outbox,
    vendor: forPeople(shared(vendor, clock), clock, stopping),
    directory,
    policy,
    newId: newPurchaseId,
    wake,
  });
  const reminding = new Reminding({ endings, orders, outbox, ledger, directory, policy, clock, wake, stopping });
  const keeping = new Keeping({ endings, outbox, ledger, purchasing, policy, clock, log, wake, stopping });
  const batches = new Batches({ ledger, outbox, directory, policy, newId: newPurchaseId, newBatchId, wake });
  const talk = new Talk({ ledger, outbox, directory, policy, wake });
  const orderBook = new OrderBook({ orders, endings, ledger, directory, policy, wake });
  const people = new SlackPeople({ client, teamId: identity.teamId, clock });
  const importing = new Importing({ orders, directory, people, policy, wake });
  const spending = new Spending({ account, orders, ledger, directory, policy });
  const savedBaskets = new SavedBaskets({ baskets, directory });
  const lane = new Lane({
    ledger,
    leases,
    vendor,
    directory,
    policy,
    clock,
    log,
    newId: randomUUID,
    answerWithinMs: config.vendor.timeoutMs,
    vendorRefuses: (refused, call) => purchasing.vendorRefuses(refused, call),
  });
  const balanceInterval = new BalanceInterval({
    account,
    leases,
    vendor,
    policy,
    clock,
    answerWithinMs: config.vendor.timeoutMs,
    vendorRefuses: (refused, call) => purchasing.vendorRefuses(refused, call),
  });
  const balanceAlerts = new BalanceAlerts({ alerts, outbox, directory, policy, wake });
  const messenger = new SlackMessenger(client, identity.url);
  const reporting = new MonthlyReporting({
    reports,
    account,
    endings,
    orders,
    outbox,
    ledger,
    messenger,
    policy,
    clock,
  });
  const files = new SlackFiles(client);
  const charts = createCharts(log);
  const reportFiles = new ReportFiles({
    outbox,
    ledger,
    files,
    charts,
    reporting,
    drawSpend: spendChart,
    clock,
    log,
  });
  const delivery = new Delivery({
    ledger,
    outbox,
    endings,
    alerts,
    reporting,
    reportFiles,
    messenger,
    directory,
    policy,
    clock,
    log,
    draw: renderNotice,
    purchasing,
  });
  const homePages = new HomePages({
    homes,
    publisher: homePublisher(client),
    ledger,
    orders,
    directory,
    spare: () => directory.spare(),
    purchasing,
    policy,
    clock,
    log,
    draw: homeView,
    wake,
    stopping,
  });
  const context: HandlerContext = {
    purchasing,
    batches,
    talk,
    orderBook,
    reminding,
    balanceAlerts,
    homePages,
    importing,
    savedBaskets,
    spending,
    ledger,
    deskStatus: () => deskStatus({ status: opened.status, ledger, lastReading, me: () => instances.me }),
    messenger,
    files,
    charts,
    drafts,
    clock,
    log,
    newId: randomUUID,
  };
  const failedClicks = new FailedClicks(ledger);
  const { botId, botUserId } = identity;
  const rightsChanged = () => {
    directory.forget();
    return homePages.rightsChanged();
  };
  const { ended } = createApp({
    context,
    receiver,
    logger,
    slackApiUrl: config.slackApiUrl,
    client,
    acked: observer.acked,
    failedClicks,
    clicked: traces.clicked,
    bot: { token: config.slack.botToken, botId, botUserId },
    ackWithinMs,
    // Slack tells of all the workspace's groups.
    groupChanged: async (group) => {
      if (Object.values(policy().access).some((groups) => groups.includes(group))) await rightsChanged();
    },
  });
  return {
    identity,
    lane,
    talk,
    delivery,
    homePages,
    failedClicks,
    reminding,
    keeping,
    balanceInterval,
    balanceAlerts,
    reporting,
    directory,
    rightsChanged,
    listenersEnded: ended,
  };
}

/** Begins to do what is due. */
export function run(
  { log, clock, opened, client, receiver, workers, instances, slackWatch }: Parts,
  { lane, talk, delivery, homePages, failedClicks, reminding, keeping, balanceInterval, balanceAlerts, reporting }: Bot,
): void {
  opened.listen(() => workers.wake());
  workers.run('instances', () => instances.beat());
  const whoAmI = () => client.auth.test().then(() => undefined, troubleOf);
  workers.run('slack', () => slackWatch.look(whoAmI));
  const cutOff = receiver instanceof SlackSocket ? new CutOff({ instances, slack: receiver, clock, log }) : undefined;
  workers.run(
    'freeze',
    freezeWatch(opened.ledger, log, (readable) => cutOff?.look(readable)),
  );
  workers.run('send', () => lane.send());
  workers.run('read', () => lane.read());
  workers.run('interval', () => balanceInterval.read());
  workers.run('alerts', () => balanceAlerts.look());
  workers.run('thin', () => balanceInterval.thin());
  workers.run('sweep', () => lane.sweep());
  workers.run('remind', () => talk.remind());
  workers.run('orders', () => opened.orders.refresh());
  workers.run('endings', () => reminding.remind());
  workers.run('report', () => reporting.look());
  workers.run('keep', () => keeping.keep());
  workers.run('deliver', () => delivery.deliver());
  workers.run('home', () => homePages.refresh());
  workers.run('clicks', () => failedClicks.write());
}

/** Crockford's alphabet: no I, L, O or U, so that an id can be read out and typed on a phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8; // 2^40 ids

/** `P-7K3F9QMW`: short enough to say, too many to guess; the ledger refuses one that is taken. */
function newPurchaseId(): string {
  return `P-${randomLetters()}`;
}

function newBatchId(): string {
  return `B-${randomLetters()}`;
}

function randomLetters(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
