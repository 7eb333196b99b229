import type { ChangeRule, ChangeSubject } from './model/change.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import type { Purchase } from './model/purchase.ts';
import type { Refusal } from './model/refusals.ts';
import type { Directory } from './ports/directory.ts';
import type { Ledger, Sides } from './ports/ledger.ts';
import type { Outbox } from './ports/outbox.ts';
import { type Clicked, countOnce } from './rules/clicks.ts';
import type { Decided, FirstYes } from './rules/decisions.ts';
import { asThemselves, besides, type Clicker, checkRights, FRESH_RIGHTS_WITHIN_MS, RIGHTS_TO } from './rules/rights.ts';

export interface DecidingDeps {
  readonly ledger: Pick<Ledger, 'change' | 'sides'>;
  readonly outbox: Pick<Outbox, 'noticeAt' | 'placesOf'>;
  readonly directory: Directory;
  /** There is something new to send, read, sweep or tell. */
  readonly wake: () => void;
}

type Action = keyof typeof RIGHTS_TO;

/** How a person's click comes to change a purchase: who it is and what they may is asked of Slack, then the ledger runs the rule. */
export class Deciding {
  readonly #deps: DecidingDeps;

  constructor(deps: DecidingDeps) {
    this.#deps = deps;
  }

  /** Rights are asked of Slack afresh at every click that changes something; then the ledger decides. */
  async decide(
    id: string,
    click: Click,
    action: Exclude<Action, 'freeze' | 'show the answer'>,
    ruleFor: (by: Clicker, besideIds?: ReadonlySet<string>) => ChangeRule<Decided>,
    {
      beside = null,
      ...subject
    }: Pick<ChangeSubject, 'orderId' | 'dollars'> & { readonly beside?: string | null } = {},
  ): Promise<Decided> {
    const sides = await this.#deps.ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_purchase' };
    const { by, requesterIds, firsts } = await this.decider(click, action, sides, beside === null ? [] : [beside]);
    return this.change(id, click, ruleFor(by, firsts[0]?.ids), asItIs, { ...subject, requesterIds });
  }

  /** Who decides on something of these people's, asked of Slack afresh, with the ids of those who have said yes first. */
  async decider(
    click: Click,
    action: Exclude<Action, 'freeze' | 'show the answer'>,
    { requester, keptBy }: Sides,
    said: readonly string[],
  ): Promise<{ readonly by: Clicker; readonly requesterIds: readonly string[]; readonly firsts: readonly FirstYes[] }> {
    const [{ user, allowed }, ids, keptIds, firsts] = await Promise.all([
      this.ask(click, action, 'fresh'),
      this.#idsOf(requester),
      keptBy === null || keptBy === requester ? new Set<string>() : this.#idsOf(keptBy),
      Promise.all(said.map(async (first) => ({ user: first, ids: await this.#idsOf(first) }))),
    ]);
    const by = { user, allowed: besides(besides(allowed, ids), keptIds) };
    return { by, requesterIds: [...(ids ?? [])], firsts };
  }

  /** Who clicks, and what they may do. */
  async ask({ user }: Click, action: Action, freshness: 'cached' | 'fresh'): Promise<Clicker> {
    return { user, allowed: await checkRights(this.#deps.directory, user, RIGHTS_TO[action], freshness) };
  }

  /** Who clicks, and no more; Slack is asked where the id as received is not the one that is looked for. */
  async askWho({ user }: Click, lookedFor: string): Promise<Clicker> {
    if (user === lookedFor) return { user, allowed: asThemselves(user, new Set([user])) };
    const [own, otherIds] = await Promise.all([this.#idsOf(user), this.#idsOf(lookedFor)]);
    return { user, allowed: besides(asThemselves(user, own), otherIds) };
  }

  async clicked(id: string, message: ClickedMessage): Promise<Clicked> {
    const { outbox } = this.#deps;
    const notice = await outbox.noticeAt(message);
    return { message, notice, posted: await outbox.placesOf(id) };
  }

  /** @param again what a later delivery of the click is told where the first was done. */
  async change<R extends object>(
    id: string,
    click: Click,
    decide: ChangeRule<R | Refusal>,
    again: (purchase: Purchase, now: R | Refusal) => R | Refusal = (_, now) => now,
    subject: Pick<ChangeSubject, 'orderId' | 'requesterIds' | 'dollars'> = {},
  ): Promise<R | Refusal> {
    const result = await this.#deps.ledger.change(id, countOnce(decide, again), { ...subject, click: click.id });
    this.#deps.wake();
    return result ?? { refused: 'no_such_purchase' };
  }

  /** Every id of this human, as Slack knows them now: in an organisation they change. */
  #idsOf(user: string): Promise<ReadonlySet<string> | undefined> {
    return this.#deps.directory.idsOf(user, FRESH_RIGHTS_WITHIN_MS);
  }
}

/** The purchase as it stands: for a decision that was made by an earlier delivery. */
export const asItIs = (purchase: Purchase): Purchase => purchase;
