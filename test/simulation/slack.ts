import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { type Choices, weighed } from './choices.ts';
import { Injected } from './database.ts';
import { ACCESS, directOf, type Office } from './people.ts';
import type { Life, Scheduler } from './scheduler.ts';

export const TEAM = 'T0TEAM';
const GROUPS = [...new Set(Object.values(ACCESS).flat())];
export const CHANNEL = 'C0APPROVALS';

export interface Posted {
  readonly channel: string;
  readonly ts: string;
  text: string;
  /** Every text it ever had. */
  readonly texts: string[];
  /** Who wrote it last. */
  by: Life;
}

/** What Slack holds. */
export class Channels {
  readonly posted: Posted[] = [];
  /** Users whom the bot cannot write to. */
  readonly unreachable = new Set<string>();

  at(channel: string, ts: string): Posted | undefined {
    return this.posted.find((message) => message.channel === channel && message.ts === ts);
  }
}

export interface SlackDeps {
  readonly office: Office;
  readonly channels: Channels;
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  readonly life: Life;
  readonly calm: () => boolean;
  /** Calls about rights that are under way, with the times when they began. */
  readonly asking: Set<{ readonly since: number }>;
}

/** `lost`: done, and the answer never comes. */
const FATES = { done: 92, lost: 2, rate_limited: 1, unreachable: 3, outage: 2 };

/** The few methods that the product calls on its workers' and directory's paths. */
export function simulatedSlack(deps: SlackDeps): WebClient {
  const { office, channels, scheduler, choices, life } = deps;

  /** Slack does it at one moment; the answer comes at another. */
  async function call<T>(method: string, effect: () => T): Promise<T> {
    const { fate, result } = await scheduler.wait(life, `asks Slack: ${method}`, () => {
      const what = deps.calm() ? 'done' : weighed(choices, 'Slack', FATES);
      return { fate: what, result: what === 'done' || what === 'lost' ? effect() : undefined };
    });
    const latency = deps.calm() ? 0 : ([0, 200, 1_500, 4_900][choices.pick('slowness', [70, 20, 8, 2])] ?? 0);
    const answer = () => {
      if (fate === 'rate_limited') throw new WebAPIRateLimitedError(7);
      if (fate === 'outage') throw new WebAPIHTTPError(503, 'Service Unavailable', {});
      if (fate !== 'done' || result === undefined) throw new Injected(`${method}: no answer`);
      return result;
    };
    return scheduler.wait(life, `hears from Slack: ${method}, ${fate}`, answer, scheduler.time + latency);
  }

  async function askRights<T>(method: string, effect: () => T): Promise<T> {
    const asked = { since: scheduler.time };
    deps.asking.add(asked);
    try {
      return await call(method, effect);
    } finally {
      deps.asking.delete(asked);
    }
  }

  const client = {
    usergroups: {
      list: () =>
        askRights('members of all groups', () => ({
          ok: true,
          usergroups: GROUPS.map((id) => ({ id, users: office.members(id) })),
        })),
      users: {
        list: ({ usergroup }: { usergroup: string }) =>
          askRights(`members of ${usergroup}`, () => ({ ok: true, users: office.members(usergroup) })),
      },
    },
    users: {
      info: ({ user }: { user: string }) =>
        askRights(`who is ${user}`, () => ({
          ok: true,
          user: { id: user, team_id: TEAM, is_restricted: office.isGuest(user) },
        })),
    },
    conversations: {
      open: ({ users }: { users: string }) =>
        call(`a channel with ${users}`, () => ({ ok: true, channel: { id: directOf(users) } })),
    },
    chat: {
      async postMessage({ channel, text }: { channel: string; text: string }) {
        const said = await call(`post ${text}`, () => {
          if (channels.unreachable.has(channel.slice(1))) return { ok: false, channel, ts: '' };
          const message: Posted = { channel, ts: `${channels.posted.length + 1}.0`, text, texts: [text], by: life };
          channels.posted.push(message);
          return { ok: true, channel, ts: message.ts };
        });
        if (!said.ok) throw new WebAPIPlatformError({ ok: false, error: 'cannot_dm_bot', response_metadata: {} });
        return said;
      },
      async update({ channel, ts, text }: { channel: string; ts: string; text: string }) {
        const said = await call(`edit ${ts}: ${text}`, () => {
          const message = channels.at(channel, ts);
          if (!message) return { ok: false };
          message.text = text;
          message.texts.push(text);
          message.by = life;
          return { ok: true };
        });
        if (!said.ok) throw new WebAPIPlatformError({ ok: false, error: 'message_not_found', response_metadata: {} });
        return said;
      },
    },
  };
  return client as unknown as WebClient;
}
