import type { ToldChange, ToldFacts, ToldMovement } from './model/alerts.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import type { Policy } from './model/policy.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { Alerts } from './ports/alerts.ts';
import type { Directory } from './ports/directory.ts';
import type { Outbox } from './ports/outbox.ts';
import { decideAlerts, decideFreezingFor, decideKnowing, isElsewhere, refuseFall, type Said } from './rules/alerts.ts';
import { type Clicker, checkRights, RIGHTS_TO } from './rules/rights.ts';

export interface BalanceAlertsDeps {
  readonly alerts: Alerts;
  readonly outbox: Pick<Outbox, 'noticeAt'>;
  readonly directory: Directory;
  readonly policy: () => Policy;
  readonly wake: () => void;
}

/** @returns whether there was anything to tell. */
export function lookAtBalance(alerts: Pick<Alerts, 'watch'>, policy: () => Policy): Promise<boolean> {
  return alerts.watch((facts) => decideAlerts(facts, policy().balance));
}

/** Tells of what the balance does by itself, and hears what people say of it. */
export class BalanceAlerts {
  readonly #deps: BalanceAlertsDeps;

  constructor(deps: BalanceAlertsDeps) {
    this.#deps = deps;
  }

  /** One look. @returns whether there was anything to tell. */
  look(): Promise<boolean> {
    return lookAtBalance(this.#deps.alerts, this.#deps.policy);
  }

  /** A click that opens what somebody knows about a fall. */
  async openKnowing(id: string, click: Click, message: ClickedMessage): Promise<ToldMovement | Refusal> {
    const [by, told, elsewhere] = await Promise.all([
      this.#ask(click, 'cached'),
      this.#deps.alerts.told(Number(id)),
      this.#elsewhere(id, message),
    ]);
    if (!told) return { refused: 'no_such_fall' };
    if (elsewhere) return this.#refuse(id, click, by, elsewhere);
    if (isRefusal(by.allowed)) return this.#refuse(id, click, by, by.allowed);
    const { known } = told.movement;
    return known ? { refused: 'fall_known', by: known.by } : told;
  }

  async know(id: string, click: Click, note: string): Promise<Said> {
    const by = await this.#ask(click, 'fresh');
    return this.#change<ToldMovement>(id, click, (facts) => decideKnowing(facts, by, note));
  }

  /** The same as `/proxy freeze`, with the fall as its reason. */
  async freeze(id: string, click: Click, message: ClickedMessage): Promise<Said> {
    const [by, elsewhere] = await Promise.all([this.#ask(click, 'fresh'), this.#elsewhere(id, message)]);
    if (elsewhere) return this.#refuse(id, click, by, elsewhere);
    return this.#change<ToldMovement>(id, click, (facts) => decideFreezingFor(facts, by));
  }

  /** Whether it is a second message for the same fall, which nothing keeps up to date. */
  async isCopy(id: string, { channel, ts, isPrivateAnswer }: ClickedMessage): Promise<boolean> {
    const { alerts, outbox } = this.#deps;
    if (ts === '' || isPrivateAnswer) return false;
    const [notice, places] = await Promise.all([outbox.noticeAt({ channel, ts }), alerts.placesOf(Number(id))]);
    return notice === undefined && places.some((place) => place.channel === channel);
  }

  async #ask({ user }: Click, freshness: 'cached' | 'fresh'): Promise<Clicker> {
    const { directory } = this.#deps;
    return { user, allowed: await checkRights(directory, user, RIGHTS_TO['look into a fall'], freshness) };
  }

  async #elsewhere(id: string, message: ClickedMessage): Promise<Refusal | undefined> {
    const { outbox, policy } = this.#deps;
    const notice = await outbox.noticeAt(message);
    return isElsewhere(Number(id), message, notice, policy()) ? { refused: 'wrong_card' } : undefined;
  }

  #refuse(id: string, click: Click, { user }: Clicker, no: Refusal): Promise<Refusal> {
    return this.#change<Refusal>(id, click, (facts) => refuseFall(facts, user, no));
  }

  async #change<R extends object>(
    id: string,
    click: Click,
    decide: (facts: ToldFacts) => ToldChange<R | Refusal>,
  ): Promise<R | Refusal> {
    const said = await this.#deps.alerts.change(Number(id), decide, click.id);
    this.#deps.wake();
    return said ?? { refused: 'no_such_fall' };
  }
}
