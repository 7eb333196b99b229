/** What a person does once: a click, a command or a submitted view. Slack may deliver it again, even long after; it counts once. */
export interface Click {
  /** Slack user id, as received. */
  readonly user: string;
  /** The same in every delivery of this click, and in no other's. */
  readonly id: string;
}

/** What a click led to when it counted. */
export type ClickResult = 'done' | 'refused';

/** The message whose button somebody pressed, as Slack names it. */
export interface ClickedMessage {
  readonly channel: string;
  readonly ts: string;
  /**
   * The bot's answer to a command, which only the person who typed it sees, and whose place nobody writes down; or a view of the bot's,
   * like the Home tab, which is one person's too.
   */
  readonly isPrivateAnswer: boolean;
}
