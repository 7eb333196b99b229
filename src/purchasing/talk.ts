import { Deciding, type DecidingDeps } from './deciding.ts';
import { alone, type Batch } from './model/batch.ts';
import type { Change, TalkRule } from './model/change.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import { subjectOfQuestion } from './model/entries.ts';
import type { Policy } from './model/policy.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { About, Ledger } from './ports/ledger.ts';
import type { Outbox } from './ports/outbox.ts';
import { countOnce } from './rules/clicks.ts';
import { dueReminders, shortestWaitMs } from './rules/reminding.ts';
import { decideAnswering, decideNudge, decideOpeningAnswer, decideQuestion, type Said } from './rules/talk.ts';

export interface TalkDeps extends DecidingDeps {
  readonly ledger: Pick<Ledger, 'change' | 'talk' | 'sides' | 'record' | 'batch' | 'now'>;
  readonly outbox: Pick<Outbox, 'noticeAt' | 'placesOf' | 'undecidedFor' | 'owe'>;
  readonly policy: () => Policy;
}

/**
 * What requester and approvers say to each other while a request waits, and how it makes itself heard. Nothing here decides. A request
 * is a purchase or a batch; its id tells which.
 */
export class Talk {
  readonly #deps: TalkDeps;
  readonly #deciding: Deciding;

  constructor(deps: TalkDeps) {
    this.#deps = deps;
    this.#deciding = new Deciding(deps);
  }

  /** The requester asks for a decision, under the card. */
  async nudge(id: string, click: Click, message: ClickedMessage): Promise<Said> {
    const { ledger, policy } = this.#deps;
    const sides = await ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_purchase' };
    const [clicked, by] = await Promise.all([
      this.#deciding.clicked(id, message),
      this.#deciding.askWho(click, sides.requester),
    ]);
    return this.#say(id, click, (about, facts) => decideNudge(about, facts, by, clicked, policy()));
  }

  /** An approver asks the requester something. */
  async ask(id: string, click: Click, text: string): Promise<Said> {
    const sides = await this.#deps.ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_purchase' };
    const { by } = await this.#deciding.decider(click, 'ask', sides, []);
    return this.#say(id, click, (about, facts) => decideQuestion(about, facts, by, text, this.#deps.policy()));
  }

  /** A click on a question: what is answered next, if this person may. */
  async openAnswering(question: string, click: Click, message: ClickedMessage): Promise<NonNullable<About> | Refusal> {
    const { ledger, policy } = this.#deps;
    const id = subjectOfQuestion(question);
    const [record, batch] = await Promise.all([ledger.record(id), ledger.batch(id)]);
    const found = record ?? batch;
    if (!found) return { refused: 'no_such_question' };
    const [about, talk] = 'rows' in found ? [found, found.talk] : [alone(found.purchase), found.entries];
    const [clicked, by, now] = await Promise.all([
      this.#deciding.clicked(id, message),
      this.#deciding.askWho(click, about.requester),
      ledger.now(),
    ]);
    const opened = decideOpeningAnswer(about, { now, talk, deliveredBefore: null }, by, question, clicked, policy());
    if (!isRefusal(opened.result)) return found;
    const refused = await this.#say(id, click, () => opened);
    return isRefusal(refused) ? refused : opened.result;
  }

  /** The requester answers. */
  async answer(question: string, click: Click, text: string): Promise<Said> {
    const id = subjectOfQuestion(question);
    const sides = await this.#deps.ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_question' };
    const by = await this.#deciding.askWho(click, sides.requester);
    return this.#say(id, click, (about, facts) => decideAnswering(about, facts, by, question, text));
  }

  async #say(id: string, click: Click, rule: (...read: Parameters<TalkRule<Said>>) => Change<Said>): Promise<Said> {
    const asItIs = (about: Batch): Said => about;
    const said = await this.#deps.ledger.talk(id, countOnce(rule, asItIs), click.id);
    this.#deps.wake();
    return said ?? { refused: 'no_such_purchase' };
  }

  /** One pass over what nobody has decided. @returns whether anybody is to be reminded. */
  async remind(): Promise<boolean> {
    const { outbox, policy } = this.#deps;
    const { approvals } = policy();
    const wait = shortestWaitMs(approvals);
    if (approvals.mode === 'off' || wait === null) return false;
    const { now, requests } = await outbox.undecidedFor(wait);
    let reminded = false;
    for (const request of requests)
      for (const notice of dueReminders(request, request.owed, now, approvals)) {
        await outbox.owe(notice, request.isBatch ? null : request.id, request.isBatch ? request.id : null);
        reminded = true;
      }
    return reminded;
  }
}
