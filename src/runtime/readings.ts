import { randomUUID } from 'node:crypto';
import { whenAborted } from '../aborted.ts';
import type { BalanceReading } from '../purchasing/model/answer.ts';
import type { Account } from '../purchasing/ports/account.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';
import type { Vendor } from '../purchasing/ports/vendor.ts';

/** A person waits no longer for a balance. A purchase waits for the vendor's whole time-out. */
const PEOPLE_WAIT_MS = 5_000;

/** The vendor, for people who ask for the balance: readings are given up early, and at once when the bot stops. */
export function forPeople(vendor: Vendor, clock: Clock, stopping: AbortSignal): Vendor {
  return {
    ...vendor,
    async readBalance(asker): Promise<BalanceReading> {
      using stopped = whenAborted(stopping);
      const stop = stopped.promise.then(() => 'the bot is stopping');
      const late = `the vendor did not answer within ${PEOPLE_WAIT_MS / 1000} s`;
      const found = await within(clock, PEOPLE_WAIT_MS, Promise.race([vendor.readBalance(asker), stop]), late);
      return typeof found === 'string' ? { ok: false, at: clock.now(), why: found } : found;
    },
  };
}

/** Longer than a write of the ledger takes. Whoever asked for a balance waits no longer for it to be kept. */
const KEEP_WITHIN_MS = 250;

/**
 * The vendor, whose balances are kept in the ledger. What cannot be kept is let go: only a link of the history is missing then.
 * @param look at what was kept, before whoever asked for it goes on: what it shows may freeze spending
 */
export function kept(
  vendor: Vendor,
  account: Account,
  clock: Clock,
  log: Log,
  look: () => Promise<unknown> = async () => {},
): Vendor {
  const process = randomUUID();
  const attempt = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await within(clock, KEEP_WITHIN_MS, work, null);
    } catch (err) {
      log.warn({ err }, 'a balance could not be kept');
      return null;
    }
  };
  return {
    ...vendor,
    async readBalance(asker): Promise<BalanceReading> {
      const ticket = await attempt(account.ticket());
      const reading = await vendor.readBalance(asker);
      if (!reading.ok || ticket === null) return reading;
      const taken = { process, ms: Math.floor(clock.monotonic()) };
      const keep = async () => {
        if (await account.keep(ticket, { balance: reading.balance, asker, taken })) await look();
      };
      await attempt(keep());
      return reading;
    },
  };
}

/** Longer than an answer takes on a good day; whoever asks after that may have better luck with a question of their own. */
const SAME_MOMENT_MS = 1_000;

/** The vendor, for people: whoever asks in the same moment as somebody else has the same answer. A purchase's readings are its own. */
export function shared(vendor: Vendor, clock: Clock): Vendor {
  let asked: { readonly at: number; readonly answer: Promise<BalanceReading> } | undefined;
  return {
    ...vendor,
    readBalance(asker): Promise<BalanceReading> {
      if (asked && clock.monotonic() - asked.at < SAME_MOMENT_MS) return asked.answer;
      const asking = { at: clock.monotonic(), answer: vendor.readBalance(asker) };
      asked = asking;
      const forget = () => {
        if (asked === asking) asked = undefined;
      };
      void asking.answer.then(forget, forget);
      return asking.answer;
    },
  };
}

/** The vendor; logs that its balance cannot be read, now and then as long as it cannot, and once that it can be read again. */
export function watched(vendor: Vendor, clock: Clock, log: Log, stopping: AbortSignal): Vendor {
  const lasting = new Lasting(clock);
  return {
    ...vendor,
    async readBalance(asker): Promise<BalanceReading> {
      const reading = await vendor.readBalance(asker);
      if (stopping.aborted) return reading;
      const news = reading.ok ? undefined : lasting.news(reading.why);
      if (!reading.ok && news) log.warn({ why: reading.why, ...news }, 'the balance could not be read');
      if (reading.ok && lasting.end()) log.info({}, 'the balance can be read again');
      return reading;
    },
  };
}
