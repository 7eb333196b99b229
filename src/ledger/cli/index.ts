import type { Plan } from '../../purchasing/model/policy.ts';
import type { KeepingPolicy } from '../../purchasing/rules/keeping.ts';
import { LedgerUnusable } from '../errors.ts';
import { type DatabaseConfig, placeOf } from '../place.ts';
import { readInShort } from '../records.ts';
import { type LedgerCommand, parseCommand } from './arguments.ts';
import { look, ReadEnough } from './look.ts';
import { backupText, purchaseCsv, purchaseLines, purchaseTable } from './output.ts';
import { saidTexts } from './said.ts';
import { selectPurchases } from './select.ts';
import { show } from './show.ts';
import { USAGE } from './usage.ts';

export interface LedgerCommandDeps {
  /** Read only where a ledger is needed: help is there also for whoever has set it wrong. */
  readonly config: DatabaseConfig;
  /** An address that was given as an argument. @throws with a sentence that says what is wrong with it and shows no password. */
  readonly readAddress: (text: string) => DatabaseConfig;
  /** Whose months are meant, as the policy has it. */
  readonly timeZone: () => Promise<string>;
  /** The plans of the policy, which an imported order is given by its product id. */
  readonly readPlans: () => Promise<readonly Plan[]>;
  readonly readStdin: () => Promise<Uint8Array>;
  /** An order whose end is as near as that is `ending`: as the policy has it. */
  readonly endingWithinMs: () => Promise<number>;
  /** What the policy says of orders that are kept; null where it cannot be read. */
  readonly keeping: () => Promise<KeepingPolicy | null>;
  /** Comes back when the text has been taken: whoever reads slowly is waited for. */
  readonly stdout: (text: string) => void | Promise<void>;
  readonly stderr: (text: string) => void | Promise<void>;
}

const DONE = 0;
const FAILED = 1;
const NOT_UNDERSTOOD = 2;

/**
 * What operators can do with the ledger without Slack, beside a running bot or without one. On standard output stands what was asked
 * for, and nothing else.
 * @returns the exit code.
 */
export async function runLedgerCommand(args: readonly string[], deps: LedgerCommandDeps): Promise<number> {
  const command = parseCommand(args, Date.now(), deps.readAddress);
  if ('problem' in command) {
    await deps.stderr(`ledger: ${command.problem}\n\n${USAGE}`);
    return NOT_UNDERSTOOD;
  }
  try {
    await run(command, deps);
    return DONE;
  } catch (error) {
    if (error instanceof ReadEnough) return DONE;
    await deps.stderr(`ledger: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof LedgerUnusable) await deps.stderr(`${error.remedy}\n`);
    return FAILED;
  }
}

/** What one command alone needs is loaded with it: a look at the purchases is to be quick. */
async function run(command: LedgerCommand, deps: LedgerCommandDeps): Promise<void> {
  switch (command.name) {
    case 'help':
      return print(deps, [USAGE]);
    case 'list': {
      const format = command.json ? purchaseLines : purchaseTable;
      return look(deps.config, ({ sql }) => print(deps, format(selectPurchases(sql, command.filter))));
    }
    case 'show':
      return look(deps.config, ({ sql }) => print(deps, show(sql, command)));
    case 'export':
      return look(deps.config, ({ sql }) =>
        print(deps, purchaseCsv(readInShort(sql, selectPurchases(sql, command.filter)))),
      );
    case 'orders': {
      const { orderTexts } = await import('./orders.ts');
      const endingWithinMs = await deps.endingWithinMs();
      return look(deps.config, ({ sql }) => print(deps, orderTexts(sql, command.format, endingWithinMs)));
    }
    case 'movements': {
      const { movementTexts } = await import('./movements.ts');
      return look(deps.config, ({ sql }) => print(deps, movementTexts(sql, command.json)));
    }
    case 'spend': {
      const { spendTexts } = await import('./spend.ts');
      const timeZone = await deps.timeZone();
      return look(deps.config, ({ sql }) => print(deps, spendTexts(sql, command.query, timeZone, command.format)));
    }
    case 'said':
      return look(deps.config, ({ sql }) => print(deps, saidTexts(sql, command.json)));
    case 'status': {
      const { COUNTED_ANEW, countsBy, readStatus } = await import('../status.ts');
      const { statusJson, statusText } = await import('./status.ts');
      return look(deps.config, async ({ sql }) => {
        const status = await readStatus(sql, countsBy(COUNTED_ANEW));
        await print(deps, [
          command.json ? statusJson(status, deps.config.kind) : statusText(status, placeOf(deps.config)),
        ]);
      });
    }
    case 'check':
      return look(deps.config, async ({ check }) => {
        await check();
        await deps.stderr(`${placeOf(deps.config)} is sound\n`);
      });
    case 'backup': {
      const { backUp } = await import('../sqlite/backup.ts');
      return look(deps.config, async ({ copyTo }) =>
        deps.stderr(backupText(await backUp(copyTo, command.file, Date.now))),
      );
    }
    case 'copy': {
      const { copyLedger } = await import('./copy/index.ts');
      return copyLedger(command.from ?? deps.config, command.to ?? deps.config, deps.stderr);
    }
    case 'import': {
      const { importOrders } = await import('./import.ts');
      return print(deps, [await importOrders(command, deps)]);
    }
    case 'freeze': {
      const { freeze } = await import('./freeze.ts');
      return freeze(deps.config, command.reason, deps.stderr);
    }
    case 'unfreeze': {
      const { unfreeze } = await import('./freeze.ts');
      return unfreeze(deps.config, deps.keeping, deps.stderr);
    }
    default:
      return command satisfies never;
  }
}

async function print({ stdout }: LedgerCommandDeps, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    try {
      await stdout(text);
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === 'EPIPE' ? new ReadEnough() : error;
    }
  }
}
