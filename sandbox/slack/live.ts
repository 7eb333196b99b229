import { type Dict, isDict, textAt } from './json.ts';

export interface LivePart {
  kind: 'person' | 'group' | 'broadcast' | 'channel' | 'link';
  /** The id, the range (here, channel, everyone) or the address. */
  target: string;
  /** Where it stands, as a JSON pointer. */
  at: string;
  /** true: plain characters that Slack makes live by itself. */
  bare: boolean;
}

/**
 * Everything in a message (or view) that would be more than letters in Slack: mentions that notify, links that lead
 * somewhere or unfurl. A test asserts with it that nothing a person typed is live. Where Slack's behaviour is not
 * certain (a token inside code, the fallback text of a message with blocks), the part counts as live.
 */
export function liveParts(message: { text?: string; blocks?: unknown[] }): LivePart[] {
  return [...(message.text ? fromMrkdwn(message.text, '/text', false) : []), ...walk(message.blocks ?? [], '/blocks')];
}

function walk(value: unknown, at: string): LivePart[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => walk(entry, `${at}/${index}`));
  if (!isDict(value)) return [];
  const own = ownParts(value, at);
  return [...own, ...Object.entries(value).flatMap(([key, entry]) => walk(entry, `${at}/${key}`))];
}

function ownParts(value: Dict, at: string): LivePart[] {
  const part = (kind: LivePart['kind'], key: string): LivePart[] => [
    { kind, target: String(value[key]), at, bare: false },
  ];
  switch (value['type']) {
    case 'mrkdwn':
      return fromMrkdwn(textAt(value, 'text') ?? '', `${at}/text`, value['verbatim'] === true);
    case 'markdown':
      return fromMrkdwn(textAt(value, 'text') ?? '', `${at}/text`, false);
    case 'user':
      return part('person', 'user_id');
    case 'usergroup':
      return part('group', 'usergroup_id');
    case 'broadcast':
      return part('broadcast', 'range');
    case 'link':
      return part('link', 'url');
    case 'channel':
      return typeof value['channel_id'] === 'string' ? part('channel', 'channel_id') : [];
    case 'button':
      return typeof value['url'] === 'string' ? part('link', 'url') : [];
    default:
      return [];
  }
}

const TOKEN = /<([^<>\s][^<>]*)>/g;
/** What Slack's clients turn into a link by themselves: addresses with or without scheme, mail addresses. */
const BARE_LINK =
  /(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)[^\s<>|]+|[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|dev|app|co|ai|eu|us|uk|de|nl|fr|info|biz|xyz|me|ru|cn|in|gov|edu)\b(?:[/?#][^\s<>|]*)?/gi;
const BARE_BROADCAST = /(?<![\w@])@(here|channel|everyone)\b/g;

function fromMrkdwn(text: string, at: string, verbatim: boolean): LivePart[] {
  const parts: LivePart[] = [...text.matchAll(TOKEN)].map(([, inner = '']) => fromToken(inner, at));
  if (verbatim) return parts;
  const rest = text.replace(TOKEN, ' ').replace(/`+[^`]*`+/g, ' ');
  for (const [target] of rest.matchAll(BARE_LINK)) parts.push({ kind: 'link', target, at, bare: true });
  for (const [, target = ''] of rest.matchAll(BARE_BROADCAST))
    parts.push({ kind: 'broadcast', target, at, bare: true });
  return parts;
}

function fromToken(inner: string, at: string): LivePart {
  const [target = ''] = inner.split('|', 1);
  const part = (kind: LivePart['kind'], found: string): LivePart => ({ kind, target: found, at, bare: false });
  if (target.startsWith('@')) return part('person', target.slice(1));
  if (target.startsWith('#')) return part('channel', target.slice(1));
  if (target.startsWith('!subteam^')) return part('group', target.slice(9));
  if (target.startsWith('!')) return part('broadcast', target.slice(1).split('^')[0] ?? '');
  return part('link', target);
}
