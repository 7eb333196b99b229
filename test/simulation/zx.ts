import { explore, Counterexample, follow } from './exhaustive.ts';
import * as S from './scopes.ts';
for (const scope of [...S.SMALL_SCOPES, ...S.LARGE_SCOPES]) {
  if (process.argv[2] && !scope.name.includes(process.argv[2])) continue;
  const t = performance.now();
  try {
    const e = await explore(scope, { runsAtMost: Number(process.argv[3] ?? 3000) });
    console.log(scope.name, e.runs, 'runs', e.states, 'states', e.interleavings, 'interleavings', e.ends.size, 'ends', ((performance.now()-t)/1000).toFixed(1), 's');
    for (const x of e.ends) console.log('   ', x);
  } catch (error) {
    console.log(scope.name, (error as Error).message, ((performance.now()-t)/1000).toFixed(1), 's');
    if (error instanceof Counterexample) await follow(scope, error.answers, new Map(), {prune:false}, (who, what) => console.log('   ', who, what)).catch(() => 0);
  }
}
