import type { Faults } from './faults.ts';
import type { Feed } from './feed.ts';
import type { Ids } from './ids.ts';
import type { Dict } from './json.ts';
import { excerpt } from './json.ts';
import type { ApiCall, Delivery, State, Violation } from './types.ts';

/** Switches a test may flip while the server runs. */
export interface Settings {
  /** Slack gives an app 3 s; a smaller number lets a test prove lateness without sleeping. */
  ackLimitMs: number;
  /** true: a late acknowledgement is no violation. */
  allowLateAck: boolean;
  /** true: Slack answers the closing handshake of a socket and leaves TCP open, until `sockets.releaseTcp()` or the app ends it. */
  keepTcpOpen: boolean;
  /** A click on a connection that ended before its acknowledgement: gone, or sent again over the next one. Both are reported. */
  unackedAtClose: 'lost' | 'redelivered';
  homeTabEnabled: boolean;
  messagesTabEnabled: boolean;
  /** true: the mild case, in which an `initial_*` that came by update is in the state at once (see slack.md, pitfall 16). */
  reportNewInitials: boolean;
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
