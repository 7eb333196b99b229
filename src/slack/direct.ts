import type { WebClient } from '@slack/web-api';
import { troubleOf } from './errors.ts';

/**
 * The channel of a person's direct messages with the bot. Where the app lacks `im:write`, Slack takes the person's own id as a
 * channel to post to, and answers with the real one.
 * @throws when Slack gives no answer.
 */
export async function directChannel(client: WebClient, user: string): Promise<string> {
  try {
    const { channel } = await client.conversations.open({ users: user });
    return channel?.id ?? user;
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'refused' && ['missing_scope', 'unknown_method'].includes(trouble.code)) return user;
    throw error;
  }
}
