import type { WebClient } from '@slack/web-api';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { type SlackTrouble, troubleOf } from './errors.ts';

export interface SlackWatchDeps {
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** `auth.test` may be asked ten times a second; this is about who waits for the answer. */
const LOOK_EVERY_MS = 30_000;
const LOOK_AGAIN_AFTER_MS = 5_000;

/** One call may be lost. */
const UNREACHABLE_AFTER = 2;

/** Whether Slack takes the bot's calls: a token can be revoked while the connection stands. */
export class SlackWatch {
  readonly #deps: SlackWatchDeps;
  #nextAt: number;
  #unreachable = 0;
  #trouble: string | undefined;

  constructor(deps: SlackWatchDeps) {
    this.#deps = deps;
    this.#nextAt = deps.clock.monotonic() + LOOK_EVERY_MS;
  }

  /** Why no command could be answered, as far as is known; undefined when it could. */
  trouble(): string | undefined {
    return this.#trouble;
  }

  /** A worker's pass; most of them do nothing. */
  async look(): Promise<boolean> {
    const { client, clock, log } = this.#deps;
    if (clock.monotonic() < this.#nextAt) return false;
    try {
      await client.auth.test();
      if (this.#trouble !== undefined) log.info({}, 'Slack answers again');
      this.#trouble = undefined;
      this.#unreachable = 0;
    } catch (error) {
      this.#hear(troubleOf(error));
    }
    const well = this.#trouble === undefined && this.#unreachable === 0;
    this.#nextAt = clock.monotonic() + (well ? LOOK_EVERY_MS : LOOK_AGAIN_AFTER_MS);
    return false;
  }

  #hear(trouble: SlackTrouble): void {
    if (trouble.kind === 'rate_limited') return;
    this.#unreachable = trouble.kind === 'unreachable' ? this.#unreachable + 1 : 0;
    if (trouble.kind === 'unreachable' && this.#unreachable < UNREACHABLE_AFTER) return;
    const why = botTrouble(trouble);
    // One line for one trouble, not one for each look.
    if (why !== this.#trouble) this.#deps.log.error({ ...trouble }, why);
    this.#trouble = why;
  }
}

/** For whoever runs the bot: what keeps its calls from being answered. */
export function botTrouble(trouble: SlackTrouble): string {
  switch (trouble.kind) {
    case 'refused':
      return `Slack refuses SLACK_BOT_TOKEN (${trouble.code})`;
    case 'rate_limited':
      return 'Slack cannot be reached (rate_limited)';
    case 'unreachable':
      return `Slack cannot be reached (${trouble.why})`;
    default:
      return trouble satisfies never;
  }
}
