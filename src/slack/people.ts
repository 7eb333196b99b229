import type { WebClient } from '@slack/web-api';
import type { FoundOwner, ListedOwner } from '../purchasing/model/import.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { People } from '../purchasing/ports/people.ts';
import { type PersonRecord, personOf, readPerson } from './directory.ts';
import { troubleOf } from './errors.ts';
import { isUnreadable, RequestCache } from './request-cache.ts';

type Answered = Exclude<FoundOwner, { readonly found: 'unreadable' }>;

const TRY_AGAIN_AFTER_S = 5;

/** People by their id or e-mail address, as Slack knows them. A bot or a stranger is nobody who could own an order. */
export class SlackPeople implements People {
  readonly #clock: Clock;
  readonly #byId: RequestCache<Answered>;
  readonly #byEmail: RequestCache<Answered>;

  constructor({ client, teamId, clock }: { client: WebClient; teamId: string; clock: Clock }) {
    this.#clock = clock;
    this.#byId = new RequestCache(clock, async (user) => ownerOf(await readPerson(client, user, teamId), user));
    this.#byEmail = new RequestCache(clock, (email) => lookUp(client, email, teamId));
  }

  async find(owner: ListedOwner, withinMs: number): Promise<FoundOwner> {
    const asked = 'user' in owner ? this.#byId.get(owner.user, 'cached') : this.#byEmail.get(owner.email, 'cached');
    const found = asked.then((read) => (isUnreadable(read) ? noAnswer(read.retryAfterSeconds) : read));
    return within(this.#clock, withinMs, found, noAnswer(TRY_AGAIN_AFTER_S));
  }
}

function noAnswer(retryAfterSeconds: number): FoundOwner {
  return { found: 'unreadable', retryAfterSeconds };
}

/** @throws what Slack's client throws, when it is no answer to the question. */
async function lookUp(client: WebClient, email: string, teamId: string): Promise<Answered> {
  try {
    const { user: record } = await client.users.lookupByEmail({ email });
    if (!record?.id) throw new Error('users.lookupByEmail named nobody');
    return ownerOf(personOf(record, record.id, teamId), record.id);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && trouble.code === 'users_not_found') return { found: 'nobody' };
    if (trouble.kind === 'refused' && trouble.code === 'missing_scope') return { found: 'scope_missing' };
    throw error;
  }
}

function ownerOf({ barred }: PersonRecord, user: string): Answered {
  return barred === 'bot' || barred === 'outsider' ? { found: 'nobody' } : { found: 'user', user };
}
