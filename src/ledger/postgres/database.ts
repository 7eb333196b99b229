import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, PoolClient } from 'pg';
import { inGroups } from '../groups.ts';
import type { Database, Sql } from '../sql.ts';
import { ALTER_MS, clientConfig, openAlteringPool, openPool, prepare, refuseForgetful } from './connection.ts';
import { CommitInDoubt, driven, PostgresTrouble, StatementsAtOnce } from './errors.ts';
import { identityExpression } from './identity.ts';
import { listen } from './listen.ts';
import { alone, postgresStatements, translator } from './statements.ts';

/** Somebody waits, and Slack wants its ack within 3 s: better a clear no than a late yes. The workers ask again by themselves. */
const GIVE_UP_AFTER_MS = 2_000;

/** What became of a commit is worth a longer wait: whoever does not learn it must take the worse for true. */
const DOUBT_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 50;

/** Looking alone: reads that are under way at once. More people than that at one moment take turns. */
const READERS = 4;

/** A connection that does not close must not keep the process from starting or ending. */
const CLOSE_WITHIN_MS = 2_000;

/** "PDSK" */
export const MIGRATION_LOCK = 0x5044534b;

interface PostgresOptions {
  /** This process, among all that write. */
  readonly writer: string;
  /** Only for tests: instead of the server's clock. */
  readonly now?: (() => number) | undefined;
  /** Runs in a transaction on another server or database than the ledger was last used on, before all else. */
  readonly moved: (sql: Sql, identity: string) => Promise<void>;
}

export interface Postgres extends Database {
  /** One transaction that changes the schema, alone among all processes. */
  alter<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** `wake` hears that another process may have written something: a hint. */
  listen(wake: () => void): void;
  /** Connects once. @throws where this server cannot be reached, or cannot keep a ledger. */
  arrive(): Promise<void>;
}

/** What the last statement of a beginning says; only the time, where the schema is altered. */
interface Begun {
  readonly now: number;
  readonly identity?: string;
  readonly home?: string | null;
  readonly fsync?: string;
}

const NOW = 'SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT) AS now';

/** By the server's clock, which all processes share. */
export async function serverNow(client: ClientBase): Promise<number> {
  return (await alone(client, () => client.query<{ now: number }>(NOW))).rows[0]?.now ?? 0;
}

/**
 * All writes of all processes take turns at this row. READ COMMITTED: what is read after it is what the one before has written.
 * Where it is, and whether that is a place to write to, each transaction asks anew: a pooler or a new primary may have led it elsewhere.
 */
