import { z } from 'zod';
import { nearest } from '../nearest.ts';
import { fault, keyName, named, oneEach, type Problem, type Source, toProblem, UNKNOWN_KEY } from './problem.ts';

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

/** All that was found, one problem a key. */
export function toProblems(error: z.ZodError | undefined, source?: Source): readonly Problem[] {
  return oneEach((error?.issues ?? []).flatMap(withinAlternative).flatMap(issueProblems), source);
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
  if (issue.code !== 'unrecognized_keys') return [toProblem(place(path), message)];
  const remedies = message.split('\n');
  return issue.keys.map((key, index) => ({
    key: place([...path, key]),
    problem: UNKNOWN_KEY,
    remedy: remedies[index] ?? '',
  }));
}

/** `access.buy[1]`: entries of a list are counted from 1. */
function place(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${keyName(String(part))}`));
  return parts.join('').replace(/^\./, '');
}
