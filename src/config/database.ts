import { isLoopback } from '../loopback.ts';
import { nearest } from '../nearest.ts';
import type { ReadFile } from './files.ts';
import { type Environment, gather, suggestOf } from './given.ts';
import { fault, keyName, named, oneEach, type Problem, toProblem, UNKNOWN_KEY } from './problem.ts';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where nothing is set. */
export const USUAL_DATABASE = 'sqlite:./data/desk.db';

/** `sqlite:` and a path, or the address of a PostgreSQL. */
export function parseDatabase(text: string): DatabaseConfig | { readonly fault: string } {
  const [, path] = /^sqlite:(.*)$/s.exec(text) ?? [];
  const found = path === undefined ? postgresFault(text) : sqliteFault(path);
  if (found !== null) return { fault: found };
  return path === undefined ? { kind: 'postgres', url: text } : { kind: 'sqlite', path };
}

/** Three slashes are an address with an empty host; with two, the first folder would be taken for a host by some and not by others. */
function sqliteFault(path: string): string | null {
  if (path !== '' && path.trim() === path && !/[?#]|^:|^file:|^\/\/[^/]|\/$/.test(path)) return null;
  return fault(
    `${named(`sqlite:${path}`, 'no file for SQLite')} (a database in memory would forget what was bought)`,
    'use sqlite:./data/desk.db or sqlite:/var/lib/desk/desk.db, without options',
  );
}

/** What is special in an address and stands in a password as it is would end the password, the host or the whole address early. */
function postgresFault(text: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(text))
    return fault(
      'is neither sqlite: nor postgres://',
      'use sqlite:./data/desk.db or postgres://user:password@host/name',
    );
  const url = URL.parse(text);
  const readable =
    url !== null &&
    !/[\s#]/.test(text) &&
    (url.username !== '' || !text.includes('@')) &&
    [url.username, url.password].every((part) => decoded(part) !== null);
  if (!readable)
    return fault(
      'is not a readable address',
      'write postgres://user:password@host:port/name, and percent-encode the password: / is %2F, # is %23, ? is %3F, @ is %40, % is %25',
    );
  return optionFault(url.searchParams);
}

/** Whether the way is encrypted hangs on it: the driver takes one that it does not know for none. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const SSL_OPTIONS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

function optionFault(options: URLSearchParams): string | null {
  for (const name of options.keys()) {
    const meant = nearest(name, SSL_OPTIONS, 1);
    if (meant !== null && meant !== name) return fault(`has the option ${name}`, `did you mean ${meant}?`);
  }
  const modes = options.getAll('sslmode');
  if (modes.every((mode) => SSL_MODES.includes(mode))) return null;
  return fault('has an sslmode that is not known', `set one of ${SSL_MODES.join(', ')}`);
}

/** The password in a PostgreSQL address, as written and as decoded: logs could show either. */
export function databaseSecrets(config: DatabaseConfig): readonly string[] {
  if (config.kind === 'sqlite') return [];
  const url = new URL(config.url);
  const written = [url.password, ...url.searchParams.getAll('password')];
  return [...new Set([...written, ...written.map((secret) => decoded(secret) ?? secret)])].filter(
    (secret) => secret !== '',
  );
}

/** Could others read along, or pose as the database? */
export function travelsReadable(config: DatabaseConfig): boolean {
  if (config.kind === 'sqlite') return false;
  const { hostname, searchParams } = new URL(config.url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const local = host === '' || host.startsWith('/') || isLoopback(host);
  return !local && !/^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The database alone, for looking into the ledger where the rest is not set. Without a schema: to load and to make one is a good part of
 * what a short command takes.
 */
export function readDatabaseConfig(
  env: Environment,
  readFile: ReadFile,
):
  | { readonly ok: true; readonly database: DatabaseConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const given = gather(['DATABASE_URL'], env, readFile);
  const { DATABASE_URL: text = USUAL_DATABASE, ...misspelt } = given.values;
  const parsed = parseDatabase(text);
  const unknown = Object.keys(misspelt).map((key) => ({
    key: keyName(key),
    problem: UNKNOWN_KEY,
    remedy: suggestOf(['DATABASE_URL'])(key),
  }));
  const wrong = 'fault' in parsed ? [toProblem('DATABASE_URL', parsed.fault)] : [];
  const problems = oneEach([...wrong, ...unknown], given);
  return 'fault' in parsed || problems.length > 0 ? { ok: false, problems } : { ok: true, database: parsed };
}
