import type { Variables } from './variables.ts';

/** Slack's own; anything else is a stand-in on this machine. */
export const SLACK_API_URL = 'https://slack.com/api/';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const DEFAULT_DATABASE = 'sqlite:./data/desk.db';

/** The vendor's address, without a slash at the end, so that `/v2/…` can follow. */
export function readVendorUrl(variables: Variables): string | undefined {
  const key = 'PROXY_API_BASE_URL';
  const text = variables.text(key);
  if (text === undefined) return variables.note(key, 'is not set', "set the vendor's address, https://…");
  const url = parseUrl(text);
  if (url === null) return variables.note(key, 'is not a web address', "set the vendor's address, https://…");
  if (url.protocol !== 'https:' && !isLoopbackHttp(url))
    return variables.note(
      key,
      'is neither https nor http on this machine: the token would travel in clear',
      'use https://… (http only for 127.0.0.1, localhost or [::1])',
    );
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '')
    return variables.note(key, 'holds a user, password, query or fragment', 'leave only scheme, host, port and path');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Slack's tokens go to this address, so that only Slack or this machine may be named. */
export function readSlackApiUrl(variables: Variables): string {
  const key = 'SLACK_API_URL';
  const text = (variables.text(key) ?? SLACK_API_URL).replace(/\/*$/, '/');
  if (text === SLACK_API_URL) return text;
  const url = parseUrl(text);
  const sound = url !== null && isLoopbackHttp(url) && !/[?#@]/.test(text);
  if (!sound)
    variables.note(key, 'is not http on this machine', 'leave it out, except in tests: http://127.0.0.1:PORT/api/');
  return text;
}

/** `sqlite:` and a path, or a PostgreSQL address. The latter may hold a password, so that `DATABASE_URL_FILE` works too. */
export function readDatabase(variables: Variables): DatabaseConfig | undefined {
  const text = variables.textOrFile('DATABASE_URL') ?? DEFAULT_DATABASE;
  const key = variables.source('DATABASE_URL');
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length);
    if (isSqlitePath(path)) return { kind: 'sqlite', path };
    return variables.note(
      key,
      'names no file for SQLite (a database in memory would forget what was bought)',
      'use sqlite:./data/desk.db or sqlite:/var/lib/desk/desk.db, without options',
    );
  }
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) && !/\s/.test(text)) {
    if (travelsReadable(new URL(text)))
      variables.warnings.push(
        `${key}: the way to the database is not encrypted, or its server is not checked, and the vendor's answers with proxy logins ` +
          'travel on it; ?sslmode=verify-full (and &sslrootcert=… for an authority of your own) mends that',
      );
    return { kind: 'postgres', url: text };
  }
  return variables.note(
    key,
    'is neither sqlite: nor postgres://',
    'use sqlite:./data/desk.db or postgres://user:password@host/name',
  );
}

/** The password in a PostgreSQL address, as written and as decoded: logs could show either. */
export function databaseSecrets(database: DatabaseConfig): readonly string[] {
  if (database.kind === 'sqlite') return [];
  const url = new URL(database.url);
  const written = [url.password, ...url.searchParams.getAll('password')];
  return [...new Set([...written, ...written.map(decoded)])].filter((secret) => secret !== '');
}

function travelsReadable({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const local = host === '' || host.startsWith('/') || /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(host);
  return !local && !/^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
}

/** Three slashes are an address with an empty host; with two, the first folder would be taken for a host by some and not by others. */
function isSqlitePath(path: string): boolean {
  return path.trim() === path && !/[?#]|^:|^file:|^\/\/[^/]|\/$/.test(path) && path !== '';
}

function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
}

/** URL forgives blanks and control characters around and inside an address; people should not have to. */
function parseUrl(text: string): URL | null {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
