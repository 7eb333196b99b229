import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Clock } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';
import { botTrouble, type SlackTrouble, troubleOf } from './errors.ts';

/** Called with the outcome of a call, undefined when it succeeded, and how long it took. */
export type Heard = (method: string, trouble: SlackTrouble | undefined, ms: number) => void;

/** Slack's client; reports the outcome of each call. */
export class HeardClient extends WebClient {
  readonly #heard: Heard;

  constructor(token: string, options: WebClientOptions, heard: Heard) {
    super(token, options);
    this.#heard = heard;
  }

  override async apiCall(...[method, options]: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    const began = performance.now();
    try {
      const answer = await super.apiCall(method, asSent(options));
      this.#heard(method, undefined, performance.now() - began);
      return answer;
    } catch (error) {
      this.#heard(method, troubleOf(error), performance.now() - began);
      throw error;
    }
  }
}

/**
 * Arguments as the library sends them. Given as they are, it first copies each of them, down to the last text of a view, for a line of its
 * log that is never written.
 */
function asSent(options: Parameters<WebClient['apiCall']>[1]): typeof options {
  const sent = Object.entries(options ?? {}).map(([name, value]) => {
    const isStructure = typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
    return [name, isStructure ? JSON.stringify(value) : value];
  });
  return Object.fromEntries(sent);
}

export interface SlackWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** `auth.test` may be called ten times a second; this is often enough to notice a revoked token. */
const LOOK_EVERY_MS = 30_000;
const LOOK_AGAIN_AFTER_MS = 5_000;

/** Calls in a row; a single one may be lost. */
const UNREACHABLE_AFTER = 2;

/** Needs no scope: it fails only if the token or the network does. */
const WHO_AM_I = 'auth.test';

/** Codes that say that the token is no longer valid. */
const NOT_LET_IN = new Set(['token_revoked', 'token_expired', 'account_inactive', 'invalid_auth', 'not_authed']);

/** Codes that whoever installed the app has to mend. Other refusals are about the arguments of the call. */
const NOT_ALLOWED = new Set([
  'missing_scope',
  'not_allowed_token_type',
  'no_permission',
  'access_denied',
  'ekm_access_denied',
]);

/** Watches whether Slack accepts the bot's calls: a token can be revoked, or a scope be missing, while the connection stands. */
export class SlackWatch {
  readonly #deps: SlackWatchDeps;
  readonly #failing = new Map<string, Lasting>();
  readonly #lasting: Lasting;
  #nextAt: number;
  #lost = 0;
  #trouble: string | undefined;

  constructor(deps: SlackWatchDeps) {
    this.#deps = deps;
    this.#lasting = new Lasting(deps.clock);
    this.#nextAt = deps.clock.monotonic() + LOOK_EVERY_MS;
  }

  /** Why no command could be answered, as far as is known; undefined when it could. */
  trouble(): string | undefined {
    return this.#trouble;
  }

  /** To be told the outcome of every call. */
  readonly heard: Heard = (method, trouble) => {
    if (method === WHO_AM_I) return;
    if (trouble?.kind === 'refused' && NOT_LET_IN.has(trouble.code)) this.#entangle(trouble);
    const isOurs = trouble && (trouble.kind !== 'refused' || NOT_ALLOWED.has(trouble.code));
    if (isOurs) this.#fails(method, trouble);
    else if (!trouble && this.#failing.delete(method)) this.#deps.log.info({ method }, 'Slack answers this call again');
  };

  /** A worker's pass; asks when it is due. @param ask `auth.test` */
  async look(ask: () => Promise<SlackTrouble | undefined>): Promise<boolean> {
    const { clock } = this.#deps;
    if (clock.monotonic() < this.#nextAt) return false;
    const trouble = await ask();
    this.#lost = trouble?.kind === 'unreachable' ? this.#lost + 1 : 0;
    if (!trouble) this.#mended();
    else if (trouble.kind === 'refused' || this.#lost >= UNREACHABLE_AFTER) this.#entangle(trouble);
    const well = this.#trouble === undefined && this.#lost === 0;
    this.#nextAt = clock.monotonic() + (well ? LOOK_EVERY_MS : LOOK_AGAIN_AFTER_MS);
    return false;
  }

  #mended(): void {
    if (this.#lasting.end()) this.#deps.log.info({}, 'Slack answers again');
    this.#trouble = undefined;
  }

  /** Logs what lasts now and then, not at each look or call. */
  #entangle(trouble: SlackTrouble): void {
    const why = botTrouble(trouble);
    const news = this.#lasting.news(why);
    if (news) this.#deps.log.error({ ...trouble, ...news }, why);
    this.#trouble = why;
    this.#nextAt = Math.min(this.#nextAt, this.#deps.clock.monotonic() + LOOK_AGAIN_AFTER_MS);
  }

  #fails(method: string, trouble: SlackTrouble): void {
    const { clock, log } = this.#deps;
    const lasting = this.#failing.get(method) ?? new Lasting(clock);
    this.#failing.set(method, lasting);
    const news = lasting.news(botTrouble(trouble));
    if (news) log.warn({ method, ...trouble, ...news }, 'Slack does not answer a call as it should');
  }
}
