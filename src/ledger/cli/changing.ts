import type { Freeze } from '../../purchasing/model/freeze.ts';
import { readFreeze } from '../changes.ts';
import { type OpenLedger, openLedger } from '../open.ts';
import type { DatabaseConfig } from '../place.ts';
import { look } from './look.ts';

export type Say = (text: string) => void | Promise<void>;

/** Opens the ledger as the bot does, with all its guards, and only one that is there: none is begun. @param work gets the freeze of before. */
export async function changing<T>(
  config: DatabaseConfig,
  say: Say,
  work: (opened: OpenLedger, seen: Freeze | null) => Promise<T>,
): Promise<T> {
  const seen = await look(config, ({ sql }) => readFreeze(sql));
  const warnings: string[] = [];
  const opened = await openLedger(config, undefined, { warn: (what) => warnings.push(what) });
  try {
    for (const warning of warnings) await say(`${warning}\n`);
    return await work(opened, seen);
  } finally {
    await opened.close();
  }
}
