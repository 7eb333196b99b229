import type { Place } from './outbox.ts';

/** A message as people get it; its blocks are drawn by the views, and only Slack looks into them. */
export interface Message {
  /** What a notification shows. */
  readonly text: string;
  readonly blocks: readonly object[];
}

/** Whom a message is posted to: a channel, or one person's direct messages with the bot. */
export type Recipient =
  | {
      readonly channel: string;
      /** Under this message of the channel, by its `ts`; `broadcast`: and in the channel as well. */
      readonly thread?: { readonly ts: string; readonly broadcast: boolean };
    }
  | { readonly user: string };

export type Sent = { readonly place: Place } | Undelivered;

/** Why a message does not stand in Slack, by what can be done about it. */
export type Undelivered =
  | { readonly kind: 'rate_limited'; readonly why: string; readonly retryAfterSeconds: number }
  /** No answer, or none that can be read: Slack may have taken it all the same. */
  | { readonly kind: 'unreachable'; readonly why: string }
  /** Slack does not take it as things are (an archived channel, a missing scope, a revoked token); a person can mend that. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Slack will never take it: the person is gone, or the message can no longer be edited. */
  | { readonly kind: 'impossible'; readonly why: string }
  /** The message to be edited is no longer there: a person or a retention rule has deleted it. */
  | { readonly kind: 'gone'; readonly why: string };

/** Posts and edits messages in Slack, each with one call that is never repeated: a repeated post is a second message. */
export interface Messenger {
  post(to: Recipient, message: Message): Promise<Sent>;
  edit(place: Place, message: Message): Promise<Sent>;
  /** The address under which a posted message opens; null where Slack does not name the workspace's own. */
  link(place: Place): string | null;
}
