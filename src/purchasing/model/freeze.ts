export interface Freeze {
  /** Slack user id, `desk` for the bot itself, or an operator. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}
