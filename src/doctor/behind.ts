import type { Config } from '../config/environment.ts';
import { LedgerUnusable } from '../ledger/errors.ts';
import { probeLedger } from '../ledger/open.ts';
import { type DatabaseConfig, placeOf } from '../ledger/place.ts';
import type { BalanceReading } from '../purchasing/model/answer.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Finding } from '../slack/checks.ts';
import { createVendor } from '../vendor-api/client.ts';

/** The one call to the vendor that moves no money. What it answers reaches no ledger, so that a 401 freezes nothing. */
export async function lookAtVendor({ vendor: settings }: Pick<Config, 'vendor'>, clock: Clock): Promise<Finding> {
  const vendor = createVendor({ ...settings, clock });
  try {
    const reading = await vendor.readBalance();
    return reading.ok
      ? { check: 'PROXY_API_TOKEN', verdict: 'right', found: `the vendor answers; the balance is $${reading.balance}` }
      : notAnswered(reading);
  } finally {
    await vendor.close();
  }
}

function notAnswered({ why, refused }: Extract<BalanceReading, { ok: false }>): Finding {
  switch (refused) {
    case 'unauthorized':
      return {
        check: 'PROXY_API_TOKEN',
        verdict: 'wrong',
        found: `the vendor does not accept it (${why})`,
        remedy: "copy the Master User Token of the vendor's My Account page again",
      };
    case 'forbidden':
      return {
        check: 'PROXY_API_TOKEN',
        verdict: 'wrong',
        found: `the vendor knows it, and does not let it see the balance (${why})`,
        remedy: "use the Master User Token, and look whether the account admits this machine's address",
      };
    case undefined:
      return {
        check: 'PROXY_API_BASE_URL',
        verdict: 'wrong',
        found: `the balance could not be read: ${why}`,
        remedy: 'check the address, and that this machine reaches it',
      };
    default:
      return refused satisfies never;
  }
}

/** A ledger grows by some kilobytes a purchase; a full disk stops everything. */
const ROOM_BYTES = 200 * 1024 * 1024;

/** Reads, and writes what is undone again. */
export async function lookAtDatabase(database: DatabaseConfig): Promise<readonly Finding[]> {
  const place = placeOf(database);
  try {
    const { schema, latest, freeBytes } = await probeLedger(database);
    const what =
      schema === 0
        ? 'can be written; there is no ledger yet, and the first start makes it'
        : schema < latest
          ? `can be read and written; the next start brings its schema from ${schema} to ${latest}`
          : 'can be read and written';
    return [{ check: 'DATABASE_URL', verdict: 'right', found: `${place} ${what}` }, room(freeBytes)];
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof LedgerUnusable ? error.remedy.replace(/\.$/, '') : "look at the database's own log";
    return [{ check: 'DATABASE_URL', verdict: 'wrong', found, remedy }];
  }
}

function room(freeBytes: number | undefined): Finding {
  const check = 'disk room';
  if (freeBytes === undefined)
    return { check, verdict: 'skipped', found: "the database server's disk cannot be seen from here" };
  const found = `${Math.floor(freeBytes / 1024 / 1024)} MiB free`;
  return freeBytes < ROOM_BYTES
    ? {
        check,
        verdict: 'wrong',
        found,
        remedy: `make room on the ledger's disk: at least ${ROOM_BYTES / 1024 / 1024} MiB`,
      }
    : { check, verdict: 'right', found };
}
