import { parseArgs } from 'node:util';
import { runSession } from './session.ts';
import { Violation } from './violation.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' }, trace: { type: 'boolean', default: false } },
});
const from = Number(values.from);
const until = from + Number(values.seeds);
const began = performance.now();
let steps = 0;
let posts = 0;
let deaths = 0;
const totals: Record<string, number> = {};
for (let seed = from; seed < until; seed += 1) {
  try {
    const trace = values.trace ? (line: string) => console.log(line) : undefined;
    const r = await runSession({ seed, ...(trace ? { trace } : {}) });
    steps += r.steps;
    for (const [k, n] of Object.entries(r.byState)) totals[k] = (totals[k] ?? 0) + n;
    posts += r.posts; deaths += r.deaths;
    if (values.trace) console.log(r);
  } catch (error) {
    console.log(seed, error instanceof Violation ? `${error.rule} ${error.message}` : error);
  }
}
console.log(`${until - from} seeds, ${steps} steps, ${((performance.now() - began) / 1000).toFixed(1)} s`);
console.log(totals, { posts, deaths });
