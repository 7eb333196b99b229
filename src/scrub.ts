/** Removes the token from a text, in every form in which an answer may echo it. */
export type Scrub = (text: string) => string;

const REPLACEMENT = '[removed]';

/** In characters. A shorter piece of base64 may be chance; a token of 8 characters gives at least 9. */
const SHORTEST_CORE = 8;

/** In characters. So much of the token's beginning at the end of a text is a token that was cut off, not chance. */
const SHORTEST_PREFIX = 6;

/**
 * Finds the token as it is; escaped for JSON, URLs or HTML, also mixed letter by letter; as hex; and inside base64, at each of the
 * three alignments and in both alphabets. Also finds a token that is cut off by the end of the text.
 */
export function createScrub(token: string): Scrub {
  const letters = Array.from(token).map(letterForms);
  const everywhere = new RegExp([letters.join(''), hexForm(token), ...base64Forms(token)].join('|'), 'g');
  const beginning = new RegExp(letters.slice(0, SHORTEST_PREFIX).join(''), 'g');
  const following = letters.slice(SHORTEST_PREFIX).map((letter) => new RegExp(letter, 'y'));

  /** Index of a token that the end of the text cuts off; the text's length if there is none. */
  const startOfCutToken = (text: string): number => {
    for (const match of text.matchAll(beginning)) {
      let at = match.index + match[0].length;
      for (const letter of following) {
        letter.lastIndex = at;
        const next = letter.exec(text);
        if (next === null) break;
        at = letter.lastIndex;
      }
      if (at === text.length || UNFINISHED_ESCAPE.test(text.slice(at, at + LONGEST_ESCAPE))) return match.index;
    }
    return text.length;
  };

  return (text) => {
    const whole = text.replace(everywhere, REPLACEMENT);
    const end = startOfCutToken(whole);
    return end === whole.length ? whole : whole.slice(0, end) + REPLACEMENT;
  };
}

/** An escape that was cut off: `%4`, `\\u00`, `&#x4`. */
const UNFINISHED_ESCAPE = /^(?:%[0-9a-fA-F]?|\\(?:u[0-9a-fA-F]{0,3})?|&[#a-zA-Z0-9]{0,7})$/;
const LONGEST_ESCAPE = 9;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Every way to write one character. */
function letterForms(char: string): string {
  const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCaseHex = Array.from(hex).map(anyCase).join('');
  const forms = [
    literal(char),
    `%${anyCaseHex}`,
    `\\\\u00${anyCaseHex}`,
    `&#0*${char.charCodeAt(0)};`,
    `&#[xX]0*${anyCaseHex};`,
    ...(NAMED[char] ?? []),
    ...('"\\/'.includes(char) ? [`\\\\${literal(char)}`] : []),
  ];
  return `(?:${forms.join('|')})`;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
};

function anyCase(char: string): string {
  return /[a-z]/.test(char) ? `[${char}${char.toUpperCase()}]` : literal(char);
}

function hexForm(token: string): string {
  return Array.from(Buffer.from(token).toString('hex')).map(anyCase).join('');
}

/** The base64 digits that depend on the token alone, for each number of bytes before it (modulo 3). */
function base64Forms(token: string): string[] {
  const bytes = Buffer.from(token);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const firstOwn = Math.ceil((before * 8) / 6);
    const afterLastOwn = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(firstOwn, afterLastOwn);
    return core.length < SHORTEST_CORE ? [] : [Array.from(core).map(base64Char).join('')];
  });
}

function base64Char(char: string): string {
  if (char === '+') return '(?:\\+|-|%2[bB])';
  if (char === '/') return '(?:\\\\?\\/|_|%2[fF])';
  return char;
}
