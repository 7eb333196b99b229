import { nearest } from '../nearest.ts';
import { type ReadFile, unreadable } from './files.ts';
import { type Problem, show } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each may be kept in a file that `…_FILE` names instead. The address of a database may hold a password. */
export const SECRETS: readonly string[] = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'PROXY_API_TOKEN',
  'DATABASE_URL',
];

/** Other programs' variables that look like ours. */
const FOREIGN = ['SLACK_API_TOKEN', 'LOGLEVEL'];

/**
 * The variable that an unknown one was most likely meant as, else null. One slip at most, since the environment belongs to others
 * too; and none in a name of one word (PORT), which is too like other words.
 */
function misspelt(name: string, names: readonly string[]): string | null {
  if (names.includes(name) || FOREIGN.includes(name)) return null;
  const long = names.filter((known) => known.includes('_'));
  return nearest(name, long, 1);
}

/** A misspelt variable would be one that is not there: DATABSE_URL would begin an empty ledger. */
export function suggestOf(keys: readonly string[]): (name: string) => string {
  return (name) => `did you mean ${misspelt(name, namesOf(keys))}? Rename it, or remove it`;
}

/** What the environment gives to a schema. */
export interface Given {
  /** Also names that are most likely misspelt, for the schema to refuse. A secret that could not be read is an empty text. */
  readonly values: Readonly<Record<string, string>>;
  /** The name under which a value was given: `…_FILE` where it came from a file. */
  readonly nameOf: (key: string) => string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** All names that may be set. */
function namesOf(keys: readonly string[]): readonly string[] {
  return [...keys, ...keys.filter((key) => SECRETS.includes(key)).map((key) => `${key}_FILE`)];
}

export function gather(keys: readonly string[], env: Environment, readFile: ReadFile): Given {
  const values: Record<string, string> = {};
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const names = namesOf(keys);
  /** A blank one counts as not set, since that is how a variable is emptied in a `.env` file. */
  const text = (name: string): string | undefined => {
    const value = names.includes(name) && Object.hasOwn(env, name) ? env[name] : undefined;
    return value?.trim() ? value : undefined;
  };
  const contents = (name: string, path: string): string => {
    try {
      const file = readFile(path);
      if (file.readableByOthers)
        warnings.push(`${name}: the file can be read by other users; chmod 600 keeps it to yourself`);
      if (file.text.trim() !== '') return file.text;
      problems.push({ key: name, problem: 'names an empty file', remedy: 'write the secret into it' });
    } catch (error) {
      problems.push(unreadable(name, show(path), error));
    }
    return '';
  };

  for (const key of keys) {
    const [inline, path] = [text(key), text(`${key}_FILE`)];
    if (inline !== undefined && path !== undefined)
      problems.push({ key, problem: `is set, and so is ${key}_FILE`, remedy: 'keep one of the two' });
    const value = inline ?? (path === undefined ? undefined : contents(`${key}_FILE`, path));
    // Editors and `echo` end a file with a line break.
    if (value !== undefined) values[key] = value.replace(/\r?\n$/, '');
  }
  for (const [name, value] of Object.entries(env))
    if (value?.trim() && misspelt(name, names) !== null) values[name] = value;
  return {
    values,
    problems,
    warnings,
    nameOf: (key) => (text(key) === undefined && text(`${key}_FILE`) !== undefined ? `${key}_FILE` : key),
  };
}

/** Where the policy stands; also when the rest cannot be read, so that all problems of both are reported at once. */
export function policyFile(env: Environment): string {
  return env['POLICY_FILE']?.trim() || 'policy.yml';
}
