import { MUTANTS } from './mutants.ts';
import { runSession } from './session.ts';
import { Violation } from './violation.ts';
for (const m of MUTANTS) {
  if (process.argv[2] && !m.name.includes(process.argv[2])) continue;
  let found = '';
  const t = performance.now();
  for (let seed = 1; seed <= 400 && !found; seed++) {
    try { await runSession({ seed, seams: m.seams }); } catch (e) { found = e instanceof Violation ? `seed ${seed}: ${e.rule} ${m.breaks.includes(e.rule) ? '' : 'UNEXPECTED'} ${e.message}` : `seed ${seed} ${(e as Error).stack}`; }
  }
  console.log(m.name, '|', found || 'NOT FOUND', `${(performance.now()-t).toFixed(0)} ms`);
}
