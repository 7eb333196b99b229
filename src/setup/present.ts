import { readEnvFile } from '../config/env-file.ts';
import type { ReadFile } from '../config/files.ts';
import { type Environment, policyFile } from '../config/given.ts';
import type { Problem } from '../config/problem.ts';
import { readYaml } from '../config/yaml.ts';
import type { PolicyValues, Present } from './draft.ts';
import { lookAtTarget, type Target } from './files.ts';

/** What the program brings with it to begin from. */
export interface Templates {
  /** Of `.env.example`, `policy.example.yml` and `manifest.yml`; empty where it is not there, as in a container. */
  readonly env: string;
  readonly policy: string;
  readonly manifest: string;
}

export interface Found {
  readonly present: Present;
  readonly envTarget: Target;
  readonly policyTarget: Target;
}

/** Looks at what is there; all that keeps it from being changed is told at once. */
export function findPresent(
  outside: Environment,
  readFile: ReadFile,
  templates: Templates,
): { readonly ok: true; readonly found: Found } | { readonly ok: false; readonly problems: readonly Problem[] } {
  const env = readEnvFile(readFile);
  const envTarget = lookAtTarget('.env');
  const values = env.ok ? env.values : {};
  const policyTarget = lookAtTarget(policyFile({ ...values, ...outside }));
  const policy = 'path' in policyTarget ? policyOf(policyTarget, templates.policy) : { ok: true as const, value: null };
  const problems = [
    ...('path' in envTarget ? [] : [envTarget]),
    ...('path' in envTarget && !env.ok ? env.problems : []),
    ...('path' in policyTarget ? [] : [policyTarget]),
    ...(policy.ok ? [] : policy.problems),
  ];
  if (problems.length > 0 || !('path' in envTarget) || !('path' in policyTarget) || !policy.ok)
    return { ok: false, problems };
  const example = readYaml(templates.policy);
  const present: Present = {
    env: values,
    outside,
    policy: policy.value as PolicyValues | null,
    example: example.ok ? (example.value as PolicyValues) : {},
    readFile,
  };
  return { ok: true, found: { present, envTarget, policyTarget } };
}

/** A copy of the example says nothing yet: its ids are nobody's. */
function policyOf({ text }: Target, example: string) {
  if (text === null || text.trim() === '' || text === example) return { ok: true as const, value: null };
  return readYaml(text);
}
