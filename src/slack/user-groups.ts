import type { WebClient } from '@slack/web-api';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { troubleOf } from './errors.ts';
import { HURRY_MS, Pace } from './pace.ts';
import { isUnreadable, RequestCache, type Unreadable } from './request-cache.ts';

/** What Slack guarantees to each of the two methods (Tier 2), for all processes together. */
const CALLS_A_MINUTE = 20;

type Members = ReadonlySet<string>;
type Freshness = 'cached' | 'fresh';

/** A group that came without members is empty, or Slack does not tell them all at once: for so long it is read by itself. */
const BY_ITSELF_FOR_MS = 600_000;

const ALL = 'all';

/**
 * Who is in which user group. One call reads all groups; where Slack gives no members with it, refuses it or is asked too often, the
 * one group is read by itself. Calls that overlap are shared. Disabled groups are never asked for: they let nobody in.
 */
export class UserGroups {
  readonly #client: WebClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #teamId: string;
  readonly #all: RequestCache<ReadonlyMap<string, Members>>;
  readonly #one: RequestCache<Members>;
  readonly #pace: { readonly all: Pace; readonly one: Pace };
  readonly #byItselfUntil = new Map<string, number>();
  /** Resolves when the next call begins: whoever waits for a turn may share it. */
  #begun = Promise.withResolvers<void>();

  constructor(client: WebClient, teamId: string, clock: Clock, log: Log) {
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
    this.#teamId = teamId;
    this.#all = new RequestCache(clock, () => this.#readAll());
    this.#one = new RequestCache(clock, (group) => this.#readOne(group));
    this.#pace = { all: new Pace(clock, CALLS_A_MINUTE), one: new Pace(clock, CALLS_A_MINUTE) };
  }

  /** @param withinMs whoever has had no turn by then makes no call any more. */
  async members(group: string, freshness: Freshness, withinMs: number): Promise<Members | Unreadable> {
    if (freshness === 'cached') {
      const known = this.#all.cached(ALL)?.get(group) ?? this.#one.cached(group);
      if (known) return known;
    }
    const until = this.#clock.monotonic() + withinMs;
    for (;;) {
      const left = until - this.#clock.monotonic();
      const patience = left - HURRY_MS;
      const hurried = patience <= 0;
      const share = hurried ? 1 : 0.5;
      const byItself = this.#clock.monotonic() < (this.#byItselfUntil.get(group) ?? 0);
      const wait = {
        all: byItself ? Infinity : this.#all.inFlight(ALL) ? 0 : this.#pace.all.wait(share),
        // Whoever can wait leaves the calls for one group to those who cannot.
        one: this.#one.inFlight(group) ? 0 : byItself || hurried ? this.#pace.one.wait(share) : Infinity,
      };
      if (wait.all <= 0) {
        const all = await this.#all.get(ALL, 'fresh');
        if (!isUnreadable(all)) {
          const found = all.get(group);
          if (found) return found;
          this.#byItselfUntil.set(group, this.#clock.monotonic() + BY_ITSELF_FOR_MS);
        } else if (all.because === 'unreachable') return all;
        else this.#byItselfUntil.set(group, this.#clock.monotonic() + all.retryAfterSeconds * 1_000);
      } else if (wait.one <= 0) return this.#one.get(group, 'fresh');
      else {
        const ms = Math.min(wait.all, wait.one);
        if (left <= 0) return { retryAfterSeconds: Math.ceil(ms / 1000), because: 'rate_limited' };
        await this.#turn(Math.min(ms, hurried ? left : patience));
      }
    }
  }

  forget(): void {
    this.#byItselfUntil.clear();
    this.#all.forget();
    this.#one.forget();
  }

  /** Waits, or until a call begins that may be shared. */
  async #turn(ms: number): Promise<void> {
    const begun = new AbortController();
    await Promise.race([this.#clock.sleep(ms, begun.signal), this.#begun.promise]);
    begun.abort();
  }

  #count(pace: Pace): void {
    pace.count();
    this.#begun.resolve();
    this.#begun = Promise.withResolvers();
  }

  async #readAll(): Promise<ReadonlyMap<string, Members>> {
    this.#count(this.#pace.all);
    const { usergroups } = await this.#client.usergroups.list({ include_users: true, team_id: this.#teamId });
    if (!usergroups) throw new Error('usergroups.list named no groups');
    return new Map(
      usergroups.flatMap(({ id, users }) => (id && users && users.length > 0 ? [[id, new Set(users)]] : [])),
    );
  }

  async #readOne(group: string): Promise<Members> {
    this.#count(this.#pace.one);
    try {
      const { users } = await this.#client.usergroups.users.list({ usergroup: group, team_id: this.#teamId });
      // Of a group that is empty Slack gives an empty list.
      if (!users) throw new Error('usergroups.users.list named nobody');
      return new Set(users);
    } catch (error) {
      const trouble = troubleOf(error);
      this.#log.warn({ group, ...trouble }, 'a user group could not be read');
      // A group that is gone grants nothing; that much is known.
      if (trouble.kind === 'refused' && ['no_such_subteam', 'subteam_not_found'].includes(trouble.code))
        return new Set();
      throw error;
    }
  }
}
