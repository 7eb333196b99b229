import { fractions } from '../support/random.ts';

/** Whatever the simulation leaves open is asked here, so that a run is its answers: the same answers, the same run. */
export interface Choices {
  /** An index into `weights`, none of which is below zero. */
  pick(what: string, weights: readonly number[]): number;
}

/** Answers by a seed. */
export function seeded(seed: number): Choices {
  const random = fractions((seed * 0x9e3779b1) >>> 0);
  return {
    pick(_what, weights) {
      let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
      for (const [index, weight] of weights.entries()) {
        left -= weight;
        if (left < 0) return index;
      }
      return weights.findLastIndex((weight) => weight > 0);
    },
  };
}

/** Answers listed beforehand, then always the first; remembers how many answers each question had. */
export interface Script extends Choices {
  readonly taken: readonly { readonly index: number; readonly count: number }[];
}

export function scripted(answers: readonly number[]): Script {
  const taken: { index: number; count: number }[] = [];
  return {
    taken,
    pick(_what, weights) {
      const index = answers[taken.length] ?? 0;
      taken.push({ index, count: weights.length });
      return index;
    },
  };
}

export function chance(choices: Choices, what: string, probability: number): boolean {
  return choices.pick(what, [1 - probability, probability]) === 1;
}

export function among<T>(choices: Choices, what: string, list: readonly T[]): T {
  const found =
    list[
      choices.pick(
        what,
        list.map(() => 1),
      )
    ];
  if (found === undefined) throw new Error(`nothing to choose from: ${what}`);
  return found;
}

/** One of the keys of a table of weights. */
export function weighed<K extends string>(choices: Choices, what: string, table: Readonly<Record<K, number>>): K {
  const keys = Object.keys(table) as K[];
  const found = keys[choices.pick(what, Object.values<number>(table))];
  if (found === undefined) throw new Error(`nothing to choose from: ${what}`);
  return found;
}