const begin = (identity: string) => `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
  SELECT 1 FROM desk WHERE id = 1 FOR UPDATE;
  ${NOW}, ${identity} AS identity, (SELECT identity FROM home WHERE id = 1) AS home, current_setting('fsync') AS fsync,
    -- A server may be set up to answer before a commit is on disk; whatever is stricter than "on" stays.
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`;
// Replicas of the version before write meanwhile. Each of their writes begins at the desk: waited for there, none is amid its own when tables are
// counted and altered, and none holds what an alteration needs while it waits for another.
const BEGIN_ALTERING = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${ALTER_MS}; SET LOCAL lock_timeout = ${ALTER_MS};
  SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
  DO $$ BEGIN IF to_regclass('desk') IS NOT NULL THEN LOCK TABLE desk IN EXCLUSIVE MODE; END IF; END $$;
  ${NOW}`;

/**
 * PostgreSQL as the ledger's database. One connection writes, so that writes of one process stand in one queue and no crowd of
 * readers is before them.
 */
export function openPostgres(url: string, options: PostgresOptions): Postgres {
  const translate = translator();
  const name = `proxy-desk ${options.writer}`;
  const writers = openPool(url, name, 1);
  const readers = openPool(url, name, READERS);
  /** How a transaction begins on each connection. */
  const beginnings = new WeakMap<PoolClient, string>();
  const closing = new AbortController();
  const listening: Promise<void>[] = [];
  let nth = 0;

  /** The time is read once for all of a transaction, after its turn has come: so times rise in the order of the commits. */
  const statements = (client: PoolClient, begun: number | undefined, wrote?: () => void) => {
    const now = async () => options.now?.() ?? begun ?? (await serverNow(client));
    return postgresStatements(client, { translate, now, ...(wrote && { wrote }) });
  };

  /** Lends a connection. One that had trouble is never used again, whatever state it is in. */
  const borrow = async <T>(pool: typeof writers, use: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await driven(() => pool.connect());
    let sound = false;
    try {
      if (!beginnings.has(client)) {
        await prepare(client);
        beginnings.set(client, begin(await identityExpression(client)));
      }
      sound = true;
      return await use(client);
    } catch (error) {
      sound &&= !(error instanceof PostgresTrouble || error instanceof StatementsAtOnce);
      throw error;
    } finally {
      client.release(!sound);
    }
  };

  /** @returns the work's result, and whether it wrote anything; the transaction is still open. */
  const open = async <T>(
    client: PoolClient,
    work: (sql: Sql) => Promise<T>,
    beginning = beginnings.get(client) ?? '',
  ) => {
    const all = (await alone(client, () => client.query<Begun>(beginning))) as unknown as readonly { rows: Begun[] }[];
    const begun = all.at(-1)?.rows[0];
    let wrote = false;
    const sql = statements(client, begun?.now, () => {
      wrote = true;
    });
    try {
      refuseForgetful(begun?.fsync);
      if (begun?.identity !== undefined && begun.identity !== begun.home) await options.moved(sql, begun.identity);
      return { result: await work(sql), wrote };
    } catch (error) {
      if (!(error instanceof PostgresTrouble)) await driven(() => client.query('ROLLBACK'));
      throw error;
    }
  };

  const within = async <T>(client: PoolClient, work: (sql: Sql) => Promise<T>, beginning?: string): Promise<T> => {
    const { result } = await open(client, work, beginning);
    await alone(client, () => client.query('COMMIT'));
    return result;
  };

  /** Runs it again, on another connection, as long as the trouble may pass and nothing can have been written. */
  const again = async <T>(giveUpAt: number, action: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await action();
      } catch (error) {
        const passing = error instanceof PostgresTrouble && error.passing;
        if (!passing || performance.now() + AGAIN_AFTER_MS > giveUpAt || closing.signal.aborted) throw error;
        await sleep(AGAIN_AFTER_MS);
      }
    }
  };

  /** Until COMMIT is sent the server keeps nothing, so that trouble before it can be tried again. */
  const transaction = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    let mark: number | undefined;
    let done: { readonly result: T } | undefined;
    try {
      return await borrow(writers, async (client) => {
        const { result, wrote } = await open(client, work);
        done = { result };
        if (!wrote) {
          await alone(client, () => client.query('COMMIT'));
          return result;
        }
        nth += 1;
        mark = nth;
        await alone(client, () => client.query(`${marking(options.writer, nth)}; COMMIT`));
        return result;
      });
    } catch (error) {
      if (!done || !(error instanceof PostgresTrouble)) throw error;
      // Nothing was written: there is nothing to be in doubt about.
      if (mark === undefined) return done.result;
      if (await wasCommitted(mark)) return done.result;
      throw error;
    }
  };

  /**
   * A commit that was not answered may have been made all the same. The lock of the desk row is free only when the server has
   * ended that transaction, one way or the other: after it, the mark tells which.
   */
  const wasCommitted = async (mark: number): Promise<boolean> => {
    try {
      return await again(performance.now() + DOUBT_WITHIN_MS, () =>
        borrow(writers, (client) =>
          within(client, async (sql) => {
            const [row] = await sql.all('SELECT nth FROM commits WHERE writer = :writer', { writer: options.writer });
            return row?.['nth'] === mark;
          }),
        ),
      );
    } catch (error) {
      throw error instanceof PostgresTrouble ? new CommitInDoubt() : error;
    }
  };

  const writes = inGroups((work, giveUpAt) => again(giveUpAt, () => transaction(work)), {
    ms: GIVE_UP_AFTER_MS,
    tooLate: () => new PostgresTrouble(new Error('the database is too slow')),
  });

  return {
    write: (work) => writes.write(work),
    read: (work) =>
      again(performance.now() + GIVE_UP_AFTER_MS, () =>
        borrow(readers, (client) => work(statements(client, undefined))),
      ),
    async alter(work) {
      const alone = openAlteringPool(url, name);
      try {
        return await borrow(alone, (client) => within(client, work, BEGIN_ALTERING));
      } finally {
        await atMostAMoment([alone.end()]);
      }
    },
    listen(wake) {
      listening.push(listen(clientConfig(url, name), wake, closing.signal));
    },
    arrive: () => borrow(writers, async () => {}),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await writes.idle();
      await atMostAMoment([writers.end(), readers.end(), ...listening]);
    },
  };
}

function atMostAMoment(closing: readonly Promise<unknown>[]): Promise<unknown> {
  return Promise.race([Promise.all(closing), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
}

/** The writer's name is our own: no quotes, no statement of its own. */
function marking(writer: string, nth: number): string {
  if (!/^[\w-]+$/.test(writer)) throw new Error('not a name of a writer');
  return `INSERT INTO commits (writer, nth, at) VALUES ('${writer}', ${nth}, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT))
    ON CONFLICT (writer) DO UPDATE SET nth = excluded.nth, at = excluded.at`;
}
