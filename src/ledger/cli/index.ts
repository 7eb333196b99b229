import { LedgerUnusable } from '../errors.ts';
import { type DatabaseConfig, type LedgerView, viewLedger } from '../open.ts';
import { readPurchases, readRecord, readRecordsInShort } from '../records.ts';
import { backUp } from '../sqlite/backup.ts';
import { type LedgerCommand, parseCommand, USAGE } from './arguments.ts';
import { csv, entryFields, jsonLine, purchaseFields, recordText, table } from './output.ts';

interface LedgerCommandDeps {
  readonly config: DatabaseConfig;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * `ledger list|show|export|backup`: looks at the ledger, beside a running bot or without one, and changes nothing in it.
 * @returns the exit code: 0, 1 when it could not be done, 2 when it was not understood.
 */
export async function runLedgerCommand(args: readonly string[], deps: LedgerCommandDeps): Promise<number> {
  const command = parseCommand(args);
  if ('problem' in command) {
    deps.stderr(`ledger: ${command.problem}\n\n${USAGE}`);
    return 2;
  }
  let view: LedgerView | undefined;
  try {
    view = await viewLedger(deps.config);
    deps.stdout(await run(command, view));
    return 0;
  } catch (error) {
    deps.stderr(`ledger: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof LedgerUnusable) deps.stderr(`${error.remedy}\n`);
    return 1;
  } finally {
    await view?.close();
  }
}

async function run(command: LedgerCommand, view: LedgerView): Promise<string> {
  switch (command.name) {
    case 'list': {
      const purchases = await readPurchases(view.sql, command.state, command.limit);
      return command.json ? purchases.map((purchase) => jsonLine(purchaseFields(purchase))).join('') : table(purchases);
    }
    case 'show': {
      const record = await readRecord(view.sql, command.id);
      if (!record) throw new Error(`there is no purchase ${command.id}`);
      if (!command.json) return recordText(record);
      return jsonLine({ ...purchaseFields(record.purchase), entries: record.entries.map(entryFields) });
    }
    case 'export':
      return csv(await readRecordsInShort(view.sql));
    case 'backup':
      await backUp(view.copyTo, command.file, Date.now);
      return '';
    default:
      return command satisfies never;
  }
}
