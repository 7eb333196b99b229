import { Counterexample, explore } from './exhaustive.ts';
import type { Mutant } from './mutants.ts';
import { runSession } from './session.ts';
import { type Rule, Violation } from './violation.ts';

export interface Caught {
  /** The interleaving's answers, or the seed. */
  readonly by: string;
  readonly rule: Rule;
}

/** In the small world that is named with the mutant. */
export async function huntInScope({ scope, seams }: Mutant): Promise<Caught | undefined> {
  try {
    await explore(scope, { seams });
    return undefined;
  } catch (error) {
    if (!(error instanceof Counterexample)) throw error;
    return { by: `interleaving ${error.answers.join('.')} of: ${scope.name}`, rule: error.violation.rule };
  }
}

/** In the large one, where nothing is named. */
export async function huntBySeeds({ seams }: Mutant, from: number, until: number): Promise<Caught | undefined> {
  for (let seed = from; seed < until; seed += 1) {
    try {
      await runSession({ seed, seams });
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return { by: `seed ${seed}`, rule: error.rule };
    }
  }
  return undefined;
}
