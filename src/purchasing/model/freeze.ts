export interface Freeze {
  /** Slack user id, or `desk` for the bot itself. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}
