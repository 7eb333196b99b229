import { z } from 'zod';
import { nearest } from '../nearest.ts';

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

/** A mapping that knows its keys: a misspelt limit must not be a limit that is not there. */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  suggest = suggestKey(Object.keys(shape)),
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(suggest).join('\n')
        : fault(
            named(issue.input, 'not a mapping'),
            `write ${Object.keys(shape).join(', ')} below it, each with a colon`,
          ),
  });
}

function suggestKey(known: readonly string[]) {
  return (key: string): string => {
    const meant = nearest(key, known);
    if (meant === null) return `use one of ${known.join(', ')}`;
    return key === `${meant}:` ? 'write one colon after it' : `did you mean ${meant}?`;
  };
}

/** What was given to the schema. */
interface Source {
  /** Problems that were found before, each of which explains what the schema says of the same key. */
  readonly problems: readonly Problem[];
  readonly nameOf: (key: string) => string;
}

/** All that was found, one problem a key. */
export function toProblems(error: z.ZodError | undefined, source?: Source): readonly Problem[] {
  const found = (error?.issues ?? []).flatMap(withinAlternative).flatMap(issueProblems);
  const named = found.map((problem) => ({ ...problem, key: source?.nameOf(problem.key) ?? problem.key }));
  const problems = [...(source?.problems ?? []), ...named];
  return problems.filter(({ key }, index) => problems.findIndex((other) => other.key === key) === index);
}

/** Of several alternatives, the one that the value was meant as is where its problems are looked for. */
function withinAlternative(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((found) =>
    found.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return meant?.flatMap((inner) => withinAlternative({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function issueProblems({ message, path, ...issue }: z.core.$ZodIssue): readonly Problem[] {
  const lines = message.split('\n');
  if (issue.code !== 'unrecognized_keys')
    return [{ key: place(path), problem: lines[0] ?? '', remedy: lines[1] ?? '' }];
  return issue.keys.map((key, index) => ({
    key: place([...path, key]),
    problem: 'is not known',
    remedy: lines[index] ?? '',
  }));
}

/** `access.buy[1]`: entries of a list are counted from 1. */
function place(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${keyName(String(part))}`));
  return parts.join('').replace(/^\./, '');
}

export function keyName(key: string): string {
  return mayBeSecret(key) || !/^[\w:<-]+$/.test(key) ? (show(key) ?? '…') : key;
}
