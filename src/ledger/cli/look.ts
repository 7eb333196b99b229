import type { DatabaseConfig } from '../place.ts';
import { type LedgerView, viewLedger } from '../view.ts';

/** Looks at one moment of a ledger that is there. */
export async function look<T>(config: DatabaseConfig, work: (view: LedgerView) => Promise<T>): Promise<T> {
  const view = await viewLedger(config);
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}
