import { parseArgs } from 'node:util';
import { STATES, type State } from '../../purchasing/model/purchase.ts';

export type LedgerCommand =
  | { readonly name: 'list'; readonly json: boolean; readonly state: State | null; readonly limit: number | null }
  | { readonly name: 'show'; readonly id: string; readonly json: boolean }
  | { readonly name: 'export' }
  | { readonly name: 'backup'; readonly file: string };

export const USAGE = `Usage: npm run --silent ledger -- COMMAND

  list [--json] [--state STATE] [--limit N]  purchases, oldest first; of many, the newest N
  show ID [--json]                           a purchase with its entries and the vendor's raw answer
  export                                     all purchases as CSV
  backup FILE                                a copy to restore from; spending on it is frozen

States: ${STATES.join(', ')}
`;

/** @returns what is wrong, where it is not understood. */
export function parseCommand(args: readonly string[]): LedgerCommand | { readonly problem: string } {
  const [name = '', ...rest] = args;
  try {
    switch (name) {
      case 'list': {
        const { values } = parseArgs({
          args: rest,
          options: { json: { type: 'boolean' }, state: { type: 'string' }, limit: { type: 'string' } },
        });
        return list(values);
      }
      case 'show': {
        const { values, positionals } = parseArgs({
          args: rest,
          allowPositionals: true,
          options: { json: { type: 'boolean' } },
        });
        return one(positionals, 'ID', (id) => ({ name, id, json: values.json ?? false }));
      }
      case 'export':
        parseArgs({ args: rest });
        return { name };
      case 'backup':
        return one(parseArgs({ args: rest, allowPositionals: true }).positionals, 'FILE', (file) => ({ name, file }));
      default:
        return { problem: name === '' ? 'no command' : `no such command: ${name}` };
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function list(values: {
  json?: boolean;
  state?: string;
  limit?: string;
}): LedgerCommand | { readonly problem: string } {
  const state = STATES.find((known) => known === values.state) ?? null;
  if (values.state !== undefined && state === null) return { problem: `no such state: ${values.state}` };
  if (values.limit !== undefined && !/^[1-9]\d{0,8}$/.test(values.limit))
    return { problem: `--limit is not a number of purchases: ${values.limit}` };
  return {
    name: 'list',
    json: values.json ?? false,
    state,
    limit: values.limit === undefined ? null : Number(values.limit),
  };
}

function one(
  positionals: readonly string[],
  what: string,
  command: (value: string) => LedgerCommand,
): LedgerCommand | { readonly problem: string } {
  const [value] = positionals;
  return value && positionals.length === 1 ? command(value) : { problem: `exactly one ${what} is wanted` };
}
