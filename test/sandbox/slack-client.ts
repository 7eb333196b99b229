import type { LocalSlack } from '../../sandbox/slack/index.ts';

type Answer = Record<string, unknown> & { ok: boolean; error?: string };

/** One Web API call as the SDK writes it, without the SDK's own checks and retries. */
export async function call(
  slack: LocalSlack,
  method: string,
  args: Record<string, unknown> = {},
  token = slack.tokens.bot,
): Promise<Answer> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(args))
    body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as Answer;
}

/** A trigger_id fresh from a person's act, with no app there to use it. */
export async function trigger(slack: LocalSlack, user = 'U1'): Promise<string> {
  const delivery = await slack.interactions.command(user, '/proxy', '', 'C1');
  return String(delivery?.body['trigger_id']);
}
