import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, PoolClient } from 'pg';
import { inGroups } from '../groups.ts';
import type { Database, Sql } from '../sql.ts';
import { type Begun, type Brackets, bracketsOf, NOW } from './brackets.ts';
import { ALTER_MS, clientConfig, openAlteringPool, openPool, prepare, refuseForgetful } from './connection.ts';
import { CommitInDoubt, driven, PostgresTrouble, StatementsAtOnce } from './errors.ts';
import { identityExpression } from './identity.ts';
import { type Kept, keptStatements } from './kept.ts';
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

/** By the server's clock, which all processes share. */
export async function serverNow(client: ClientBase): Promise<number> {
  return (await alone(client, () => client.query<{ now: number }>(NOW))).rows[0]?.now ?? 0;
}

// Replicas of the version before write meanwhile. Each of their writes begins at the desk: waited for there, none is amid its own when tables are
// counted and altered, and none holds what an alteration needs while it waits for another.
const BEGIN_ALTERING = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${ALTER_MS}; SET LOCAL lock_timeout = ${ALTER_MS};
  SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
  DO $$ BEGIN IF to_regclass('desk') IS NOT NULL THEN LOCK TABLE desk IN EXCLUSIVE MODE; END IF; END $$;
  ${NOW}`;

/** What a statement means changes with the schema, in the middle of the transaction. */
const KEEPING_NOTHING: Kept['nameOf'] = () => undefined;

/**
 * PostgreSQL as the ledger's database. One connection writes, so that writes of one process stand in one queue and no crowd of
 * readers is before them.
 */
export function openPostgres(url: string, options: PostgresOptions): Postgres {
  const translate = translator();
  const name = `proxy-desk ${options.writer}`;
  const writers = openPool(url, name, 1);
  const readers = openPool(url, name, READERS);
  const kept = keptStatements();
  /** Of each connection. */
  const brackets = new WeakMap<PoolClient, Brackets>();
  const closing = new AbortController();
  const listening: Promise<void>[] = [];
  let nth = 0;

  /** The time is read once for all of a transaction, after its turn has come: so times rise in the order of the commits. */
  const statements = (client: PoolClient, nameOf: Kept['nameOf'], begun?: number, wrote?: () => void) => {
    const now = async () => options.now?.() ?? begun ?? (await serverNow(client));
    return postgresStatements(client, { translate, now, nameOf, ...(wrote && { wrote }) });
  };

  /** Lends a connection. One that had trouble is never used again, whatever state it is in. */
  const borrow = async <T>(
    pool: typeof writers,
    use: (client: PoolClient, its: Brackets) => Promise<T>,
  ): Promise<T> => {
    const client = await driven(() => pool.connect());
    let sound = false;
    try {
      let its = brackets.get(client);
      if (!its) {
        await prepare(client);
        its = bracketsOf(await identityExpression(client), options.writer, kept);
        brackets.set(client, its);
      }
      sound = true;
      return await use(client, its);
    } catch (error) {
      sound &&= !(error instanceof PostgresTrouble || error instanceof StatementsAtOnce);
      if (error instanceof PostgresTrouble) kept.heard(error.code);
      throw error;
    } finally {
      client.release(!sound);
    }
  };

  /** @returns the work's result, and whether it wrote anything; the transaction is still open. */
  const open = async <T>(
    client: PoolClient,
    beginning: string,
    work: (sql: Sql) => Promise<T>,
    nameOf = kept.nameOf,
  ) => {
    const all = (await alone(client, () => client.query<Begun>(beginning))) as unknown as readonly { rows: Begun[] }[];
    const begun = all.at(-1)?.rows[0];
    let wrote = false;
    const sql = statements(client, nameOf, begun?.now, () => {
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

  const within = async <T>(
    client: PoolClient,
    beginning: string,
    work: (sql: Sql) => Promise<T>,
    nameOf = kept.nameOf,
  ): Promise<T> => {
    const { result } = await open(client, beginning, work, nameOf);
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
      return await borrow(writers, async (client, { begin, end }) => {
        const { result, wrote } = await open(client, begin(), work);
        done = { result };
        if (!wrote) {
          await alone(client, () => client.query('COMMIT'));
          return result;
        }
        nth += 1;
        mark = nth;
        await alone(client, () => client.query(end(nth)));
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
        borrow(writers, (client, { begin }) =>
          within(client, begin(), async (sql) => {
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
        borrow(readers, (client) => work(statements(client, kept.nameOf))),
      ),
    async alter(work) {
      const alone = openAlteringPool(url, name);
      try {
        return await borrow(alone, (client) => within(client, BEGIN_ALTERING, work, KEEPING_NOTHING));
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
