import type { WebClient } from '@slack/web-api';
import type { Policy } from '../purchasing/model/policy.ts';
import type { Right } from '../purchasing/model/right.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Directory, Standing } from '../purchasing/ports/directory.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { within } from '../purchasing/within.ts';
import { troubleOf } from './errors.ts';
import { type PersonRecord, readPerson } from './person.ts';
import { Shared, type Unreadable } from './request-cache.ts';

/** People wait so long before they press again; a check that has no better word for it says this. */
const TRY_AGAIN_AFTER_S = 5;

/** `chat.postMessage` goes to each approver where there is no channel; a larger group wants a channel. */
const APPROVERS_AT_MOST = 50;

export interface DirectoryDeps {
  readonly client: WebClient;
  readonly access: Policy['access'];
  readonly teamId: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who may do what, by membership in Slack's user groups and the person's own record. */
export class SlackDirectory implements Directory {
  readonly #deps: DirectoryDeps;
  readonly #groups: Shared<ReadonlySet<string>>;
  readonly #people: Shared<PersonRecord>;

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    this.#groups = new Shared(deps.clock, (group) => this.#readGroup(group));
    this.#people = new Shared(deps.clock, (user) => readPerson(deps.client, user, deps.teamId));
  }

  async standing(
    user: string,
    rights: readonly Right[],
    freshness: 'cached' | 'fresh',
    withinMs: number,
  ): Promise<Standing> {
    const asked = this.#standing(user, rights, freshness);
    return within(this.#deps.clock, withinMs, asked, unreadable(TRY_AGAIN_AFTER_S));
  }

  async approvers(): Promise<readonly string[] | undefined> {
    const groups = await Promise.all(this.#deps.access.approve.map((group) => this.#groups.get(group, 'cached')));
    if (groups.some(isUnreadable)) return undefined;
    const users = [...new Set(groups.flatMap((group) => (isUnreadable(group) ? [] : [...group])))].sort();
    const people = await Promise.all(users.slice(0, APPROVERS_AT_MOST).map((user) => this.#people.get(user, 'cached')));
    return users.filter((_, index) => {
      const person = people[index];
      return person !== undefined && !isUnreadable(person) && person.barred === null;
    });
  }

  /** A change of groups was announced: nothing that was read before is used again. */
  forget(): void {
    this.#groups.forget();
    this.#people.forget();
  }

  async #standing(user: string, rights: readonly Right[], freshness: 'cached' | 'fresh'): Promise<Standing> {
    const groupIds = [...new Set(rights.flatMap((right) => this.#deps.access[right]))];
    const [person, ...members] = await Promise.all([
      this.#people.get(user, freshness),
      ...groupIds.map((group) => this.#groups.get(group, freshness)),
    ]);
    if (isUnreadable(person)) return unreadable(person.retryAfterSeconds);
    const readable = new Map<string, ReadonlySet<string>>();
    let retryAfterSeconds = 1;
    for (const [index, group] of groupIds.entries()) {
      const found = members[index];
      if (found === undefined) continue;
      if (isUnreadable(found)) retryAfterSeconds = Math.max(retryAfterSeconds, found.retryAfterSeconds);
      else readable.set(group, found);
    }

    const held = new Set<Right>();
    const nobodyHas = new Set<Right>();
    let open = false;
    for (const right of rights) {
      const groups = this.#deps.access[right];
      const sets = groups.flatMap((group) => readable.get(group) ?? []);
      if (sets.some((group) => group.has(user))) held.add(right);
      else if (sets.length < groups.length) open = true;
      else if (sets.every((group) => group.size === 0)) nobodyHas.add(right);
    }
    // One right that is held answers the question even where another list could not be read.
    if (open && held.size === 0 && person.barred === null) return unreadable(retryAfterSeconds);
    return { readable: true, person: person.person, barred: person.barred, rights: held, nobodyHas };
  }

  async #readGroup(group: string): Promise<ReadonlySet<string>> {
    try {
      const { users } = await this.#deps.client.usergroups.users.list({ usergroup: group, team_id: this.#deps.teamId });
      return new Set(users ?? []);
    } catch (error) {
      const trouble = troubleOf(error);
      this.#deps.log.warn({ group, ...trouble }, 'a user group could not be read');
      // A group that is gone grants nothing; that much is known.
      if (trouble.kind === 'refused' && ['no_such_subteam', 'subteam_not_found'].includes(trouble.code))
        return new Set();
      throw error;
    }
  }
}

function isUnreadable(value: object | undefined): value is Unreadable {
  return value !== undefined && 'retryAfterSeconds' in value;
}

function unreadable(retryAfterSeconds: number): Standing {
  return { readable: false, retryAfterSeconds };
}
