import { readDatabaseConfig } from '../../src/config/database.ts';
import { type LedgerCommandDeps, runLedgerCommand } from '../../src/ledger/cli/index.ts';
import type { DatabaseConfig } from '../../src/ledger/place.ts';
import { MONTHLY, YEARLY } from '../support/plan.ts';
import { HOUR } from './purchases.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The ledger command, as an operator would run it. */
export function ledgerCommand(config: DatabaseConfig, ...args: readonly string[]): Promise<Printed> {
  return ledgerCommandHeard({ config }, ...args);
}

/** With somebody who hears each text as it is printed, and is waited for. */
export async function ledgerCommandHeard(
  { config, stdout, stderr, ...given }: Pick<LedgerCommandDeps, 'config'> & Partial<LedgerCommandDeps>,
  ...args: readonly string[]
): Promise<Printed> {
  const printed = { out: '', err: '' };
  const code = await runLedgerCommand(args, {
    config,
    readAddress,
    timeZone: async () => 'UTC',
    readPlans: async () => [MONTHLY, YEARLY],
    readStdin: async () => new Uint8Array(),
    endingWithinMs: async () => 7 * 24 * HOUR,
    keeping: async () => ({ plans: [MONTHLY, YEARLY], reminders: { renewKeptBeforeMs: 3 * 24 * HOUR } }),
    ...given,
    stdout: async (text) => {
      await stdout?.(text);
      printed.out += text;
    },
    stderr: async (text) => {
      await stderr?.(text);
      printed.err += text;
    },
  });
  return { code, ...printed };
}

function readAddress(text: string): DatabaseConfig {
  const reading = readDatabaseConfig({ DATABASE_URL: text }, () => {
    throw new Error('no file is named');
  });
  if (!reading.ok) throw new Error(reading.problems.map(({ problem, remedy }) => `${problem}: ${remedy}`).join('; '));
  return reading.database;
}
