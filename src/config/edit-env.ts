import { isDeepStrictEqual, parseEnv } from 'node:util';

/** What `.env` is to say; an empty text empties a variable, which then counts as not set. */
export type EnvChanges = ReadonlyMap<string, string>;

/**
 * Sets variables in the text of a `.env`, and leaves all else as it is, to the byte. One that is there only as a comment
 * (`# PORT=3000`) takes that line's place.
 * @returns undefined where that cannot be done so that Node reads what is meant: a value of several lines, one with every kind of quote.
 */
export function editEnv(text: string, changes: EnvChanges): string | undefined {
  let edited = text;
  const before = read(text);
  for (const [name, value] of changes) {
    // The end of the old value would stay behind.
    if (before[name]?.includes('\n')) return undefined;
    const line = setting(name, value);
    if (line === undefined) return undefined;
    edited = replaceLine(edited, name, line);
  }
  const wanted = { ...before, ...Object.fromEntries(changes) };
  return isDeepStrictEqual(read(edited), wanted) ? edited : undefined;
}

function read(text: string): Record<string, string | undefined> {
  return { ...parseEnv(text.replace(/^\uFEFF/, '')) };
}

/** In quotes where Node would cut it, or take off what belongs to it. */
function setting(name: string, value: string): string | undefined {
  if (/^[\w:/.,@%?&=+~-]*$/.test(value)) return `${name}=${value}`;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  return quote === undefined ? undefined : `${name}=${quote}${value}${quote}`;
}

/** The last one counts, as Node reads it. */
function replaceLine(text: string, name: string, line: string): string {
  const lines = text.split('\n');
  const set = lines.findLastIndex((each) => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(each));
  const at = set >= 0 ? set : lines.findIndex((each) => new RegExp(`^\\s*#\\s*${name}=`).test(each));
  if (at < 0) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const end = lines[at]?.endsWith('\r') ? '\r' : '';
  return lines.with(at, `${line}${end}`).join('\n');
}
