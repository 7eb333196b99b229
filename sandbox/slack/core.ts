import type { Faults } from './faults.ts';
import type { Feed } from './feed.ts';
import type { Ids } from './ids.ts';
import type { Dict } from './json.ts';
import { excerpt } from './json.ts';
import type { ApiCall, Delivery, IdKind, State, Violation } from './types.ts';

/** Switches a test may flip while the server runs. */
export interface Settings {
  /** Slack gives an app 3 s; a smaller number lets a test prove lateness without sleeping. */
  ackLimitMs: number;
  /** true: a late acknowledgement is no violation. */
  allowLateAck: boolean;
  /** true: Slack answers the closing handshake of a socket and leaves TCP open, until `sockets.releaseTcp()` or the app ends it. */
  keepTcpOpen: boolean;
  /** true: more calls than a method's tier allows are answered 429 with Retry-After. */
  enforceTiers: boolean;
  homeTabEnabled: boolean;
  messagesTabEnabled: boolean;
  /**
   * How the state reports an `initial_*` that came by an update (`views.update` or `response_action: update`), until the
   * person has touched that element: as shown, not at all, or as empty. All three are seen of the real one.
   */
  presetsByUpdate: 'reported' | 'missing' | 'null';
  /** `id` of users.info for a person with two: the one asked for, or always the same. */
  usersInfoId: 'asked' | IdKind;
  /** true: usergroups.list leaves `users` out although `include_users` was asked for. */
  omitGroupUsers: boolean;
  scopes: string[];
  /** Event types the app is subscribed to. */
  events: string[];
}

export interface Tokens {
  bot: string;
  app: string;
  signingSecret: string;
  /** The deprecated verification token, present in every payload. */
  verification: string;
}

/** What every part of the local Slack works on. */
export interface Core {
  readonly state: State;
  readonly settings: Settings;
  readonly tokens: Tokens;
  readonly ids: Ids;
  readonly feed: Feed;
  readonly faults: Faults;
  readonly calls: ApiCall[];
  readonly deliveries: Delivery[];
  readonly violations: Violation[];
  readonly now: () => number;
  /** Rules the rate limits alone. */
  readonly paceNow: () => number;
  /** http://127.0.0.1:port, known once listening. */
  origin: string;
}

export function violate(core: Core, what: string, where: string, payload: unknown): void {
  const violation = { what, where, excerpt: excerpt(payload), at: core.now() };
  core.violations.push(violation);
  core.feed.emit({ type: 'violation', violation });
}

/** An answer `{ok: false, error}` in HTTP 200, as Slack refuses. */
export class Refused extends Error {
  readonly code: string;
  readonly extra: Dict;
  constructor(code: string, extra: Dict = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}
