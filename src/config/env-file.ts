import { parseEnv } from 'node:util';
import { isGarbled, type ReadFile, whyUnreadable } from './files.ts';
import { type Environment, SECRETS } from './given.ts';
import type { Problem } from './problem.ts';

export type EnvFileReading =
  | { readonly ok: true; readonly values: Environment; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads `.env`, which need not be there, as Node's --env-file does; that one cuts a value at a # without a word. */
export function readEnvFile(readFile: ReadFile): EnvFileReading {
  let file: ReturnType<ReadFile>;
  try {
    file = readFile('.env');
  } catch (error) {
    const { absent, why, remedy } = whyUnreadable(error);
    if (absent) return { ok: true, values: {}, warnings: [] };
    return { ok: false, problems: [problem('.env', `is ${why}`, remedy)] };
  }
  const text = file.text.replace(/^\uFEFF/, '');
  if (isGarbled(text)) return { ok: false, problems: [problem('.env', 'is not encoded in UTF-8', 'save it as UTF-8')] };
  const values = parse(text);
  const { cut, commented } = findComments(text, values);
  const early = Object.keys(values).filter((key) => /^NODE_(?!TLS_REJECT_UNAUTHORIZED$|ENV$)/.test(key));
  const problems = [
    ...cut.map((key) => problem(key, 'is cut in .env at a #, which begins a comment', 'put the value in quotes')),
    ...early.map((key) => problem(key, 'is in .env, which Node does not read', 'set it where the program is started')),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const secrets = SECRETS.filter((key) => values[key]);
  const warnings = secrets
    .filter((key) => commented.includes(key))
    .map((key) => `${key}: what follows the # in .env is a comment; if it belongs to the secret, put that in quotes`);
  if (file.readableByOthers && secrets.length > 0)
    warnings.push('.env: the file can be read by other users; chmod 600 keeps it to yourself');
  return { ok: true, values, warnings };
}

function problem(key: string, what: string, remedy: string): Problem {
  return { key, problem: what, remedy };
}

/** Node's parser takes a comment that is indented for a variable named `# …`. */
function parse(text: string): Environment {
  return Object.fromEntries(Object.entries(parseEnv(text)).filter(([name]) => !name.startsWith('#')));
}

/** Stands for a # that Node's parser is to take for an ordinary character. */
const MARK = '\uE000';

/** Variables whose unquoted value ends at a #: cut in the middle of a word, or followed by a blank and a comment. */
function findComments(text: string, values: Environment): { readonly cut: string[]; readonly commented: string[] } {
  const uncut = parse(text.replace(/(?<=^[^\S\n]*\S.*)#/gm, MARK));
  const shortened = Object.entries(uncut).filter(([key, value = '']) => value.replaceAll(MARK, '#') !== values[key]);
  const { cut = [], commented = [] } = Object.groupBy(shortened, ([, value = '']) =>
    /^[^\uE000]*\S\uE000/.test(value) ? 'cut' : 'commented',
  );
  return { cut: cut.map(([key]) => key), commented: commented.map(([key]) => key) };
}
