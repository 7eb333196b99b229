import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Database, Sql } from '../../src/ledger/sql.ts';
import { sqliteStatements } from '../../src/ledger/sqlite/statements.ts';
import { type Choices, weighed } from './choices.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** Trouble that the simulation makes on purpose: the product may throw it on, and nothing else. */
export class Injected extends Error {
  override readonly name = 'Injected';
}

const MIGRATIONS = new URL('../../src/ledger/migrations/sqlite/', import.meta.url);
const SCHEMA = readdirSync(MIGRATIONS)
  .sort()
  .map((name) => readFileSync(new URL(name, MIGRATIONS), 'utf8'))
  .join('\n');

export interface Shared {
  readonly connection: DatabaseSync;
  readonly sql: Sql;
  /** Beside the product's own statements; prepared once. */
  rows(statement: string, ...values: readonly (string | number)[]): readonly Record<string, SQLOutputValue>[];
  close(): void;
}

interface Memory extends Omit<Shared, 'close'> {
  now: () => number;
}

/** Making the schema takes longer than a short run: a memory is used again when its run has ended. */
const idle = new Map<string, Memory[]>();

/**
 * The real schema and the real statements, in memory, shared by all simulated processes. The whole run is one transaction that is
 * rolled back in the end, and its own transactions are savepoints in it.
 * @param change SQL run on the new schema
 */
export function openShared(now: () => number, change = ''): Shared {
  const memory = idle.get(change)?.pop() ?? newMemory(change);
  memory.now = now;
  memory.connection.exec('BEGIN');
  return {
    connection: memory.connection,
    sql: memory.sql,
    rows: memory.rows,
    close() {
      memory.connection.exec('ROLLBACK');
      idle.set(change, [...(idle.get(change) ?? []), memory]);
    },
  };
}

function newMemory(change: string): Memory {
  const connection = new DatabaseSync(':memory:');
  connection.exec(`PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; ${SCHEMA} ${change}`);
  const prepared = new Map<string, StatementSync>();
  const memory: Memory = {
    connection,
    now: () => 0,
    sql: sqliteStatements(connection, () => memory.now()),
    rows(text, ...values) {
      const statement = prepared.get(text) ?? connection.prepare(text);
      prepared.set(text, statement);
      return statement.all(...values);
    },
  };
  return memory;
}

export interface DatabaseDeps {
  readonly shared: Shared;
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  readonly life: Life;
  readonly calm: () => boolean;
  /** The next transaction fails; asking ends it. */
  readonly locked: () => boolean;
  /** The next transaction commits, and its process is not told; asking ends it. */
  readonly unheard: () => boolean;
  readonly committed: () => void;
  /** That a transaction is committed is heard at a step of its own. */
  readonly slowCommits: boolean;
}

/** What may happen to a transaction beside going well. `lost`: committed, and the client is told of an error. */
const FATES = { commits: 975, fails: 12, dies_within: 2, dies_after: 3, lost: 8 };

/**
 * The database as one process has it. Each transaction is one step, since no two of them overlap; of a read, which locks nothing,
 * each statement is one.
 */
export function simulatedDatabase(deps: DatabaseDeps): Database {
  const { shared, scheduler, choices, life } = deps;
  return {
    read: (work) => work(inSteps(life.label)),
    async write(work) {
      const { label } = life;
      const result = await scheduler.wait(life, `writes ${label}`, () => transaction(work));
      return deps.slowCommits ? scheduler.wait(life, `hears of ${label}`, () => result) : result;
    },
    close: async () => {},
  };

  /** What was read by one statement may have changed before the next. */
  function inSteps(label: string): Sql {
    const { sql } = shared;
    const step = <R>(statement: () => Promise<R>) =>
      scheduler.wait(life, `reads ${label}`, () => {
        if (!deps.calm() && choices.pick('read fails', [997, 3]) === 1)
          throw new Injected('the database cannot be read');
        return statement();
      });
    return {
      now: async () => scheduler.glance(life, await sql.now()),
      all: (text, params) => step(() => sql.all(text, params)),
      run: (text, params) => step(() => sql.run(text, params)),
      script: (text) => step(() => sql.script(text)),
    };
  }

  async function transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const fate = deps.calm() ? 'commits' : weighed(choices, 'the transaction', FATES);
    if (fate === 'fails' || deps.locked()) throw new Injected('the database is locked');
    const { connection } = shared;
    connection.exec('SAVEPOINT step');
    let result: T;
    try {
      if (fate === 'dies_within') {
        await runUntil(1 + choices.pick('statements before the end', [1, 1, 1, 1, 1, 1]), work);
        return die('within a transaction');
      }
      result = await work(shared.sql);
      connection.exec('RELEASE step');
    } catch (error) {
      connection.exec('ROLLBACK TO step; RELEASE step');
      throw error;
    }
    deps.committed();
    if (fate === 'dies_after') return die('after a commit');
    if (fate === 'lost' || deps.unheard()) throw new Injected('the connection was cut at commit');
    return result;
  }

  /** Runs so many statements of it, and never comes back from the next. */
  async function runUntil<T>(statements: number, work: (sql: Sql) => Promise<T>): Promise<void> {
    const over = Promise.withResolvers<void>();
    let left = statements;
    const unlessOver = <R>(statement: () => Promise<R>): Promise<R> => {
      left -= 1;
      if (left >= 0) return statement();
      over.resolve();
      return new Promise<R>(() => {});
    };
    const { sql } = shared;
    const dying: Sql = {
      now: () => sql.now(),
      all: (text, params) => unlessOver(() => sql.all(text, params)),
      run: (text, params) => unlessOver(() => sql.run(text, params)),
      script: (text) => unlessOver(() => sql.script(text)),
    };
    await Promise.race([work(dying), over.promise]);
  }

  /** Nobody is left to hear of the error. */
  function die(when: string): never {
    scheduler.note(life.name, `dies ${when}`);
    scheduler.kill(life.process);
    throw new Injected('the process died');
  }
}
