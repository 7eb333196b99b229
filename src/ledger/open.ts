import type { Account } from '../purchasing/ports/account.ts';
import type { Alerts } from '../purchasing/ports/alerts.ts';
import type { Baskets } from '../purchasing/ports/baskets.ts';
import type { Drafts } from '../purchasing/ports/drafts.ts';
import type { Endings } from '../purchasing/ports/endings.ts';
import type { Homes } from '../purchasing/ports/homes.ts';
import type { Instances } from '../purchasing/ports/instances.ts';
import type { Leases } from '../purchasing/ports/leases.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { MonthlyReports } from '../purchasing/ports/monthly-reports.ts';
import type { Orders } from '../purchasing/ports/orders.ts';
import type { Outbox } from '../purchasing/ports/outbox.ts';
import type { StatusReads } from '../purchasing/ports/status.ts';
import { createAccount } from './account.ts';
import { createAlerts } from './alerts.ts';
import { createBaskets } from './baskets.ts';
import { createDrafts } from './drafts.ts';
import { createEndings } from './endings.ts';
import { createHomes } from './homes.ts';
import { createInstances } from './instances.ts';
import { createLeases } from './leases.ts';
import { createLedger } from './ledger.ts';
import { createMonthlyReports } from './monthly-reports.ts';
import { createOrders } from './orders.ts';
import { createOutbox } from './outbox.ts';
import type { DatabaseConfig } from './place.ts';
import type { PostgresLedgerOptions } from './postgres/open.ts';
import type { Probe } from './probe.ts';
import type { Database } from './sql.ts';
import { openSqliteLedger, probeSqliteLedger } from './sqlite/open.ts';
import { createStatus } from './status.ts';

export interface OpenLedger {
  readonly ledger: Ledger;
  readonly orders: Orders;
  readonly account: Account;
  readonly alerts: Alerts;
  readonly reports: MonthlyReports;
  readonly endings: Endings;
  readonly outbox: Outbox;
  readonly leases: Leases;
  readonly homes: Homes;
  readonly drafts: Drafts;
  readonly baskets: Baskets;
  readonly instances: Instances;
  readonly status: StatusReads;
  readonly database: Database;
  /** `wake` hears that another process may have written something: a hint, which may come late or never. */
  readonly listen: (wake: () => void) => void;
  readonly close: () => Promise<void>;
}

/** A supervisor starts the bot again anyway, and says so where people look. */
const PATIENCE_MS = 5_000;

/**
 * Opens the ledger and brings its schema up to date.
 * @param now only for tests: instead of the machine's clock or the database server's.
 * @throws {LedgerUnusable} with a remedy, when what is there cannot serve.
 */
export async function openLedger(
  config: DatabaseConfig,
  now?: () => number,
  options: Partial<PostgresLedgerOptions> = {},
): Promise<OpenLedger> {
  if (config.kind === 'sqlite') {
    // Nothing tells that another process has written: it is found by looking.
    return ready(parts(await openSqliteLedger(config.path, now ?? Date.now, options.warn ?? (() => {})), () => {}));
  }
  const all = { writer: crypto.randomUUID(), warn: () => {}, patienceMs: PATIENCE_MS, ...options };
  const { openPostgresLedger } = await postgres();
  const database = await openPostgresLedger(config.url, now, all);
  return ready(parts(database, (wake) => database.listen(wake)));
}

/** The order book tells of all that the ledger holds from the first moment on, also after a migration. */
async function ready(opened: OpenLedger): Promise<OpenLedger> {
  while (await opened.orders.refresh());
  return opened;
}

function parts(database: Database, listen: OpenLedger['listen']): OpenLedger {
  return {
    ledger: createLedger(database),
    orders: createOrders(database),
    account: createAccount(database),
    alerts: createAlerts(database),
    reports: createMonthlyReports(database),
    endings: createEndings(database),
    outbox: createOutbox(database),
    leases: createLeases(database),
    homes: createHomes(database),
    drafts: createDrafts(database),
    baskets: createBaskets(database),
    instances: createInstances(database),
    status: createStatus(database),
    database,
    listen,
    close: () => database.close(),
  };
}

/** @throws {LedgerUnusable} with a remedy, when what is there could not serve. */
export async function probeLedger(config: DatabaseConfig): Promise<Probe> {
  if (config.kind === 'sqlite') return probeSqliteLedger(config.path);
  const { probePostgresLedger } = await postgres();
  return probePostgresLedger(config.url);
}

/** The driver is loaded only where it is used. */
function postgres() {
  return import('./postgres/open.ts');
}
