import { asItIs, Deciding, type DecidingDeps } from './deciding.ts';
import type { ChangeFacts } from './model/change.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import { purchaseOfQuestion } from './model/entries.ts';
import type { Policy } from './model/policy.ts';
import type { Purchase } from './model/purchase.ts';
import type { Refusal } from './model/refusals.ts';
import type { Ledger, PurchaseRecord } from './ports/ledger.ts';
import type { Outbox } from './ports/outbox.ts';
import { isElsewhere } from './rules/clicks.ts';
import { type Decided, refuse } from './rules/decisions.ts';
import { dueReminders, shortestWaitMs } from './rules/reminding.ts';
import { decideAnswering, decideNudge, decideQuestion, refuseAnswering } from './rules/talk.ts';

export interface TalkDeps extends DecidingDeps {
  readonly ledger: Pick<Ledger, 'change' | 'sides' | 'record' | 'now'>;
  readonly outbox: Pick<Outbox, 'noticeAt' | 'placesOf' | 'undecidedFor' | 'owe'>;
  readonly policy: () => Policy;
}

/** What requester and approvers say to each other while a request waits, and how it makes itself heard. Nothing here decides. */
export class Talk {
  readonly #deps: TalkDeps;
  readonly #deciding: Deciding;

  constructor(deps: TalkDeps) {
    this.#deps = deps;
    this.#deciding = new Deciding(deps);
  }

  /** The requester asks for a decision, under the card. */
  async nudge(id: string, click: Click, message: ClickedMessage): Promise<Decided> {
    const { ledger, policy } = this.#deps;
    const sides = await ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_purchase' };
    const [clicked, by] = await Promise.all([
      this.#deciding.clicked(id, message),
      this.#deciding.askWho(click, sides.requester),
    ]);
    const rule = (now: Purchase, facts: ChangeFacts) => decideNudge(now, facts, by, clicked, policy());
    return this.#deciding.change<Purchase>(id, click, rule, asItIs, { talk: true });
  }

  /** An approver asks the requester something. */
  ask(id: string, click: Click, text: string): Promise<Decided> {
    const rule: Parameters<Deciding['decide']>[3] = (by) => (now, facts) =>
      decideQuestion(now, facts, by, text, this.#deps.policy());
    return this.#deciding.decide(id, click, 'ask', rule, { talk: true });
  }

  /** A click on a question: what is answered next, if this person may. */
  async openAnswering(
    question: string,
    click: Click,
    message: ClickedMessage,
  ): Promise<{ readonly record: PurchaseRecord } | Refusal> {
    const { ledger, policy } = this.#deps;
    const id = purchaseOfQuestion(question);
    const record = await ledger.record(id);
    if (!record) return { refused: 'no_such_question' };
    const { purchase, entries } = record;
    const [clicked, by, now] = await Promise.all([
      this.#deciding.clicked(id, message),
      this.#deciding.askWho(click, purchase.requester),
      ledger.now(),
    ]);
    const no = isElsewhere(purchase, clicked, policy())
      ? ({ refused: 'wrong_card' } as const)
      : refuseAnswering(purchase, entries, by, question, now);
    if (!no) return { record };
    return this.#deciding.change<{ readonly record: PurchaseRecord }>(id, click, () => refuse('answer', click, no));
  }

  /** The requester answers. */
  async answer(question: string, click: Click, text: string): Promise<Decided> {
    const id = purchaseOfQuestion(question);
    const sides = await this.#deps.ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_question' };
    const by = await this.#deciding.askWho(click, sides.requester);
    const rule = (now: Purchase, facts: ChangeFacts) => decideAnswering(now, facts, by, question, text);
    return this.#deciding.change<Purchase>(id, click, rule, asItIs, { talk: true });
  }

  /** One pass over what nobody has decided. @returns whether anybody is to be reminded. */
  async remind(): Promise<boolean> {
    const { outbox, policy } = this.#deps;
    const { approvals } = policy();
    const wait = shortestWaitMs(approvals);
    if (approvals.mode === 'off' || wait === null) return false;
    const { now, requests } = await outbox.undecidedFor(wait);
    let reminded = false;
    for (const { purchase, owed } of requests)
      for (const notice of dueReminders(purchase, owed, now, approvals)) {
        await outbox.owe(notice, purchase.id);
        reminded = true;
      }
    return reminded;
  }
}
