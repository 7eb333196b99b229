/** One thing that keeps the program from starting. The wrong value is named unless it may be a secret. */
export interface Problem {
  readonly key: string;
  readonly problem: string;
  readonly remedy: string;
}

/** As people see it. */
export function problemLine({ key, problem, remedy }: Problem): string {
  return `${key} ${problem}: ${remedy}${/[.?]$/.test(remedy) ? '' : '.'}`;
}

/** A schema's message is one text: what is wrong in its first line, how to mend it in its second. */
export function fault(problem: string, remedy: string): string {
  return `${problem}\n${remedy}`;
}

export function toProblem(key: string, message: string): Problem {
  const [problem = '', remedy = ''] = message.split('\n');
  return { key, problem, remedy };
}

export const UNKNOWN_KEY = 'is not known';

/** Where the values came from. */
export interface Source {
  /** Problems that were found before, each of which explains what is wrong with the value of the same key. */
  readonly problems: readonly Problem[];
  readonly nameOf: (key: string) => string;
}

/** All that was found, one problem a key. */
export function oneEach(found: readonly Problem[], source?: Source): readonly Problem[] {
  const named = found.map((problem) => ({ ...problem, key: source?.nameOf(problem.key) ?? problem.key }));
  const problems = [...(source?.problems ?? []), ...named];
  return problems.filter(({ key }, index) => problems.findIndex((other) => other.key === key) === index);
}

/** The message for a value of the wrong kind. */
export function wrong(what: string | ((input: unknown) => string), remedy: string) {
  return {
    error: ({ input }: { readonly input?: unknown }): string => {
      if (input === undefined) return fault('is missing', remedy);
      return fault(named(input, typeof what === 'string' ? what : what(input)), remedy);
    },
  };
}

/** `is "loud", which is not a level`; without the value where it may be a secret in the wrong place. */
export function named(value: unknown, what: string): string {
  const shown = show(value);
  return shown === null ? `is ${what}` : `is ${shown}, which is ${what}`;
}

const LONGEST_SHOWN = 80;

/** Null for what may be a secret. */
export function show(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return mayBeSecret(value) ? null : quote(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : 'empty';
}

function quote(text: string): string {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  const visible = (hidden: string) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(shown).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, visible);
}

/** A Slack token, an address with a password or query, or a long run of letters and digits as tokens are made of. */
function mayBeSecret(text: string): boolean {
  const runs = text.match(/[\w+=-]{16,}/g) ?? [];
  return /xox[a-z]-|xapp-|[:/].*@|:\/\/.*[?#]/is.test(text) || runs.some((run) => /\d/.test(run) || run.length >= 32);
}

export function keyName(key: string): string {
  return mayBeSecret(key) || !/^[\w:<-]+$/.test(key) ? (show(key) ?? '…') : key;
}
