import { runLedgerCommand } from '../../src/ledger/cli/index.ts';
import type { DatabaseConfig } from '../../src/ledger/open.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The ledger command, as an operator would run it. */
export async function ledgerCommand(config: DatabaseConfig, ...args: readonly string[]): Promise<Printed> {
  const printed = { out: '', err: '' };
  const code = await runLedgerCommand(args, {
    config,
    stdout: (text) => {
      printed.out += text;
    },
    stderr: (text) => {
      printed.err += text;
    },
  });
  return { code, ...printed };
}
