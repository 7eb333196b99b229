/** Slack's mrkdwn as a tree. Pure; nothing in it is ever markup. */
export type Piece =
  | { readonly kind: 'text' | 'code' | 'pre'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike' | 'quote'; readonly inside: readonly Piece[] }
  | { readonly kind: 'person' | 'channel' | 'group'; readonly id: string; readonly label: string | null }
  | { readonly kind: 'broadcast'; readonly range: string }
  | {
      readonly kind: 'date';
      readonly at: number;
      readonly format: string;
      readonly url: string | null;
      readonly fallback: string;
    }
  | { readonly kind: 'link'; readonly url: string; readonly label: string };

/** The three entities, once: `&amp;lt;` is `&lt;` afterwards. */
export function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_all, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));
}

/** @param verbatim true: what merely looks like an address stays letters */
export function parseMrkdwn(text: string, verbatim: boolean): readonly Piece[] {
  return text.split(/(```[\s\S]+?```)/).flatMap((part): readonly Piece[] => {
    if (/^```[\s\S]+```$/.test(part))
      return [{ kind: 'pre', text: unescaped(part.slice(3, -3).replace(/^\n|\n$/g, '')) }];
    return quotes(part, verbatim);
  });
}

/** Neighbouring lines that begin with `>` are one quote. */
function quotes(text: string, verbatim: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain: string[] = [];
  let quoted: string[] = [];
  const flush = () => {
    if (quoted.length > 0) pieces.push({ kind: 'quote', inside: inline(quoted.join('\n'), verbatim) });
    if (plain.length > 0) pieces.push(...inline(plain.join('\n'), verbatim));
    quoted = [];
    plain = [];
  };
  for (const line of text.split('\n')) {
    const inQuote = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (inQuote ? plain.length > 0 : quoted.length > 0) flush();
    if (inQuote) quoted.push(inQuote[1] ?? '');
    else plain.push(line);
  }
  flush();
  return pieces;
}

const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const;
const MARKED = {
  '*': /^\*(\S(?:[^*\n]*?\S)?)\*(?![\w*])/,
  _: /^_(\S(?:[^_\n]*?\S)?)_(?![\w_])/,
  '~': /^~(\S(?:[^~\n]*?\S)?)~(?![\w~])/,
} as const;
const BARE_LINK = /^(?:https?:\/\/|mailto:)[^\s<>|]*[^\s<>|.,;:!?)\]'"]/;

function inline(text: string, verbatim: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let letters = '';
  const push = (...more: Piece[]) => {
    if (letters !== '') pieces.push({ kind: 'text', text: unescaped(letters) });
    letters = '';
    pieces.push(...more);
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const startsWord = at === 0 || !/[\w*_~]/.test(text[at - 1] ?? '');
    const [first = ''] = rest;
    const code = /^`([^`\n]+)`/.exec(rest);
    const token = /^<([^<>\n]+)>/.exec(rest);
    const mark = startsWord && isMark(first) ? MARKED[first].exec(rest) : null;
    const bare = startsWord && !verbatim ? BARE_LINK.exec(rest) : null;
    const [matched] = code ?? token ?? mark ?? bare ?? [first];
    if (code) push({ kind: 'code', text: unescaped(code[1] ?? '') });
    else if (token) push(readToken(token[1] ?? ''));
    else if (mark && isMark(first)) push({ kind: MARKS[first], inside: inline(mark[1] ?? '', verbatim) });
    else if (bare) push({ kind: 'link', url: unescaped(matched), label: unescaped(matched) });
    else letters += first;
    at += matched.length;
  }
  push();
  return pieces;
}

function isMark(character: string): character is keyof typeof MARKS {
  return Object.hasOwn(MARKS, character);
}

function readToken(inner: string): Piece {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? null : unescaped(inner.slice(bar + 1));
  if (target.startsWith('@')) return { kind: 'person', id: target.slice(1), label };
  if (target.startsWith('#')) return { kind: 'channel', id: target.slice(1), label };
  if (target.startsWith('!subteam^')) return { kind: 'group', id: target.slice(9), label };
  if (target.startsWith('!date^')) {
    const [, at = '', format = '', url = null] = target.split('^');
    return { kind: 'date', at: Number(at), format, url, fallback: label ?? '' };
  }
  if (target.startsWith('!')) return { kind: 'broadcast', range: target.slice(1) };
  return { kind: 'link', url: unescaped(target), label: label ?? unescaped(target) };
}
