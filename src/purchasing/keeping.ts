import { keptSubmission } from './model/filing.ts';
import type { OrderFacts } from './model/order.ts';
import type { Policy } from './model/policy.ts';
import { isRefusal } from './model/refusals.ts';
import { type Clock, hasPassed, type Moment, momentOf } from './ports/clock.ts';
import type { Endings } from './ports/endings.ts';
import type { Ledger } from './ports/ledger.ts';
import type { Log } from './ports/log.ts';
import type { Outbox } from './ports/outbox.ts';
import type { Purchasing } from './purchasing.ts';
import { type KeptRenewal, keptRenewal, type NotKept, owedWhereNotKept, passesSoon } from './rules/keeping.ts';

export interface KeepingDeps {
  readonly endings: Pick<Endings, 'kept'>;
  readonly outbox: Pick<Outbox, 'owe'>;
  readonly ledger: Pick<Ledger, 'now'>;
  readonly purchasing: Pick<Purchasing, 'review' | 'file'>;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: () => void;
  readonly stopping: AbortSignal;
}

/** An order comes within its time by the clock alone. */
const LOOK_EVERY_MS = 60_000;

/** What could not be filed is tried again so often, until the end. */
const AGAIN_AFTER_MS = 3_600_000;

/** What ended longer ago, while the bot was down, is told no more. */
const NEWS_FOR_MS = 7 * 86_400_000;

/** Files the renewals of orders that are kept, through the use case by which people file theirs: one for one end. */
export class Keeping {
  readonly #deps: KeepingDeps;
  /** When an end that could not be renewed is tried again, by the submission that it would have. */
  readonly #again = new Map<string, number>();
  #looked: Moment | undefined;

  constructor(deps: KeepingDeps) {
    this.#deps = deps;
  }

  /** One pass. @returns whether anything was filed. */
  async keep(): Promise<boolean> {
    const { endings, ledger, clock, policy, stopping } = this.#deps;
    if (!hasPassed(clock, LOOK_EVERY_MS, this.#looked)) return false;
    const began = momentOf(clock);
    const now = await ledger.now();
    const until = now + policy().reminders.renewKeptBeforeMs;
    for (const [submission, at] of this.#again) if (at <= began.monotonic) this.#again.delete(submission);
    let filed = false;
    for (const facts of await endings.kept(now - NEWS_FOR_MS, until)) {
      if (stopping.aborted) return filed;
      if (await this.#keep(facts, now)) filed = true;
    }
    this.#looked = began;
    return filed;
  }

  async #keep(facts: OrderFacts, now: number): Promise<boolean> {
    const { clock, log, policy } = this.#deps;
    const renewal = keptRenewal(facts, policy(), now);
    if (!renewal) return false;
    const submission = keptSubmission(facts.orderId, renewal.order.endsAt);
    if (clock.monotonic() < (this.#again.get(submission) ?? 0)) return false;
    const why = 'proposal' in renewal ? await this.#file(renewal) : renewal.why;
    if (why === undefined) {
      log.info({ order: facts.orderId }, 'an order that is kept has filed its renewal');
      return true;
    }
    if (!passesSoon(why)) this.#again.set(submission, clock.monotonic() + AGAIN_AFTER_MS);
    await this.#tell(renewal, why);
    return false;
  }

  /** @returns why not, or undefined where it is filed. */
  async #file({ proposal }: KeptRenewal): Promise<NotKept | undefined> {
    const { purchasing } = this.#deps;
    const { found } = await purchasing.review(proposal);
    if (isRefusal(found)) return found;
    const filed = await purchasing.file(proposal, { needsApproval: found.needsApproval });
    return isRefusal(filed) ? filed : undefined;
  }

  async #tell({ order }: Pick<KeptRenewal, 'order'>, why: NotKept): Promise<void> {
    const { outbox, log, wake } = this.#deps;
    const owed = owedWhereNotKept(order, why);
    log.debug({ order: order.orderId, refused: why.refused }, 'the renewal of an order that is kept was not filed');
    for (const notice of owed) await outbox.owe(notice, null);
    if (owed.length > 0) wake();
  }
}
