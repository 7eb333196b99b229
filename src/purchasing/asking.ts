import type { Click, ClickedMessage } from './model/click.ts';
import type { Directory } from './ports/directory.ts';
import type { Outbox } from './ports/outbox.ts';
import type { Clicked } from './rules/clicks.ts';
import type { Clicker } from './rules/decisions.ts';
import { asThemselves, besideRequester, checkRights, FRESH_RIGHTS_WITHIN_MS, RIGHTS_TO } from './rules/rights.ts';

export type Deciding = Exclude<keyof typeof RIGHTS_TO, 'freeze' | 'show the answer'>;

/** What has to be known of whoever clicks, and of where they click, before a rule decides. */
export class Asking {
  readonly #directory: Directory;
  readonly #outbox: Outbox;

  constructor(directory: Directory, outbox: Outbox) {
    this.#directory = directory;
    this.#outbox = outbox;
  }

  /** Who clicks, and what they may do. */
  async rights({ user }: Click, action: keyof typeof RIGHTS_TO, freshness: 'cached' | 'fresh'): Promise<Clicker> {
    return { user, allowed: await checkRights(this.#directory, user, RIGHTS_TO[action], freshness) };
  }

  /** Who decides on something of this requester's, and what they may do, asked of Slack afresh. */
  async decider(click: Click, action: Deciding, requester: string): Promise<Clicker> {
    const [{ user, allowed }, requesterIds] = await Promise.all([
      this.rights(click, action, 'fresh'),
      this.#idsOf(requester),
    ]);
    return { user, allowed: besideRequester(allowed, requesterIds) };
  }

  /** Who clicks, and no more; Slack is asked where the id as received is not the requester's. */
  async who({ user }: Click, requester: string): Promise<Clicker> {
    if (user === requester) return { user, allowed: asThemselves(user, new Set([user])) };
    const [own, requesterIds] = await Promise.all([this.#idsOf(user), this.#idsOf(requester)]);
    return { user, allowed: besideRequester(asThemselves(user, own), requesterIds) };
  }

  /** @param id of the purchase or batch that the click is about */
  async clicked(id: string, message: ClickedMessage): Promise<Clicked> {
    const notice = await this.#outbox.noticeAt(message);
    return { message, notice, posted: await this.#outbox.placesOf(id) };
  }

  /** Every id of this human, as Slack knows them now: in an organisation they change. */
  #idsOf(user: string): Promise<ReadonlySet<string> | undefined> {
    return this.#directory.idsOf(user, FRESH_RIGHTS_WITHIN_MS);
  }
}
