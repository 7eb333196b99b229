import type { Asker } from './model/account.ts';
import type { Answer, BalanceReading } from './model/answer.ts';
import { isPositive, type Money } from './model/money.ts';
import type { Policy, Right } from './model/policy.ts';
import type { Attempt, Purchase } from './model/purchase.ts';
import { isRefusal } from './model/refusals.ts';
import type { Clock } from './ports/clock.ts';
import type { Directory } from './ports/directory.ts';
import type { Leases } from './ports/leases.ts';
import type { Ledger } from './ports/ledger.ts';
import { Lasting, type Log } from './ports/log.ts';
import type { Vendor, VendorOrder } from './ports/vendor.ts';
import { decideAnswer, decideOverdue, decideReading, OVERDUE_GRACE_MS } from './rules/answers.ts';
import { type Decided, decideExpiry } from './rules/decisions.ts';
import { dollarsBy } from './rules/dollars.ts';
import { decideShortage } from './rules/holding.ts';
import { checkRights } from './rules/rights.ts';
import { decideSending, declineUnsent, postpone } from './rules/sending.ts';

/** A process that was paused after its commit must not send late: the world that was checked is gone. */
const START_WITHIN_MS = 5_000;

/** A clock that was set back by more than this may hide a pause. */
const CLOCK_SLIP_MS = 1_000;

/** More than a click has: in a busy minute people's decisions go first, and the lane uses the answers that they get. */
const RIGHTS_EACH_WITHIN_MS = 4_000;

/** Longer than a look at rights and balance mostly takes. After a process that was killed, another takes its place then. */
const LEASE_MS = 10_000;

/** An unreadable balance is asked for again for so long; then nothing is sent. */
const BALANCE_WITHIN_MS = 60_000;
const BALANCE_AGAIN_AFTER_MS = 5_000;

/** The answer is all that proves what happened to the money: a database in trouble is asked again until it takes it. */
const STORE_AGAIN_AFTER_MS = 250;

export interface LaneDeps {
  readonly ledger: Ledger;
  readonly leases: Leases;
  readonly vendor: Vendor;
  readonly directory: Directory;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly log: Log;
  /** Ids of attempts. */
  readonly newId: () => string;
  readonly answerWithinMs: number;
  /** The vendor refuses the account: people have to look. */
  readonly vendorRefuses: (refused: 'unauthorized' | 'forbidden', call: 'balance' | 'order') => Promise<void>;
}

/**
 * The one place from which money leaves, one purchase at a time among all processes on the ledger. Each method is one pass that
 * does what is due and may be called at any time, by any number of processes: what they race for is decided by the ledger.
 */
