/** The message whose button somebody pressed, as Slack names it. */
export interface ClickedMessage {
  readonly channel: string;
  readonly ts: string;
  /** The bot's answer to a command, which only the person who typed it sees, and whose place nobody writes down. */
  readonly isPrivateAnswer: boolean;
}
