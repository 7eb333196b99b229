import type { Ask } from './ask.ts';
import type { Draft } from './draft.ts';
import { faultIn, type SecretName, unwrap } from './paste.ts';

/** What a look at a secret has shown. */
export type Look<T> =
  | { readonly ok: true; readonly seen: T; readonly say: string }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** What most likely mends it. */
      readonly mend: 'again' | 'paste' | 'other';
    };

interface Question<T> {
  readonly name: SecretName;
  /** Where it is to be found. */
  readonly where: string;
  /** Whom the look asks. */
  readonly asking: string;
  readonly look: (value: string) => Promise<Look<T>>;
  /** What else may be wrong, and be asked for again. */
  readonly other?: { readonly label: string; readonly ask: () => Promise<void> };
}

/**
 * Asks for a secret until it is accepted, or is to be kept as it is.
 * @returns what the last look has shown; undefined where it was not accepted
 */
export async function askSecret<T>(ask: Ask, draft: Draft, question: Question<T>): Promise<T | undefined> {
  const { name, where, asking, look, other } = question;
  const fixed = draft.elsewhere(name);
  let value = draft.setting(name);
  if (fixed !== undefined) ask.say(`${name} comes from ${fixed}: setup leaves it as it is.`);
  else if (value === '' || !(await askToKeep(ask, name))) value = await paste(ask, name, where);
  for (;;) {
    // What is kept was never looked at as it was typed; and a blank in it would end a call with an error that shows it.
    const fault = value === '' ? `Nothing can be read from ${fixed}.` : faultIn(name, value);
    const seen: Look<T> = fault
      ? { ok: false, problems: [fault], mend: 'paste' }
      : await ask.wait(asking, () => look(value));
    if (fixed === undefined) draft.set(name, value);
    if (seen.ok) {
      ask.good(seen.say);
      return seen.seen;
    }
    for (const problem of seen.problems) ask.bad(problem);
    const next = await ask.choose(
      'What now?',
      [
        { value: 'again', label: 'Look again, I have mended it' },
        ...(fixed === undefined ? [{ value: 'paste' as const, label: `Paste another ${name}` }] : []),
        ...(other ? [{ value: 'other' as const, label: other.label }] : []),
        { value: 'on', label: 'Go on as it is; the doctor will say it again' },
      ],
      fixed === undefined ? seen.mend : 'again',
    );
    if (next === 'on') return undefined;
    if (next === 'paste') value = await paste(ask, name, where);
    else value = draft.setting(name);
    if (next === 'other') await other?.ask();
  }
}

async function askToKeep(ask: Ask, name: SecretName): Promise<boolean> {
  const answer = await ask.choose(`${name} is there already.`, [
    { value: 'keep', label: 'Keep the present one' },
    { value: 'new', label: 'Paste a new one' },
  ]);
  return answer === 'keep';
}

async function paste(ask: Ask, name: SecretName, where: string): Promise<string> {
  return unwrap(name, await ask.secret(`${name}: paste it here (${where})`, (typed) => faultIn(name, typed)));
}