export class Lane {
  readonly #deps: LaneDeps;
  #stopping = false;
  #inFlight: { readonly attemptId: string; readonly ended: Promise<void> } | undefined;
  /** This process, among those that look after the head of the lane. */
  readonly #holder: string;
  /** An attempt of ours that never began: the ledger did not confirm it, and may hold it all the same. */
  #doubted: string | undefined;
  /** Since when the balance has been unreadable for the purchase at the head. */
  #unreadable: { purchase: string; since: number } | undefined;
  /** The balance could not be read: not asked for again before. */
  #notBefore = 0;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#holder = deps.newId();
  }

  /** Sends the next purchase if one may be sent; resolves when its answer is stored. @returns whether it moved anything. */
  async send(): Promise<boolean> {
    const { ledger, leases, clock, log } = this.#deps;
    if (this.#stopping || clock.monotonic() < this.#notBefore) return false;
    const { sending, next, frozen, firstReadingDue, lastSending } = await ledger.lane();
    if (sending?.attempt && sending.attempt.id === this.#doubted) {
      await this.#store(sending, sending.attempt, neverBegun(clock.now()));
      return true;
    }
    if (sending || !next || frozen || firstReadingDue) return false;
    if (!(await leases.takeHead(next.id, this.#holder, LEASE_MS))) return false;

    const sinceAsked = stopwatch(clock);
    const checked = await this.#check(next);
    if (checked === 'moved') return true;
    if (checked === 'wait' || this.#stopping) return false;

    // Whoever took longer was paused, and asks anew.
    if (sinceAsked() > rightsWithinMs(next) + this.#deps.answerWithinMs) return true;

    // Started before the commit, so that the time it takes counts.
    const sinceCommit = stopwatch(clock);
    const departure = {
      attemptId: this.#deps.newId(),
      answerWithinMs: this.#deps.answerWithinMs,
      balance: checked.balance,
      balanceAt: checked.at,
      lastSending,
    };
    this.#doubted = departure.attemptId;
    const policy = this.#deps.policy();
    const entered = await ledger.change(
      next.id,
      (purchase, facts) => decideSending(purchase, facts, departure, policy),
      { dollars: dollarsBy(policy) },
    );
    this.#doubted = undefined;
    if (!entered || !('entered' in entered)) {
      log.info({ purchase: next.id, ...entered }, 'not sent now');
      if (entered && 'short' in entered) {
        await this.#forWantOfMoney(next, entered.short);
        return true;
      }
      return entered !== undefined && 'refused' in entered;
    }
    const attempt = entered.entered;
    const ended = this.#finish(next, attempt, () => sinceCommit() <= START_WITHIN_MS);
    this.#inFlight = { attemptId: attempt.id, ended };
    try {
      await ended;
    } finally {
      this.#inFlight = undefined;
    }
    return true;
  }

  /** Takes every balance reading that is due. */
  async read(): Promise<boolean> {
    const { ledger, leases } = this.#deps;
    const due = await leases.dueReadings(LEASE_MS);
    if (due.length === 0) return false;
    // One look at the balance serves all that are due now.
    const reading = await this.#readBalance('after');
    for (const { purchase, nth } of due) {
      const awaited = { attemptId: purchase.attempt?.id, nth };
      await ledger.change(purchase.id, (now, facts) => decideReading(now, facts, awaited, reading));
    }
    return true;
  }

  /** Moves on what has run out of time: requests and approvals expire, an abandoned `sending` becomes unknown. */
  async sweep(): Promise<boolean> {
    const { ledger } = this.#deps;
    const overdue = await ledger.overdue(OVERDUE_GRACE_MS);
    let moved = false;
    for (const { id, state, attempt } of overdue) {
      // Whatever the clock says: what became of it this process will know, or knows and cannot store yet.
      if (state === 'sending' && attempt && [this.#inFlight?.attemptId, this.#doubted].includes(attempt.id)) continue;
      const result = await ledger.change<Decided>(id, (purchase, facts) =>
        purchase.state === 'sending' ? decideOverdue(purchase, facts, OVERDUE_GRACE_MS) : decideExpiry(purchase, facts),
      );
      moved ||= result !== undefined && !isRefusal(result);
    }
    return moved;
  }

  /** No new purchase is sent; resolves when the one being sent is recorded. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#inFlight?.ended.catch(() => undefined);
    // Nobody has to wait for the lease to end.
    await this.#deps.leases.leaveHead(this.#holder).catch(() => undefined);
  }

  /** What is being sent is recorded as unknown now, not at its deadline: the process is about to be killed. */
  async abandon(): Promise<void> {
    const { ledger } = this.#deps;
    const { sending } = await ledger.lane();
    // Another process may be sending by now: what is its own is not touched.
    if (sending?.attempt && sending.attempt.id === this.#inFlight?.attemptId)
      await ledger.change(sending.id, (purchase, facts) => decideOverdue(purchase, facts, -Infinity));
  }

  /** Everything that only the outside can answer, asked anew: rights of all who were asked, and the balance. */
  async #check(purchase: Purchase): Promise<'moved' | 'wait' | { balance: Money; at: number }> {
    const { ledger, clock, log } = this.#deps;
    const people: readonly [string, Right, string][] = [
      [purchase.requester, purchase.kind, 'the requester'],
      ...approversOf(purchase).map((user) => [user, 'approve', 'the approver'] as [string, Right, string]),
    ];
    // Together, so that both are answered by the same calls: Slack takes few in a minute, and a batch needs them for each row.
    const asked = people.map(async ([user, right, who]) => ({
      user,
      right,
      who,
      allowed: await checkRights(this.#deps.directory, user, [right], 'fresh', RIGHTS_EACH_WITHIN_MS),
    }));
    for (const { user, right, who, allowed } of await Promise.all(asked)) {
      if (!('refused' in allowed)) continue;
      if (allowed.refused === 'rights_unreadable') {
        log.warn({ purchase: purchase.id, user, ...allowed }, 'rights unreadable: the purchase waits, others go on');
        await ledger.change(purchase.id, (now, facts) => postpone(now, facts, allowed.retryAfterSeconds * 1000));
        return 'moved';
      }
      await ledger.change(purchase.id, (now) => declineUnsent(now, `${who} no longer has the right to ${right}`));
      return 'moved';
    }

    const reading = await this.#readBalance('before');
    if (!reading.ok) {
      if (this.#unreadable?.purchase !== purchase.id)
        this.#unreadable = { purchase: purchase.id, since: clock.monotonic() };
      if (clock.monotonic() - this.#unreadable.since < BALANCE_WITHIN_MS) {
        const againAfterMs = Math.max(BALANCE_AGAIN_AFTER_MS, (reading.retryAfterSeconds ?? 0) * 1000);
        await this.#holdLane(purchase, Math.min(againAfterMs, BALANCE_WITHIN_MS));
        return 'wait';
      }
      await this.#forWantOfMoney(purchase, `the balance could not be read: ${reading.why}`);
      return 'moved';
    }
    this.#unreadable = undefined;
    if (!isPositive(reading.balance)) {
      await this.#forWantOfMoney(purchase, 'the balance is used up');
      return 'moved';
    }
    return { balance: reading.balance, at: reading.at };
  }

  /** What was asked for alone is given up; of a batch all rows wait, since a few of them alone are hardly what was wanted. */
  async #forWantOfMoney(purchase: Purchase, why: string): Promise<void> {
    const { ledger } = this.#deps;
    if (purchase.batch === null) await ledger.change(purchase.id, (now) => declineUnsent(now, why));
    else await ledger.changeBatch(purchase.batch.id, (rows) => decideShortage(rows, purchase, why));
  }

  /** For so long nobody asks for the balance again, here or elsewhere: whatever were sent next would have none before it. */
  async #holdLane(purchase: Purchase, ms: number): Promise<void> {
    this.#notBefore = this.#deps.clock.monotonic() + ms;
    await this.#deps.leases.takeHead(purchase.id, this.#holder, ms);
  }

  async #finish(purchase: Purchase, attempt: Attempt, mayStart: () => boolean): Promise<void> {
    const { vendor, log } = this.#deps;
    const fields = { purchase: purchase.id, attemptId: attempt.id };
    log.info(fields, 'sending');
    const answer = await vendor.send(orderOf(purchase), { mayStart });
    log.info({ ...fields, outcome: answer.outcome, why: answer.why }, 'answered');
    await this.#store(purchase, attempt, answer);
    const forbidden = answer.httpStatus === 403 || answer.code === '403';
    if (forbidden && !answer.unauthorized) await this.#deps.vendorRefuses('forbidden', 'order');
  }

  async #store(purchase: Purchase, attempt: Attempt, answer: Answer): Promise<void> {
    const { ledger, clock, log } = this.#deps;
    const { id } = purchase;
    const trouble = new Lasting(clock);
    for (;;) {
      try {
        const stored = await ledger.change(
          id,
          (now, facts) => decideAnswer(now, facts, attempt, answer),
          // Nothing left of what was not sent: nothing has to be known of it.
          { orderId: answer.orderIds[0], lost: answer.outcome === 'not_sent' ? undefined : purchase },
        );
        const { outcome, orderIds } = answer;
        if (stored === 'forgotten')
          log.error({ purchase: id, attemptId: attempt.id, outcome, orderIds }, 'the ledger had forgotten an attempt');
        return;
      } catch (error) {
        // Not at each try: a disk that is full would be filled by the log for good.
        const news = trouble.news(error instanceof Error ? error.message : String(error));
        log[news ? 'error' : 'debug']({ purchase: id, err: error, ...news }, 'the answer could not be stored yet');
        await clock.sleep(STORE_AGAIN_AFTER_MS);
      }
    }
  }

  async #readBalance(asker: Asker): Promise<BalanceReading> {
    const reading = await this.#deps.vendor.readBalance(asker);
    if (!reading.ok && reading.refused) await this.#deps.vendorRefuses(reading.refused, 'balance');
    return reading;
  }
}

/** Whose yes it rests on: one, two, or nobody's. */
function approversOf({ firstApprover, approver }: Purchase): readonly string[] {
  return [firstApprover, approver].filter((user) => user !== null);
}

/** The rights of all of them; the balance has the vendor's own time limit. */
function rightsWithinMs(purchase: Purchase): number {
  return (1 + approversOf(purchase).length) * RIGHTS_EACH_WITHIN_MS + 1_000;
}

/** What is known of an attempt whose entry into `sending` was not confirmed to its own process: it did not begin. */
function neverBegun(now: number): Answer {
  return {
    outcome: 'not_sent',
    why: 'the ledger did not confirm it in time',
    httpStatus: null,
    code: null,
    vendorText: null,
    orderIds: [],
    rawBody: null,
    rawBodyTruncated: false,
    startedAt: null,
    endedAt: now,
    unauthorized: false,
  };
}

/** Milliseconds since now, by the clock that says more: one of them may stand still while a machine sleeps, the other be set. */
function stopwatch(clock: Clock): () => number {
  const wall = clock.now();
  const monotonic = clock.monotonic();
  return () => {
    const waited = clock.now() - wall;
    return waited < -CLOCK_SLIP_MS ? Number.POSITIVE_INFINITY : Math.max(waited, clock.monotonic() - monotonic);
  };
}

function orderOf({ id, kind, plan, basket, orderId }: Purchase): VendorOrder {
  if (kind === 'renew') {
    if (orderId === null) throw new Error(`renewal ${id} names no order`);
    return { kind, orderId, plan };
  }
  return { kind, plan, basket };
}
