import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import type { Policy, Right } from '../purchasing/model/policy.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { Approver, Directory, Standing } from '../purchasing/ports/directory.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { troubleOf } from './errors.ts';
import { HURRY_MS, Pace } from './pace.ts';
import { isUnreadable, RequestCache, type Unreadable } from './request-cache.ts';
import { UserGroups } from './user-groups.ts';

/** People wait so long before they press again; a check that has no better word for it says this. */
const TRY_AGAIN_AFTER_S = 5;

/** In an organisation, members of the groups whose other id is looked up for somebody who would be refused. */
const MEMBERS_AT_MOST = 50;

/** Nobody waits for it; it lets decisions go first. */
const APPROVERS_WITHIN_MS = 10_000;

/** `chat.postMessage` goes to each approver where there is no channel; a larger group wants a channel. */
const APPROVERS_AT_MOST = 50;

/**
 * Records that are read a minute where nobody waits. Slack guarantees 100 (Tier 4) to all processes together: the rest is left to people
 * who click, however many Home tabs and reminders are due.
 */
const UNHURRIED_A_MINUTE = 30;

/** People travel seldom, and the zones of all owners would be many questions a minute. */
const ZONE_KNOWN_FOR_MS = 3_600_000;

export interface DirectoryDeps {
  readonly client: WebClient;
  readonly access: Policy['access'];
  readonly teamId: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who may do what, by membership in Slack's user groups and the person's own record. A membership holds by any id of the person. */
export class SlackDirectory implements Directory {
  readonly #deps: DirectoryDeps;
  readonly #groups: UserGroups;
  readonly #people: RequestCache<PersonRecord>;
  readonly #unhurried: Pace;
  /** The organisation's id of members of groups, by the id that the group holds. A person keeps it. */
  readonly #organisationIds = new Map<string, string>();
  readonly #zones = new Map<string, { readonly zone: string | null; readonly until: number }>();

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    this.#groups = new UserGroups(deps.client, deps.teamId, deps.clock, deps.log);
    this.#people = new RequestCache(deps.clock, (user) => readPerson(deps.client, user, deps.teamId));
    this.#unhurried = new Pace(deps.clock, UNHURRIED_A_MINUTE);
  }

