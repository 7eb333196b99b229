import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parseSpend } from '../../input/spend.ts';
import type { SpendQuery } from '../../purchasing/model/spend.ts';
import type { DatabaseConfig } from '../place.ts';
import { FILTER_OPTIONS, type Filter, readFilter } from './filter.ts';
import type { OrdersFormat } from './orders.ts';
import type { SpendFormat } from './spend.ts';

export type LedgerCommand =
  | { readonly name: 'help' }
  | { readonly name: 'list'; readonly json: boolean; readonly filter: Filter }
  | { readonly name: 'show'; readonly id: string; readonly json: boolean }
  | { readonly name: 'export'; readonly filter: Filter }
  | { readonly name: 'orders'; readonly format: OrdersFormat }
  | { readonly name: 'movements'; readonly json: boolean }
  | { readonly name: 'spend'; readonly query: SpendQuery; readonly format: SpendFormat }
  | { readonly name: 'said'; readonly json: boolean }
  | { readonly name: 'status'; readonly json: boolean }
  | { readonly name: 'check' }
  | { readonly name: 'backup'; readonly file: string }
  /** Null is the ledger of the settings. */
  | { readonly name: 'copy'; readonly from: DatabaseConfig | null; readonly to: DatabaseConfig | null }
  /** `-` is standard input. */
  | { readonly name: 'import'; readonly file: string; readonly dryRun: boolean }
  | { readonly name: 'freeze'; readonly reason: string }
  | { readonly name: 'unfreeze' };

export type Misunderstood = { readonly problem: string };

type ReadAddress = (text: string) => DatabaseConfig;

const JSON_OPTION = { json: { type: 'boolean' } } as const;

/** @param now milliseconds since 1970, for times that are given as ages. */
export function parseCommand(
  args: readonly string[],
  now: number,
  readAddress: ReadAddress,
): LedgerCommand | Misunderstood {
  const [name = 'help', ...rest] = args;
  if ([name, ...rest].some((word) => word === '--help' || word === '-h')) return { name: 'help' };
  try {
    return name === 'copy' ? copy(rest, readAddress) : read(name, rest, now);
  } catch (error) {
    // An address may hold a password.
    const problem = error instanceof Error ? error.message : String(error);
    return { problem: problem.replace(/\w+:\/\/(?!user:password@host|:\s)\S+/g, '…') };
  }
}

function read(name: string, args: readonly string[], now: number): LedgerCommand {
  switch (name) {
    case 'help':
      return { name };
    case 'list': {
      const { values, positionals } = parse(args, { ...JSON_OPTION, ...FILTER_OPTIONS });
      nothing(positionals, name);
      return { name, json: values.json ?? false, filter: readFilter(values, now) };
    }
    case 'show': {
      const { values, positionals } = parse(args, JSON_OPTION);
      return { name, id: one(positionals, 'show wants one ID, of a purchase or an order'), json: values.json ?? false };
    }
    case 'export': {
      const { values, positionals } = parse(args, FILTER_OPTIONS);
      nothing(positionals, name);
      return { name, filter: readFilter(values, now) };
    }
    case 'orders': {
      const { format, positionals } = formatted(args, name);
      nothing(positionals, name);
      return { name, format };
    }
    case 'spend': {
      const { format, positionals } = formatted(args, name);
      const reading = parseSpend(positionals.flatMap((words) => words.split(/\s+/)));
      if (!reading.ok)
        throw new Error(
          `spend does not take ${reading.token}: this month, last month, 90d or a month like 2026-11, and by person, plan or country`,
        );
      return { name, query: reading.query, format };
    }
    case 'movements':
    case 'said':
    case 'status': {
      const { values, positionals } = parse(args, JSON_OPTION);
      nothing(positionals, name);
      return { name, json: values.json ?? false };
    }
    case 'backup':
      return { name, file: backupFile(one(parse(args, {}).positionals, 'backup wants one FILE')) };
    case 'import': {
      const { values, positionals } = parse(args, { 'dry-run': { type: 'boolean' } });
      const file = one(positionals, 'import wants one FILE, or - for standard input');
      return { name, file, dryRun: values['dry-run'] ?? false };
    }
    case 'freeze':
      return { name, reason: freezeReason(parse(args, {}).positionals) };
    case 'check':
    case 'unfreeze':
      nothing(parse(args, {}).positionals, name);
      return { name };
    default:
      throw new Error(`there is no command ${name}`);
  }
}

function copy(args: readonly string[], readAddress: ReadAddress): LedgerCommand {
  const { values, positionals } = parse(args, { from: { type: 'string' }, to: { type: 'string' } });
  nothing(positionals, 'copy');
  if (values.from === undefined && values.to === undefined)
    throw new Error('copy wants --from, --to or both; the one that is not given is DATABASE_URL');
  const address = (option: 'from' | 'to'): DatabaseConfig | null => {
    const text = values[option];
    if (text === undefined) return null;
    try {
      return readAddress(text);
    } catch (error) {
      throw new Error(`--${option} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
  return { name: 'copy', from: address('from'), to: address('to') };
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: Options) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

function formatted(args: readonly string[], name: string) {
  const { values, positionals } = parse(args, { ...JSON_OPTION, csv: { type: 'boolean' } });
  if (values.json && values.csv) throw new Error(`${name} takes --json or --csv, not both`);
  return { positionals, format: values.json ? 'json' : values.csv ? 'csv' : 'table' } as const;
}

function nothing(positionals: readonly string[], command: string): void {
  const [extra] = positionals;
  if (extra !== undefined) throw new Error(`${command} does not take ${extra}: what follows it begins with --`);
}

function one(positionals: readonly string[], otherwise: string): string {
  const [value] = positionals;
  if (!value || positionals.length > 1) throw new Error(otherwise);
  return value;
}

/** A sentence need not be in quotes. */
function freezeReason(words: readonly string[]): string {
  const reason = words.join(' ').trim();
  if (reason === '') throw new Error('freeze wants a reason, which everybody sees whom it concerns');
  return reason;
}

/** A file is whole as soon as it has its name; what comes out of a pipe may be half of it. */
function backupFile(file: string): string {
  if (file === '-')
    throw new Error('backup does not write to standard output, only to a file: name one, such as backup-of-desk.db');
  return file;
}
