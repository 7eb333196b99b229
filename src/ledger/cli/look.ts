import { LedgerUnusable } from '../errors.ts';
import type { DatabaseConfig } from '../place.ts';
import { type LedgerView, viewLedger } from '../view.ts';

/** Whoever reads what is printed has seen enough, and closed the pipe: `list | head`. */
export class ReadEnough extends Error {}

/** Looks at one moment of a ledger that is there. */
export async function look<T>(config: DatabaseConfig, work: (view: LedgerView) => Promise<T>): Promise<T> {
  const view = await viewLedger(config);
  try {
    return await work(view);
  } catch (error) {
    throw perhapsForAge(error, view);
  } finally {
    await view.close();
  }
}

/** Statements are those of this version: what an older ledger has not is no fault of it. */
function perhapsForAge(error: unknown, { schema: { found, known } }: LedgerView): unknown {
  if (found === known || error instanceof LedgerUnusable || error instanceof ReadEnough) return error;
  return new LedgerUnusable(
    error instanceof Error ? error.message : String(error),
    `The ledger has schema ${found}, and this version's is ${known}: run the command of the version that wrote it, or start the bot of this one first, which brings it up to date.`,
  );
}
