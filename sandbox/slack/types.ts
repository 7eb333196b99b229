import type { SharedFile } from './files.ts';
import type { Dict } from './json.ts';

/** On Enterprise Grid one person has two ids: the workspace's (`U…`) and the organisation's (`W…`). */
export type IdKind = 'workspace' | 'enterprise';

export interface Person {
  /** The workspace's id. */
  id: string;
  name: string;
  realName: string;
  deleted: boolean;
  isBot: boolean;
  isRestricted: boolean;
  isUltraRestricted: boolean;
  isStranger: boolean;
  teamId: string;
  /** An IANA name; `tz` and `tz_offset` of users.info. */
  timeZone: string;
  /** Told only to an app with the scope `users:read.email`; null: Slack knows none. */
  email: string | null;
  /** The organisation's id, `enterprise_user.id` of users.info; nobody has one outside Enterprise Grid. */
  enterpriseUserId?: string;
  /** Which id the app is told when this person acts or is listed in a channel; 'workspace' unless said. May change half-way. */
  actsAs?: IdKind;
  /** Which id user groups list; unless said, the one that was written into the group. */
  listedAs?: IdKind;
  /** What the app is told when it writes to this person. */
  refuses: MessageRefusal | null;
}

/** What a manifest offers beside commands: in the menu of every message, or everywhere. */
export interface Shortcut {
  type: 'global' | 'message';
  name: string;
  callbackId: string;
  description: string;
}

/** Errors with which a real workspace refuses a message, beside those that follow from what is archived, private or left. */
export type MessageRefusal =
  | 'restricted_action'
  | 'restricted_action_read_only_channel'
  | 'user_not_visible'
  | 'messages_tab_disabled'
  | 'is_archived'
  | 'channel_not_found'
  | 'not_in_channel';

export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  members: string[];
  disabled: boolean;
}

export interface Channel {
  id: string;
  name: string;
  members: string[];
  archived: boolean;
  /** Shared with another organisation (Slack Connect). */
  shared: boolean;
  hasBot: boolean;
  isPrivate: boolean;
  /** What the app is told when it posts there, such as `restricted_action` by a preference of the workspace. Edits go through. */
  refuses: MessageRefusal | null;
}

export interface Message {
  channel: string;
  ts: string;
  text: string;
  blocks: Dict[];
  /** false: written by a person, so that the app may neither edit nor delete it. */
  byBot: boolean;
  edits: number;
  deleted: boolean;
  /** The `ts` of the message under which it is a reply. */
  threadTs?: string;
  /** A reply that also stands in the channel. */
  broadcast?: boolean;
  metadata?: unknown;
  /** Only this person sees it. */
  ephemeralTo?: string;
  /** The person who wrote it; nobody where the app or Slack did. */
  author?: string;
  /** Beneath its text. */
  files?: readonly SharedFile[];
  /** Written by Slack itself, such as "failed with the error operation_timeout". */
  bySlack?: boolean;
}

export type StateValue = Dict & { type: string };

export interface InputState {
  blockId: string;
  actionId: string;
  value: StateValue;
  /** It came with an update and nobody has touched it since; `settings.presetsByUpdate` says how the state reports it. */
  isUpdatePreset: boolean;
}

export interface ViewRecord {
  id: string;
  type: 'modal' | 'home';
  user: string;
  title: Dict | null;
  submit: Dict | null;
  close: Dict | null;
  blocks: Dict[];
  callbackId: string;
  privateMetadata: string;
  externalId: string;
  clearOnClose: boolean;
  notifyOnClose: boolean;
  hash: string;
  rootViewId: string;
  previousViewId: string | null;
  inputs: Record<string, InputState>;
  /** block_id → what is shown under that input after `response_action: errors`. */
  errors: Record<string, string>;
  /** What Slack shows when an answer was missing or wrong. */
  trouble: string | null;
}

export interface Trigger {
  id: string;
  user: string;
  at: number;
  used: boolean;
  /** The view in which the person acted; only such a trigger may push. */
  viewId: string | null;
}

export interface ResponseUrl {
  id: string;
  user: string;
  channel: string;
  at: number;
  uses: number;
  /** The message whose button was clicked; a command has none, and so nothing to replace. */
  messageTs: string | null;
}

export interface Team {
  id: string;
  name: string;
  domain: string;
}

export interface BotIdentity {
  userId: string;
  botId: string;
  appId: string;
  name: string;
}

/** Everything the local Slack knows: plain data, so that a page can be sent a snapshot. */
export interface State {
  team: Team;
  bot: BotIdentity;
  people: Record<string, Person>;
  groups: Record<string, UserGroup>;
  channels: Record<string, Channel>;
  /** person → id of the direct message channel with the bot. */
  directs: Record<string, string>;
  messages: Message[];
  views: Record<string, ViewRecord>;
  /** person → ids of the open modal's views, bottom first. */
  stacks: Record<string, string[]>;
  /** person → id of the published Home view. */
  homes: Record<string, string>;
  triggers: Record<string, Trigger>;
  responseUrls: Record<string, ResponseUrl>;
}

export interface Violation {
  what: string;
  where: string;
  excerpt: string;
  at: number;
}

export interface ApiCall {
  method: string;
  args: Dict;
  at: number;
  tokenKind: 'bot' | 'app' | 'none' | 'unknown';
  rawBody: string;
  /** What was decided; also present when a fault kept it from the app. */
  answer?: Dict;
  /** Set when a fault was played on this call. */
  fault?: string;
}

export type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api';

export interface Delivery {
  id: string;
  kind: DeliveryKind;
  /** 'command', 'block_actions', 'view_submission', …, or the event's type. */
  type: string;
  via: 'socket' | 'http';
  user: string | null;
  body: Dict;
  sentAt: number;
  envelopeId: string | null;
  retryNum: number;
  /** Milliseconds until the acknowledgement, by the real clock. */
  ackMs: number | null;
  ack: unknown;
  /** Why it counts as not acknowledged: 'operation_timeout', 'dispatch_failed', 'http_404', 'closed'. */
  failure: string | null;
}
