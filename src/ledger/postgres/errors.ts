/** A try with another connection, or a moment later, may go well. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const PASSING: ReadonlySet<string> = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // somebody held the lock for too long
  '57014', // a statement took too long
  '25P03', // a transaction stood still for too long
  '26000', // it keeps no statement of this name: another server process, where a pooler led us
  '42P05', // it keeps one of this name already: the same
  '25006', // a standby, or a server that is being taken over
  '53300', // too many connections
  '57P01', // shutting down
  '57P02', // another process of the server crashed
  '57P03', // starting up
  '57P05', // idle for too long
]);

/** A certificate that does not hold will not hold at the next try. */
const CERTIFICATE = /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** What the driver says without a code: `sslmode` for a server without it, no password for one that asks for it. */
const WRONG_SETTING = /does not support SSL connections|client password must be a string/;

/**
 * Any trouble with PostgreSQL, told apart from errors of the work that was done with it. Carries none of the driver's details:
 * "Failing row contains (…)" would bring the vendor's answers, with proxy logins, into the log.
 */
export class PostgresTrouble extends Error {
  /** SQLSTATE; undefined when the connection itself failed. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  /** Worth another try, if nothing can have been written. */
  readonly passing: boolean;

  constructor(error: unknown) {
    const known = isFromServer(error) ? error : undefined;
    const fields = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    const said = error instanceof Error ? error.message : String(error);
    // Node leaves the message empty where every address of a name refused.
    super(said === '' ? `the connection failed: ${fields ?? 'no reason given'}` : said);
    this.name = 'PostgresTrouble';
    this.code = known?.code;
    this.constraint = known?.constraint;
    const { code } = this;
    const lasting = WRONG_SETTING.test(said) || CERTIFICATE.test(fields ?? '');
    this.passing = code === undefined ? !lasting : PASSING.has(code) || code.startsWith('08') || isOfOldSchema(known);
  }
}

/**
 * A statement that the connection keeps, and that no longer gives what it gave: a newer replica has changed the schema. A new connection
 * keeps none. The code says no more than that something is not supported.
 */
function isOfOldSchema(error: FromServer | undefined): boolean {
  return error?.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

type FromServer = Error & Readonly<Record<'code' | 'constraint' | 'routine', string | undefined>>;

/** Only the server says how severe it is. Told without the driver, which is loaded only where a ledger is on PostgreSQL. */
function isFromServer(error: unknown): error is FromServer {
  return error instanceof Error && 'severity' in error;
}

/** Runs a call of the driver; whatever it throws is {@link PostgresTrouble}. */
export async function driven<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof PostgresTrouble ? error : new PostgresTrouble(error);
  }
}

/** A commit was asked for and not answered, and what became of it could not be learnt in time. */
export class CommitInDoubt extends Error {
  constructor() {
    super('the database did not say whether it has kept this, and could not be asked again');
    this.name = 'CommitInDoubt';
  }
}

/** A statement was sent on a connection whose last one has not ended: a mistake in the program. That connection is not used again. */
export class StatementsAtOnce extends Error {
  constructor() {
    super('two statements at once on one connection: each has to be awaited before the next');
    this.name = 'StatementsAtOnce';
  }
}
