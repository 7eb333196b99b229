import type { AppListing } from '../demo/wire.ts';

export interface Completion {
  /** What the box then holds. */
  readonly text: string;
  readonly shown: string;
  readonly about: string;
}

/** Not what stands between the words that may follow one verb: `orders [mine | ended]`. */
const BETWEEN_VERBS = /\|(?![^[\]]*\])/;

/** For a box that begins with a slash: the commands, and after a whole one what its usage hint offers. */
export function completionsFor(typed: string, { commands }: AppListing): readonly Completion[] {
  if (!typed.startsWith('/') || typed.includes('\n')) return [];
  const known = commands.find(({ command }) => typed.startsWith(`${command} `));
  if (!known)
    return commands
      .filter(({ command }) => command.startsWith(typed))
      .map(({ command, description, usageHint }) => ({
        text: `${command} `,
        shown: `${command} ${usageHint}`,
        about: description,
      }));
  const rest = typed.slice(known.command.length + 1);
  if (/\s/.test(rest)) return [];
  return known.usageHint.split(BETWEEN_VERBS).flatMap((part) => {
    const hint = part.trim();
    const [verb = ''] = hint.split(/[\s[<]/);
    if (!verb.startsWith(rest.toLowerCase()) || verb === '') return [];
    const isWhole = verb === hint;
    return [{ text: `${known.command} ${verb}${isWhole ? '' : ' '}`, shown: `${known.command} ${hint}`, about: '' }];
  });
}
