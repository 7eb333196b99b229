import { type Core, Refused, violate } from './core.ts';
import { type Dict, isDict, parseJson, textAt } from './json.ts';
import { requireContent } from './limits/payloads.ts';
import { deleteMessage, editMessage, findMessage, postMessage } from './messages.ts';
import { threadFor } from './threads.ts';
import type { ResponseUrl } from './types.ts';

const USES_MAX = 5;
const LIFE_MS = 30 * 60_000;

export function issueResponseUrl(core: Core, user: string, channel: string, messageTs: string | null): string {
  const id = core.ids.random(12);
  core.state.responseUrls[id] = { id, user, channel, at: core.now(), uses: 0, messageTs };
  return `${core.origin}/response/${id}`;
}

/** What is answered to one POST: `ok`, or a status with Slack's error code. */
export function answerResponseUrl(core: Core, id: string, raw: string): { status: number; body: Dict | string } {
  const where = 'response_url';
  const refuse = (status: number, code: string) => {
    violate(core, code, where, raw);
    return { status, body: { ok: false, error: code } };
  };
  const url = core.state.responseUrls[id];
  if (!url) return refuse(404, 'invalid_url');
  if (core.now() - url.at > LIFE_MS) return refuse(404, 'expired_url');
  if (url.uses >= USES_MAX) return refuse(404, 'used_url');
  url.uses += 1;
  const parsed = parseJson(raw);
  if (!parsed.ok || !isDict(parsed.value)) return refuse(400, 'invalid_payload');
  try {
    apply(core, url, parsed.value);
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (error instanceof Refused) return { status: 400, body: { ok: false, error: error.code, ...error.extra } };
    throw error;
  }
}

function apply(core: Core, url: ResponseUrl, payload: Dict): void {
  // A command has no message, so its url replaces nothing: Slack posts anew (slack.md, pitfall 31).
  const original = url.messageTs ? findMessage(core, url.channel, url.messageTs) : undefined;
  if (payload['delete_original'] === true) {
    if (!original) throw new Refused('message_not_found');
    deleteMessage(core, original);
    return;
  }
  const content = requireContent(core, payload, 'response_url');
  if (payload['replace_original'] === true && url.messageTs) {
    if (!original) throw new Refused('message_not_found');
    editMessage(core, original, content);
    return;
  }
  const isPublic = payload['response_type'] === 'in_channel';
  const threadTs = threadFor(core, url.channel, textAt(payload, 'thread_ts'), 'response_url');
  postMessage(core, { ...content, channel: url.channel, threadTs, ...(isPublic ? {} : { ephemeralTo: url.user }) });
}
