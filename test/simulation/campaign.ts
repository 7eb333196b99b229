import { parseArgs } from 'node:util';
import { BATCH_MUTANTS } from './batch-mutants.ts';
import { BATCHES } from './batches.ts';
import { CORNERS } from './corners.ts';
import { DOLLAR_SCOPES } from './dollars.ts';
import { DOLLAR_MUTANTS } from './dollars-mutants.ts';
import { Counterexample, explore } from './exhaustive.ts';
import { huntBySeeds, huntInScope } from './hunt.ts';
import { KEPT_SCOPES } from './kept.ts';
import { KEPT_MUTANTS } from './kept-mutants.ts';
import { MUTANTS } from './mutants.ts';
import { LARGE_SCOPES, SMALL_SCOPES } from './scopes.ts';
import { runSession, type SessionReport } from './session.ts';
import { TWO_PEOPLE_SCOPES } from './two-people.ts';
import { RULES, Violation } from './violation.ts';

// node test/simulation/campaign.ts --seeds N --from S     long seeded runs; with --trace, who did what and when
//                                  --exhaustive           every interleaving of every scope, also of the large ones
//                                  --mutants              what catches each mutant: an interleaving, and the first of N seeds

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
  },
});
const from = Number(values.from);
const until = from + Number(values.seeds);
const PROGRESS_EVERY_MS = 10_000;

if (values.exhaustive) await exploreAll();
else if (values.mutants) await huntAll();
else await runAll();

async function runAll(): Promise<void> {
  const began = performance.now();
  let told = began;
  const totals: Record<string, number> = { runs: 0, steps: 0, deaths: 0, purchases: 0, posts: 0 };
  const breaches: string[] = [];
  for (let seed = from; seed < until; seed += 1) {
    try {
      add(totals, await runSession({ seed, ...(values.trace ? { trace: (line: string) => console.log(line) } : {}) }));
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      breaches.push(`seed ${seed}: ${error.message}`);
      console.log(breaches.at(-1));
    }
    if (performance.now() - told < PROGRESS_EVERY_MS) continue;
    told = performance.now();
    console.log(`seed ${seed} of ${until - 1}, ${breaches.length} breaches, ${seconds(began)}`);
  }
  console.table(totals);
  console.log(`seeds ${from} to ${until - 1}: ${breaches.length} breaches, ${seconds(began)}`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

function add(totals: Record<string, number>, { steps, deaths, purchases, posts, byState }: SessionReport): void {
  for (const [what, count] of Object.entries({ runs: 1, steps, deaths, purchases, posts, ...byState }))
    totals[what] = (totals[what] ?? 0) + count;
}

async function exploreAll(): Promise<void> {
  for (const scope of [
    ...CORNERS,
    ...SMALL_SCOPES,
    ...TWO_PEOPLE_SCOPES,
    ...BATCHES,
    ...KEPT_SCOPES,
    ...DOLLAR_SCOPES,
    ...LARGE_SCOPES,
  ]) {
    const began = performance.now();
    try {
      const { runs, states, interleavings, ends } = await explore(scope);
      console.log(
        `${scope.name}: ${interleavings} interleavings, ${states} states, ${runs} runs, ${ends.size} ends, ${seconds(began)}`,
      );
    } catch (error) {
      if (!(error instanceof Counterexample)) throw error;
      console.log(error.message);
      process.exitCode = 1;
    }
  }
}

async function huntAll(): Promise<void> {
  for (const mutant of [...MUTANTS, ...BATCH_MUTANTS, ...KEPT_MUTANTS, ...DOLLAR_MUTANTS]) {
    const scope = await huntInScope(mutant);
    const seed = await huntBySeeds(mutant, from, until);
    for (const caught of [scope, seed])
      console.log(`${mutant.name}: ${caught ? `${caught.by} (${RULES[caught.rule]})` : 'NOT CAUGHT'}`);
    if (!scope) process.exitCode = 1;
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
