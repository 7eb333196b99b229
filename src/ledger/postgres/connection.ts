import pg from 'pg';
import { LedgerUnusable } from '../errors.ts';
import { driven, PostgresTrouble } from './errors.ts';

/**
 * A replica that stands still in the middle of a transaction holds the lock that all writes wait for: the server ends its
 * transaction first (STALLED; it begins anew when it moves again), then gives up those that waited (LOCK), then whatever is
 * slower than any statement of ours.
 */
const STALLED_MS = 1_000;
const LOCK_MS = 2_000;
const STATEMENT_MS = 3_000;

/** The client's own limit, for a network that swallows everything: later than the server's, which also undoes the work. */
export const ANSWER_MS = 5_000;

/** As long as a person waits for the database, so that they hear of it while Slack still waits: busy servers take a second. */
const CONNECT_MS = 2_000;

/** A migration waits for another replica's, and may have to rewrite a table: the server's limit, and later the client's. */
export const ALTER_MS = 60_000;
const ALTERED_MS = ALTER_MS + 2_000;

/** A click must not find all connections closed because nobody clicked for a while. */
const IDLE_MS = 60_000;

/** What a connection keeps was planned for tables as they were then. The server plans it anew when it has looked at them again, which may be switched off. */
const LIVES_S = 60 * 60;

const INT8 = 20;
const BOOL = 16;

/** What a column can hold is what `Value` says: counts and times fit in a double (2^53 ms are 285,000 years). */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (oid === INT8) return Number;
    if (oid === BOOL) return (value: string) => (value === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid);
  },
};

/** The driver takes these for `verify-full`, and prints nine lines on standard error each time. With `uselibpqcompat` they mean what libpq means. */
const WARNED_MODES = /^(?!.*[?&]uselibpqcompat=)(.*[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/s;

export function clientConfig(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url.replace(WARNED_MODES, '$1verify-full'),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types,
  };
}

export function openPool(url: string, name: string, max: number): pg.Pool {
  return quiet(
    new pg.Pool({ ...clientConfig(url, name), max, idleTimeoutMillis: IDLE_MS, maxLifetimeSeconds: LIVES_S }),
  );
}

/** For changes of the schema alone. */
export function openAlteringPool(url: string, name: string): pg.Pool {
  return quiet(new pg.Pool({ ...clientConfig(url, name), query_timeout: ALTERED_MS, max: 1 }));
}

function quiet(pool: pg.Pool): pg.Pool {
  // An idle connection that breaks is removed from the pool; whoever needs one gets another.
  pool.on('error', () => {});
  // One that breaks while it is lent fails what it is used for; it also says so where an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The least version whose behaviour the statements were written for. */
const LEAST_VERSION = 14;

/** To be done once on every new connection, before its first use. */
export async function prepare(client: pg.ClientBase): Promise<void> {
  const { rows } = await driven(() =>
    client.query<Record<string, string | number>>(
      `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
         set_config('idle_in_transaction_session_timeout', $3, false), set_config('TimeZone', 'UTC', false),
         pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync, current_setting('server_version_num') AS version`,
      [`${STATEMENT_MS}`, `${LOCK_MS}`, `${STALLED_MS}`],
    ),
  );
  const [row] = rows;
  if (row?.['standby'] === 1)
    throw new PostgresTrouble(new Error('the server is a standby, which cannot be written to'));
  const version = Math.floor(Number(row?.['version']) / 10_000);
  if (version < LEAST_VERSION)
    throw new LedgerUnusable(`PostgreSQL ${version} is too old: at least ${LEAST_VERSION} is needed`, ANOTHER_SERVER);
  refuseForgetful(row?.['fsync']);
}

const ANOTHER_SERVER = 'Use another PostgreSQL server, or mend this one.';

/** Also while the bot runs: a setting can be changed, and another server can take over the address. */
export function refuseForgetful(fsync: unknown): void {
  if (fsync === 'off')
    throw new LedgerUnusable(
      'this server runs with fsync=off: a power cut would make it forget what was bought',
      ANOTHER_SERVER,
    );
}
