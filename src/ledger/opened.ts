import type { Drafts } from '../purchasing/ports/drafts.ts';
import type { Instances } from '../purchasing/ports/instances.ts';
import type { Leases } from '../purchasing/ports/leases.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { Outbox } from '../purchasing/ports/outbox.ts';
import type { Database, Sql } from './sql.ts';

export interface OpenLedger {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly leases: Leases;
  readonly drafts: Drafts;
  readonly instances: Instances;
  readonly database: Database;
  /** `wake` hears that another process may have written something: a hint, which may come late or never. */
  readonly listen: (wake: () => void) => void;
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  /** This process, among all that write. */
  readonly writer: string;
  /** Hears what those who run the bot must know of the database, at start and later. */
  readonly warn: (what: string) => void;
  /** A server that is not reached is tried for so long. */
  readonly patienceMs: number;
}

/** One moment of the ledger, for looking at beside a running bot: nothing is created, migrated or written. */
export interface LedgerView {
  readonly sql: Sql;
  /** Writes a consistent copy of all that is committed into a file that is empty or not there; `sql` is not used after it. */
  readonly copyTo: (file: string) => void;
  readonly close: () => Promise<void>;
}
