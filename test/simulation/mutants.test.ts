import { describe, expect, test } from 'vitest';
import { BATCH_MUTANTS } from './batch-mutants.ts';
import { DOLLAR_MUTANTS } from './dollars-mutants.ts';
import { huntInScope } from './hunt.ts';
import { KEPT_MUTANTS } from './kept-mutants.ts';
import { MUTANTS } from './mutants.ts';
import { RULES } from './violation.ts';

describe('the proof can fail: a product that', () => {
  test.each(
    [...MUTANTS, ...BATCH_MUTANTS, ...KEPT_MUTANTS, ...DOLLAR_MUTANTS].map((mutant) => [mutant.name, mutant] as const),
  )('%s is caught', async (_name, mutant) => {
    const caught = await huntInScope(mutant);
    expect(caught, 'nothing was found').toBeDefined();
    expect(mutant.breaks).toContain(caught?.rule);
    // Read with `vitest run --reporter=verbose`; the same answers replay it.
    console.info(`${mutant.name}: ${caught?.by}; ${caught && RULES[caught.rule]}`);
  });
});
