import { z } from 'zod';
import { isLoopback } from '../loopback.ts';
import { nearest } from '../nearest.ts';
import { fault, named, wrong } from './problem.ts';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const VENDOR_REMEDY = "set the vendor's address, https://…";

/** The vendor's address, without a slash at the end, so that `/v2/…` can follow. */
export const vendorUrl = () =>
  z
    .string(fault('is not set', VENDOR_REMEDY))
    .refine(isWebAddress, { abort: true, ...wrong('not a web address', VENDOR_REMEDY) })
    .refine(
      (text) => text.startsWith('https:') || isLoopbackHttp(text),
      wrong(
        'neither https nor http on this machine (the token would travel in clear)',
        'use https://… (http only for 127.0.0.1, localhost or [::1])',
      ),
    )
    .refine(
      (text) => !/[?#@]/.test(text),
      fault('holds a user, password, query or fragment', 'leave only scheme, host, port and path'),
    )
    .refine(
      (text) => !/\/v2(?:\/balance|\/orders(?:\/.*)?)?\/*$/.test(text),
      wrong('the address of a call, not of the vendor (/v2/… is added to it)', 'leave /v2 and what follows out'),
    )
    .transform((text) => {
      const { origin, pathname } = new URL(text);
      return `${origin}${pathname.replace(/\/+$/, '')}`;
    });

/** Slack's own; anything else is a stand-in on this machine. */
const SLACK_API_URL = 'https://slack.com/api/';

/** Slack's tokens go to this address, so that only Slack or this machine may be named. */
export const slackApiUrl = () =>
  z
    .string()
    .transform((text) => text.replace(/\/*$/, '/'))
    .refine(
      (text) => text === SLACK_API_URL || (isWebAddress(text) && isLoopbackHttp(text) && !/[?#@]/.test(text)),
      wrong('not http on this machine', 'leave it out, except in tests: http://127.0.0.1:PORT/api/'),
    )
    .prefault(SLACK_API_URL);

/** `sqlite:` and a path, or the address of a PostgreSQL. */
export const database = () =>
  z
    .string()
    .transform((text, ctx): DatabaseConfig => {
      const [, path] = /^sqlite:(.*)$/s.exec(text) ?? [];
      const found = path === undefined ? postgresFault(text) : sqliteFault(path);
      if (found !== null) {
        ctx.addIssue(found);
        return z.NEVER;
      }
      return path === undefined ? { kind: 'postgres', url: text } : { kind: 'sqlite', path };
    })
    .prefault('sqlite:./data/desk.db');

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

/** URL forgives blanks and control characters around and inside an address; people should not have to. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

function isLoopbackHttp(text: string): boolean {
  const url = new URL(text);
  return url.protocol === 'http:' && isLoopback(url.hostname);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
