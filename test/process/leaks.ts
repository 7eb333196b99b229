/** Finds secrets in whatever left the program, in every form in which one could travel. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Output {
  readonly name: string;
  readonly bytes: string | Buffer;
}

/** A piece of so many characters of a random token is no chance. */
const PIECE = 12;

/** @returns in words where which secret was found; never the secret itself. */
export function findLeaks(secrets: readonly Secret[], outputs: readonly Output[]): readonly string[] {
  const found: string[] = [];
  for (const { name: output, bytes } of outputs) {
    const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
    for (const { name: secret, value } of secrets) {
      const form = Object.entries(formsOf(value)).find(([, needles]) =>
        needles.some((needle) => text.includes(needle)),
      );
      if (form) found.push(`${secret} is in ${output}, ${form[0]}`);
    }
  }
  return found;
}

export function countOf(text: string, secret: string): number {
  return text.split(secret).length - 1;
}

export function formsOf(value: string): Readonly<Record<string, readonly string[]>> {
  const each = (write: (code: number) => string) => Array.from(value, (char) => write(char.charCodeAt(0))).join('');
  const hex = (code: number) => code.toString(16).padStart(2, '0');
  return {
    raw: [value],
    'in a piece': Array.from({ length: Math.max(1, value.length - PIECE + 1) }, (_, at) => value.slice(at, at + PIECE)),
    'escaped for JSON': [
      each((code) => `\\u00${hex(code)}`),
      each((code) => `\\u00${hex(code).toUpperCase()}`),
      JSON.stringify(value).slice(1, -1),
    ],
    'percent-encoded': [
      encodeURIComponent(value),
      each((code) => `%${hex(code)}`),
      each((code) => `%${hex(code).toUpperCase()}`),
    ],
    'escaped for HTML': [each((code) => `&#${code};`), each((code) => `&#x${hex(code)};`)],
    'in hex': [each(hex), each(hex).toUpperCase()],
    'in base64': base64Cores(value),
    'in UTF-16': [each((code) => `${String.fromCharCode(code)}\0`)],
  };
}

/** What base64 makes of the value alone, whatever stands before and after it: three alignments, two alphabets. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
      .toString('base64')
      .replace(/=+$/, '');
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
