/** Removes the token, in every form in which an answer may echo it. */
export type Scrub = (text: string) => string;

const REPLACEMENT = '[removed]';

/** A shorter piece of base64 could be anything; a token has at least 8 characters, hence 9 or more of base64. */
const SHORTEST_CORE = 8;

/** A beginning of the token this long at the end of a text is a token that was cut off, not chance. */
const SHORTEST_PREFIX = 6;

/**
 * Knows the token as it is, escaped for JSON, for a URL or for HTML (also mixed, letter by letter), as hex, and inside
 * base64 at each of its three alignments, in both alphabets. A text cut in the middle of the token loses that end too.
 */
export function createScrub(token: string): Scrub {
  const letters = Array.from(token).map(letterForms);
  const everywhere = new RegExp([letters.join(''), hexForm(token), ...base64Forms(token)].join('|'), 'g');
  const beginning = new RegExp(letters.slice(0, SHORTEST_PREFIX).join(''), 'g');
  const following = letters.slice(SHORTEST_PREFIX).map((letter) => new RegExp(letter, 'y'));

  /** Where a token begins that the end of the text cuts off; the text's length if there is none. */
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

/** A letter whose escape was cut off as well: `%4`, `\\u00`, `&#x4`. */
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

/** The part of the base64 that depends on the token alone, for each number of bytes that may stand before it. */
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