  async standing(
    user: string,
    rights: readonly Right[],
    freshness: 'cached' | 'fresh',
    withinMs: number,
  ): Promise<Standing> {
    const asked =
      freshness === 'fresh'
        ? this.#standing(user, rights, 'fresh', withinMs)
        : this.#cachedStanding(user, rights, withinMs);
    return within(this.#deps.clock, withinMs, asked, unreadable(TRY_AGAIN_AFTER_S));
  }

  async idsOf(user: string, withinMs: number): Promise<ReadonlySet<string> | undefined> {
    const person = await within(this.#deps.clock, withinMs, this.#people.get(user, 'fresh'), undefined);
    return person === undefined || isUnreadable(person) ? undefined : person.ids;
  }

  async timeZone(user: string): Promise<string | null | undefined> {
    const { clock } = this.#deps;
    const known = this.#zones.get(user);
    if (known && clock.monotonic() < known.until) return known.zone;
    if (!this.#people.cached(user) && this.spare() === 0) return undefined;
    const asked = this.#person(user, 'cached', APPROVERS_WITHIN_MS);
    const person = await within(clock, APPROVERS_WITHIN_MS, asked, undefined);
    if (person === undefined || isUnreadable(person)) return undefined;
    this.#zones.set(user, { zone: person.timeZone, until: clock.monotonic() + ZONE_KNOWN_FOR_MS });
    return person.timeZone;
  }

  async approvers(): Promise<readonly Approver[] | undefined> {
    const groups = await Promise.all(
      this.#deps.access.approve.map((group) => this.#groups.members(group, 'cached', APPROVERS_WITHIN_MS)),
    );
    if (groups.some(isUnreadable)) return undefined;
    const users = [...new Set(groups.flatMap((group) => (isUnreadable(group) ? [] : [...group])))].sort();
    const people = await Promise.all(users.slice(0, APPROVERS_AT_MOST).map((user) => this.#people.get(user, 'cached')));
    const found: Approver[] = [];
    for (const [index, person] of people.entries()) {
      const user = users[index] ?? '';
      if (isUnreadable(person) || person.barred !== null || found.some(({ ids }) => ids.has(user))) continue;
      found.push({ user, ids: person.ids });
    }
    return found;
  }

  /** How many people may be looked up now where nobody waits. */
  spare(): number {
    return this.#unhurried.left();
  }

  /** A change of groups was announced: nothing that was read before is used again. */
  forget(): void {
    this.#groups.forget();
    this.#people.forget();
  }

  #person(user: string, freshness: 'cached' | 'fresh', withinMs: number): Promise<PersonRecord | Unreadable> {
    const isKnown = freshness === 'cached' && this.#people.cached(user) !== undefined;
    if (withinMs > HURRY_MS && !isKnown && !this.#people.inFlight(user)) this.#unhurried.count();
    return this.#people.get(user, freshness);
  }

  /** A yes may be a minute old. A no is asked afresh before it is said: somebody may just have been let in. */
  async #cachedStanding(user: string, rights: readonly Right[], withinMs: number): Promise<Standing> {
    const cached = await this.#standing(user, rights, 'cached', withinMs);
    if (cached.readable && cached.barred === null && cached.rights.size > 0) return cached;
    if (cached.readable && cached.barred !== null) {
      // Who is barred is so in every group: only the person's record is asked for again.
      const person = await this.#people.get(user, 'fresh');
      if (!isUnreadable(person) && person.barred !== null) return { ...cached, ...person };
    }
    return this.#standing(user, rights, 'fresh', withinMs);
  }

  async #standing(
    user: string,
    rights: readonly Right[],
    freshness: 'cached' | 'fresh',
    withinMs: number,
  ): Promise<Standing> {
    const groupIds = [...new Set(rights.flatMap((right) => this.#deps.access[right]))];
    const [person, ...members] = await Promise.all([
      this.#person(user, freshness, withinMs),
      ...groupIds.map((group) => this.#groups.members(group, freshness, withinMs)),
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

    const { ids, unread } = await this.#everyId(person, [...readable.values()]);
    retryAfterSeconds = Math.max(retryAfterSeconds, ...unread.map((member) => member.retryAfterSeconds));
    const held = new Set<Right>();
    const nobodyHas = new Set<Right>();
    let open = unread.length > 0;
    for (const right of rights) {
      const groups = this.#deps.access[right];
      const sets = groups.flatMap((group) => readable.get(group) ?? []);
      if (sets.some((group) => !group.isDisjointFrom(ids))) held.add(right);
      else if (sets.length < groups.length) open = true;
      else if (sets.every((group) => group.size === 0)) nobodyHas.add(right);
    }
    // One right that is held answers the question even where another list could not be read.
    if (open && held.size === 0 && person.barred === null) return unreadable(retryAfterSeconds);
    const { person: human, barred } = person;
    return { readable: true, ids, person: human, barred, rights: held, nobodyHas };
  }

  /**
   * With the ids by which groups know the person. Slack may tell the organisation's id of U…, but no U… of the organisation's id: where
   * no group holds an id of the person, the members' own records are looked at. One that cannot be read may be the person's.
   */
  async #everyId(
    person: PersonRecord,
    groups: readonly ReadonlySet<string>[],
  ): Promise<{ readonly ids: ReadonlySet<string>; readonly unread: readonly Unreadable[] }> {
    const { ids, organisationId } = person;
    if (organisationId === null || groups.some((group) => !group.isDisjointFrom(ids))) return { ids, unread: [] };
    const members = [...new Set(groups.flatMap((group) => [...group]))].slice(0, MEMBERS_AT_MOST);
    const unread: Unreadable[] = [];
    await Promise.all(
      members
        .filter((member) => !this.#organisationIds.has(member))
        .map(async (member) => {
          const record = await this.#people.get(member, 'fresh');
          if (isUnreadable(record)) unread.push(record);
          else if (record.organisationId !== null) this.#organisationIds.set(member, record.organisationId);
        }),
    );
    const own = members.filter((member) => this.#organisationIds.get(member) === organisationId);
    return { ids: ids.union(new Set(own)), unread };
  }
}

function unreadable(retryAfterSeconds: number): Standing {
  return { readable: false, retryAfterSeconds };
}

export interface PersonRecord {
  /** Every id of this human that Slack tells: as asked for, in the workspace (U…), in the organisation (W…). */
  readonly ids: ReadonlySet<string>;
  /** The one of them that stands for the human in the ledger: the organisation's where there is one. */
  readonly person: string;
  /** The organisation's id (W…); null where the workspace belongs to none. */
  readonly organisationId: string | null;
  /** Null where Slack tells none, as of people who have left. */
  readonly timeZone: string | null;
  readonly barred: 'guest' | 'bot' | 'deactivated' | 'outsider' | null;
}

/** @throws what Slack's client throws, when the record cannot be read. */
export async function readPerson(client: WebClient, user: string, teamId: string): Promise<PersonRecord> {
  try {
    const { user: record } = await client.users.info({ user });
    if (!record) throw new Error('users.info named nobody');
    return personOf(record, user, teamId);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && ['user_not_found', 'user_not_visible'].includes(trouble.code))
      return { ids: new Set([user]), organisationId: null, person: user, timeZone: null, barred: 'outsider' };
    throw error;
  }
}

/** @param user the id by which it was asked for */
export function personOf(record: NonNullable<UsersInfoResponse['user']>, user: string, teamId: string): PersonRecord {
  const ids = new Set([user, record.id, record.enterprise_user?.id].filter((id) => id !== undefined));
  const organisationId = record.enterprise_user?.id ?? null;
  const human = { ids, organisationId, person: organisationId ?? user, timeZone: record.tz ?? null };
  if (record.deleted) return { ...human, barred: 'deactivated' };
  if (record.is_bot || user === 'USLACKBOT') return { ...human, barred: 'bot' };
  if (record.is_stranger || !belongsTo(record, teamId)) return { ...human, barred: 'outsider' };
  if (record.is_restricted || record.is_ultra_restricted) return { ...human, barred: 'guest' };
  return { ...human, barred: null };
}

function belongsTo(
  record: { readonly team_id?: string; readonly enterprise_user?: { readonly teams?: string[] } },
  teamId: string,
): boolean {
  return record.team_id === teamId || (record.enterprise_user?.teams ?? []).includes(teamId);
}
