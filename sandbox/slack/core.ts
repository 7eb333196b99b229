import type { Clock } from '../../src/purchasing/ports/clock.ts';
import type { Faults } from './faults.ts';
import type { Feed } from './feed.ts';
import type { Files } from './files.ts';
import type { Ids } from './ids.ts';
import type { Dict } from './json.ts';
import { excerpt } from './json.ts';
import type { Settings } from './settings.ts';
import type { ApiCall, Delivery, State, Violation } from './types.ts';

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
  readonly files: Files;
  readonly calls: ApiCall[];
  readonly deliveries: Delivery[];
  readonly violations: Violation[];
  readonly now: () => number;
  /** Rules how long an acknowledgement and a delayed answer take. */
  readonly clock: Clock;
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
