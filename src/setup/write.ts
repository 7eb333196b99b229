import { editEnv } from '../config/edit-env.ts';
import { editPolicy } from '../config/edit-policy.ts';
import { SECRETS } from '../config/given.ts';
import { readPolicy } from '../config/policy.ts';
import { type Problem, problemLine, show } from '../config/problem.ts';
import type { Ask } from './ask.ts';
import type { Draft } from './draft.ts';
import { hasChanged, replaceFile, type Target } from './files.ts';
import type { Found, Templates } from './present.ts';

interface Change {
  readonly target: Target;
  readonly text: string;
  readonly mode: number;
  /** What people are shown of it. */
  readonly lines: readonly string[];
}

const FOR_ITS_OWNER_ALONE = 0o600;
const FOR_ALL_TO_READ = 0o644;

export type Written = 'written' | 'nothing to write' | 'declined' | 'failed';

/** Shows what would be changed, and writes it after a yes: each file whole, or not at all. */
export async function writeAll(ask: Ask, draft: Draft, found: Found, templates: Templates): Promise<Written> {
  const planned = [envChange(draft, found, templates), policyChange(draft, found, templates)];
  const problems = planned.flatMap((change) => (Array.isArray(change) ? (change as readonly Problem[]) : []));
  if (problems.length > 0) {
    ask.bad(`Nothing is written:\n${problems.map(problemLine).join('\n')}`);
    return 'failed';
  }
  const changes = planned.filter((change): change is Change => change !== undefined && 'target' in change);
  if (changes.length === 0) return 'nothing to write';
  for (const { target, lines } of changes)
    ask.say(
      `${target.path}${target.text === null ? ', a new file' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  const names = changes.map(({ target }) => target.path).join(' and ');
  if (!(await ask.yesOrNo(`Write ${names}?`, true))) return 'declined';
  for (const { target, text, mode } of changes) {
    if (hasChanged(target)) {
      ask.bad(`${target.path} was changed by somebody else meanwhile, and is left as it is. Run setup again.`);
      return 'failed';
    }
    try {
      replaceFile(target, text, mode);
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : 'for a reason unknown';
      ask.bad(`${target.path} could not be written (${why}), and is as it was. Look at its folder and disk.`);
      return 'failed';
    }
    ask.good(`${target.path} is written${mode === FOR_ITS_OWNER_ALONE ? ', for its owner alone (mode 600)' : ''}.`);
  }
  return 'written';
}

/** Also where only its mode is to be changed: others can read the secrets that are there. */
function envChange(
  draft: Draft,
  { present, envTarget }: Found,
  templates: Templates,
): Change | readonly Problem[] | undefined {
  const before = envTarget.text ?? templates.env;
  const text = editEnv(before, draft.env);
  if (text === undefined) {
    const names = [...draft.env.keys()].join(', ');
    const problem = `has ${names} in a form that setup does not change safely`;
    return [{ key: envTarget.path, problem, remedy: 'put each on one line of its own, and run setup again' }];
  }
  const isOpen = envTarget.stats !== undefined && (envTarget.stats.mode & 0o077) !== 0;
  if (draft.env.size === 0 && !isOpen) return undefined;
  const lines = [...draft.env].map(([name, value]) => describe(name, present.env[name] ?? '', value));
  if (isOpen) lines.push('others may read it: from now on its owner alone (mode 600)');
  return { target: envTarget, text, mode: FOR_ITS_OWNER_ALONE, lines };
}

/** Never a secret. */
function describe(name: string, before: string, value: string): string {
  if (value === '') return `${name}  taken out`;
  if (SECRETS.includes(name)) return `${name}  ${before.trim() === '' ? 'set' : 'changed'} (not shown)`;
  // A password may stand in an address that the bot would refuse.
  const old = before.trim() === '' ? null : show(before);
  return old === null ? `${name}  ${value}` : `${name}  ${old} → ${value}`;
}

function policyChange(
  draft: Draft,
  { present, policyTarget }: Found,
  templates: Templates,
): Change | readonly Problem[] | undefined {
  const { edits } = draft;
  if (edits.length === 0) return undefined;
  const before = present.policy === null ? templates.policy : (policyTarget.text ?? '');
  const text = editPolicy(before, edits);
  if (text === undefined) {
    const problem = 'is written in a way that setup does not change safely (an alias, a text of several lines)';
    const remedy = `change these by hand: ${edits.map(({ path, value }) => `${path.join('.')}: ${shown(value)}`).join(', ')}`;
    return [{ key: policyTarget.path, problem, remedy }];
  }
  const reading = readPolicy(text);
  if (!reading.ok) return reading.problems;
  const named = (value: unknown) =>
    shown(value).replace(/\b[SCG][A-Z0-9]+\b/g, (id) => (draft.names.has(id) ? `${draft.names.get(id)} (${id})` : id));
  const lines = edits.map(({ path: [section, key], value }) => {
    const name = key === undefined ? section : `${section}.${key}`;
    const old =
      key === undefined
        ? present.policy?.[section]
        : (present.policy?.[section] as Record<string, unknown> | undefined)?.[key];
    return old === undefined ? `${name}  ${named(value)}` : `${name}  ${named(old)} → ${named(value)}`;
  });
  const mode = policyTarget.stats === undefined ? FOR_ALL_TO_READ : policyTarget.stats.mode & 0o777;
  return { target: policyTarget, text, mode, lines };
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return value
    .map((each: unknown) =>
      typeof each === 'object' && each !== null ? `\n    ${Object.values(each).join(', ')}` : String(each),
    )
    .join(', ');
}
