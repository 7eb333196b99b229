import type { types } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Message, Messenger, Recipient, Sent, Undelivered } from '../purchasing/ports/messenger.ts';
import type { Place } from '../purchasing/ports/outbox.ts';
import { troubleOf } from './errors.ts';

/** What nobody can mend: the person is gone or out of the bot's sight, the message is too old to be edited. */
const IMPOSSIBLE = new Set([
  'cant_update_message',
  'edit_window_closed',
  'user_not_found',
  'user_not_visible',
  'user_disabled',
  'cannot_dm_bot',
]);

export class SlackMessenger implements Messenger {
  /** Without retries of its own. */
  readonly #client: WebClient;
  /** `https://example.slack.com/`, as `auth.test` says; null where it does not. */
  readonly #workspaceUrl: string | null;
  readonly #directChannels = new Map<string, string>();

  constructor(client: WebClient, workspaceUrl: string) {
    this.#client = client;
    this.#workspaceUrl = /^https:\/\/[^\s|<>]+\/$/.test(workspaceUrl) ? workspaceUrl : null;
  }

  async post(to: Recipient, message: Message): Promise<Sent> {
    try {
      return { place: await this.#post(to, message) };
    } catch (error) {
      return undelivered(error);
    }
  }

  async edit({ channel, ts }: Place, { text, blocks }: Message): Promise<Sent> {
    try {
      // Without blocks an edit would leave the old ones, with their buttons.
      await this.#client.chat.update({ channel, ts, text, blocks: known(blocks) });
      return { place: { channel, ts } };
    } catch (error) {
      // With its channel the message is gone too. Of other channels the bot may only have lost sight.
      if (isGoneChannel(error) && channel.startsWith('D')) return { kind: 'gone', why: 'channel_not_found' };
      return undelivered(error);
    }
  }

  link({ channel, ts }: Place): string | null {
    return this.#workspaceUrl === null ? null : `${this.#workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;
  }

  async #post(to: Recipient, message: Message): Promise<Place> {
    if ('channel' in to) return postIn(this.#client, to.channel, message, to.thread);
    const known = this.#directChannels.get(to.user);
    if (known !== undefined)
      try {
        return await postIn(this.#client, known, message);
      } catch (error) {
        if (!isGoneChannel(error)) throw error;
      }
    const channel = await directChannel(this.#client, to.user);
    const place = await postIn(this.#client, channel, message);
    this.#directChannels.set(to.user, channel);
    return place;
  }
}

/**
 * The channel of a person's direct messages with the bot. Where the app lacks `im:write`, Slack takes the person's own id as a
 * channel to post to, and answers with the real one.
 * @throws when Slack gives no answer.
 */
export async function directChannel(client: WebClient, user: string): Promise<string> {
  try {
    const { channel } = await client.conversations.open({ users: user });
    return channel?.id ?? user;
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && ['missing_scope', 'unknown_method'].includes(trouble.code)) return user;
    throw error;
  }
}

async function postIn(
  client: WebClient,
  channel: string,
  { text, blocks }: Message,
  thread?: { readonly ts: string; readonly broadcast: boolean },
): Promise<Place> {
  const content = { text, blocks: known(blocks), unfurl_links: false, unfurl_media: false };
  const under =
    thread && (thread.broadcast ? { thread_ts: thread.ts, reply_broadcast: true as const } : { thread_ts: thread.ts });
  const posted = await client.chat.postMessage({ channel, ...content, ...under });
  if (!posted.ts) throw new Error('chat.postMessage gave no ts');
  return { channel: posted.channel ?? channel, ts: posted.ts };
}

function isGoneChannel(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.kind === 'refused' && trouble.code === 'channel_not_found';
}

/** The views draw nothing but Slack's own blocks. */
function known(blocks: Message['blocks']): types.KnownBlock[] {
  return [...(blocks as readonly types.KnownBlock[])];
}

export function undelivered(error: unknown): Undelivered {
  const trouble = troubleOf(error);
  switch (trouble.kind) {
    case 'rate_limited':
      return { kind: 'rate_limited', why: 'rate limited', retryAfterSeconds: trouble.retryAfterSeconds };
    case 'unreachable':
      return trouble;
    case 'refused':
      if (trouble.code === 'message_not_found') return { kind: 'gone', why: trouble.code };
      return { kind: IMPOSSIBLE.has(trouble.code) ? 'impossible' : 'refused', why: trouble.code };
    default:
      return trouble satisfies never;
  }
}
