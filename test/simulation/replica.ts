import type { WebClient } from '@slack/web-api';
import { createAlerts } from '../../src/ledger/alerts.ts';
import { createEndings } from '../../src/ledger/endings.ts';
import { createLeases } from '../../src/ledger/leases.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { createOrders } from '../../src/ledger/orders.ts';
import { createOutbox } from '../../src/ledger/outbox.ts';
import type { Database } from '../../src/ledger/sql.ts';
import { Batches } from '../../src/purchasing/batches.ts';
import { Delivery, type DrawNotice } from '../../src/purchasing/deliver.ts';
import { Reminding } from '../../src/purchasing/end-reminders.ts';
import { Keeping } from '../../src/purchasing/keeping.ts';
import { Lane } from '../../src/purchasing/lane.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { OrderBook } from '../../src/purchasing/order-book.ts';
import type { Clock } from '../../src/purchasing/ports/clock.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import type { Endings } from '../../src/purchasing/ports/endings.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import type { Orders } from '../../src/purchasing/ports/orders.ts';
import type { Vendor } from '../../src/purchasing/ports/vendor.ts';
import { Purchasing } from '../../src/purchasing/purchasing.ts';
import { Workers } from '../../src/runtime/workers.ts';
import { SlackDirectory } from '../../src/slack/directory.ts';
import { SlackMessenger } from '../../src/slack/messenger.ts';
import { ACCESS } from './people.ts';
import type { Life } from './scheduler.ts';
import { TEAM } from './slack.ts';
import { ANSWER_WITHIN_MS } from './vendor.ts';

/** Where a mutant puts itself between the product's parts; nothing of it is in the product. */
export interface Seams {
  /** SQL run on the new schema. */
  readonly schema?: string;
  readonly database?: (database: Database) => Database;
  readonly ledger?: (ledger: Ledger) => Ledger;
  readonly orders?: (orders: Orders) => Orders;
  /** @param process that asks */
  readonly endings?: (endings: Endings, process: string) => Endings;
  readonly vendor?: (vendor: Vendor, ledger: Ledger, clock: Clock) => Vendor;
  /** The directory that the lane asks. */
  readonly laneDirectory?: (directory: Directory) => Directory;
  /** The clock by which the lane measures how long it stood still. */
  readonly laneClock?: (clock: Clock) => Clock;
}

export interface ReplicaPorts {
  readonly life: Life;
  readonly database: Database;
  readonly vendor: Vendor;
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly policy: Policy;
  readonly seams: Seams;
  readonly unleased: boolean;
  readonly sides: Ledger['sides'];
  readonly directory?: Directory;
}

/** The product's parts, wired as `start.ts` wires them. */
export interface Replica {
  readonly life: Life;
  readonly policy: Policy;
  readonly purchasing: Purchasing;
  readonly batches: Batches;
  readonly orders: Orders;
  readonly orderBook: OrderBook;
  readonly keeping: Keeping;
  readonly reminding: Reminding;
  readonly lane: Lane;
  readonly workers: Workers;
  readonly delivery: Delivery;
  /** A change of groups was announced. */
  readonly forget: () => void;
  /** When the pass began that asks for rights just before sending. */
  readonly asked: { since: number };
}

export function buildReplica(ports: ReplicaPorts): Replica {
  const { life, policy, clock, log, client, newId, seams } = ports;
  const database = seams.database?.(ports.database) ?? ports.database;
  // Who has asked never changes: it makes no difference when that is read.
  const created = { ...createLedger(database), sides: ports.sides };
  const ledger = labelled(seams.ledger?.(created) ?? created, life);
  const outbox = labelled(createOutbox(database), life);
  const leased = createLeases(database);
  const leases = labelled(ports.unleased ? { ...leased, takeHead: async () => true } : leased, life);
  const vendor = seams.vendor?.(ports.vendor, ledger, clock) ?? ports.vendor;
  const slackDirectory = new SlackDirectory({ client, access: ACCESS, teamId: TEAM, clock, log });
  const directory = ports.directory ?? slackDirectory;
  const workers = new Workers({ clock, log, around: (_, pass) => pass });
  const wake = () => workers.wake();
  const purchasing = new Purchasing({ ledger, outbox, vendor, directory, policy: () => policy, newId, wake });
  const batches = new Batches({ ledger, outbox, directory, policy: () => policy, newId, newBatchId: newId, wake });
  const lane = new Lane({
    ledger,
    leases,
    vendor,
    directory: seams.laneDirectory?.(directory) ?? directory,
    policy: () => policy,
    clock: seams.laneClock?.(clock) ?? clock,
    log,
    newId,
    answerWithinMs: ANSWER_WITHIN_MS,
    vendorRefuses: (refused, call) => purchasing.vendorRefuses(refused, call),
  });
  const orders = labelled(seams.orders?.(createOrders(database)) ?? createOrders(database), life);
  const endingsHere = createEndings(database);
  const endings = labelled(seams.endings?.(endingsHere, life.process) ?? endingsHere, life);
  const { signal: stopping } = new AbortController();
  const shared = { ledger, outbox, endings, orders, directory, policy: () => policy, clock, log, wake, stopping };
  const orderBook = new OrderBook(shared);
  const keeping = new Keeping({ ...shared, purchasing });
  const reminding = new Reminding(shared);
  const messenger = new SlackMessenger(client, '');
  const delivery = new Delivery({
    ledger,
    outbox,
    endings,
    alerts: createAlerts(database),
    reporting: { report: noReports },
    reportFiles: { deliver: noReports },
    messenger,
    directory,
    policy: () => policy,
    clock,
    log,
    draw: drawn,
    purchasing,
  });
  return {
    life,
    policy,
    purchasing,
    batches,
    orders,
    orderBook,
    keeping,
    reminding,
    lane,
    workers,
    delivery,
    forget: () => slackDirectory.forget(),
    asked: { since: 0 },
  };
}

/** Its policies ask for none. */
function noReports(): Promise<never> {
  throw new Error('the simulation reports no month');
}

/** The loops of `start.ts`. */
export function startWorkers(replica: Replica, time: () => number): void {
  const { workers, lane, delivery } = replica;
  workers.run('send', () => {
    replica.asked.since = time();
    return lane.send();
  });
  workers.run('read', () => lane.read());
  workers.run('sweep', () => lane.sweep());
  workers.run('deliver', () => delivery.deliver());
  // In one loop: each look of its own would be another step.
  workers.run('orders', async () => {
    const reminded = await replica.reminding.remind();
    return (await replica.keeping.keep()) || reminded;
  });
}

/** What a message shows of its purchase, as little as the checks need. */
const drawn: DrawNotice = (notice, about) => {
  const purchases = about === null ? [] : 'rows' in about ? about.rows : [about.purchase];
  return { text: [notice.kind, notice.about ?? '', purchases.map(shownAs).join(', ')].join('/'), blocks: [] };
};

/** How a message shows where a purchase stands. */
export function shownAs({ id, state, version }: Pick<Purchase, 'id' | 'state' | 'version'>): string {
  return `${id} ${state} v${version}`;
}

/** Steps are named in the trace by the method that was called. */
function labelled<T extends object>(port: T, life: Life): T {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const [first] = args;
        life.label = `${String(name)}${typeof first === 'string' ? ` ${first}` : ''}`;
        const result: unknown = Reflect.apply(method, target, args);
        life.label = '';
        return result;
      };
    },
  });
}
