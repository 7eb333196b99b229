import { afterCrowd } from '../turns.ts';
import type { Database, Flush, Sql } from './sql.ts';

type Work<T> = (sql: Sql) => Promise<T>;

/** A write that waits for its turn, and whoever waits for it. */
interface Waiting {
  readonly work: Work<unknown>;
  readonly flush: Flush;
  /** By performance.now(). */
  readonly giveUpAt: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** So many share a way to the disk at most: the first of them waits for the work of all. */
const TOGETHER_AT_MOST = 20;

interface Groups {
  readonly write: Database['write'];
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

interface Patience {
  readonly ms: number;
  /** What whoever had no turn by then is told. */
  readonly tooLate: () => Error;
}

/**
 * Group commit: those who ask in the same moment, or while a transaction is under way, share the next one, in the order in which they
 * asked. Each sees what those before it have written, and nobody hears of a result before it is committed: all are flushed where one of
 * them has to be. Where the work of one throws, nothing is kept of any, and each is done again by itself.
 * @param transaction runs the work in one, whole or not at all; not after `giveUpAt`, by performance.now()
 */
export function inGroups(
  transaction: <T>(work: Work<T>, giveUpAt: number, flush: Flush) => Promise<T>,
  patience: Patience = { ms: Number.POSITIVE_INFINITY, tooLate: () => new Error('too late') },
): Groups {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const commit = async (all: readonly Waiting[]): Promise<void> => {
    const { late = [], timely: group = [] } = Object.groupBy(all, ({ giveUpAt }) =>
      performance.now() > giveUpAt ? 'late' : 'timely',
    );
    for (const { reject } of late) reject(patience.tooLate());
    const [first] = group;
    if (!first) return;
    let threw = false;
    const together = async (sql: Sql) => {
      const found: unknown[] = [];
      threw = true;
      for (const { work } of group) found.push(await work(sql));
      threw = false;
      return found;
    };
    const flush = group.some((one) => one.flush === 'now') ? 'now' : 'later';
    try {
      const results = await transaction(together, first.giveUpAt, flush);
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      // What the commit itself throws holds for all: it may have been made all the same, and is never made twice.
      if (threw && group.length > 1) for (const one of group) await commit([one]);
      else for (const { reject } of group) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Whoever asks in this very moment shares it too; and so on, as long as somebody does and there is room.
      await afterCrowd(() => Math.min(waiting.length, TOGETHER_AT_MOST));
      await commit(waiting.splice(0, TOGETHER_AT_MOST));
    }
    running = undefined;
  };

  return {
    write<T>(work: Work<T>, flush: Flush = 'now') {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const giveUpAt = performance.now() + patience.ms;
      waiting.push({ work, flush, giveUpAt, resolve: resolve as Waiting['resolve'], reject });
      running ??= run();
      return promise;
    },
    idle: async () => running,
  };
}
