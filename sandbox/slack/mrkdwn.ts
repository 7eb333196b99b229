import { findPerson } from './people.ts';
import type { State } from './types.ts';

/** The little of the world that turns ids into names. */
export type Names = Pick<State, 'people' | 'groups' | 'channels'>;

export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** mrkdwn as a person reads it: names for ids, labels for links, marks gone. */
export function readMrkdwn(text: string, names?: Names): string {
  const pieces = text.split(/(`+[^`]*`+)/);
  return pieces
    .map((piece) => (piece.startsWith('`') ? unescaped(piece.replaceAll('`', '')) : readPiece(piece, names)))
    .join('');
}

function readPiece(text: string, names: Names | undefined): string {
  const plain = text
    .replace(/(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])/g, '$1')
    .replace(/(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])/g, '$1')
    .replace(/<([^<>]+)>/g, (_all, inner: string) => readToken(inner, names));
  return unescaped(plain);
}

/** By either id of the person. */
export function nameOf(user: string, names: Names | undefined): string | undefined {
  return names && findPerson(names, user)?.name;
}

function readToken(inner: string, names: Names | undefined): string {
  const [target = '', label] = inner.split('|', 2);
  if (target.startsWith('@')) return `@${nameOf(target.slice(1), names) ?? label ?? target.slice(1)}`;
  if (target.startsWith('#')) return `#${names?.channels[target.slice(1)]?.name ?? label ?? target.slice(1)}`;
  if (target.startsWith('!subteam^')) return `@${names?.groups[target.slice(9)]?.handle ?? label ?? target.slice(9)}`;
  if (target.startsWith('!date^')) return label ?? target;
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  return label ?? target;
}
