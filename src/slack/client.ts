import { WebClient, type WebClientOptions } from '@slack/web-api';
import { type SlackTrouble, troubleOf } from './errors.ts';

/** Called with the outcome of a call; undefined when it succeeded. */
export type Heard = (method: string, trouble: SlackTrouble | undefined) => void;

/** Slack's client; reports the outcome of each call. */
export class HeardClient extends WebClient {
  readonly #heard: Heard;

  constructor(token: string, options: WebClientOptions, heard: Heard) {
    super(token, options);
    this.#heard = heard;
  }

  override async apiCall(...[method, options]: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      const answer = await super.apiCall(method, options);
      this.#heard(method, undefined);
      return answer;
    } catch (error) {
      this.#heard(method, troubleOf(error));
      throw error;
    }
  }
}
