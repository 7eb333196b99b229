import { parseArgs } from 'node:util';
import openScratchRoot from '../support/scratch-root.ts';
import { runCampaign } from './campaign/run.ts';

// The fault campaign, for longer than the tests have time for:
//   npm run campaign -- --rounds 1000 --seed 7
//   npm run campaign -- --rounds 100 --database postgres --replicas 3
// Real processes, sockets and disk. In each round people ask for purchases and decide them while processes, disk, database,
// vendor and Slack fail as chance says. Then everything must come to rest as the vendor's log bears out, and people be told.
// A round that went wrong is played again with its own seed: --seed S --rounds 1, and the same --database and --replicas.

process.once('exit', openScratchRoot());

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
    replicas: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
  },
});
const rounds = atLeastOne('rounds', values.rounds);
const replicas = atLeastOne('replicas', values.replicas);
const { database } = values;
if (database !== 'sqlite' && database !== 'postgres') throw new Error('--database is sqlite or postgres');

const say = (line: string) => console.log(line);
const seed = Number(values.seed);
say(
  `${rounds} rounds from seed ${seed} on, ${database}, ${replicas > 1 ? `${replicas} processes` : '1 or 2 processes'}`,
);
const tally = await runCampaign({
  rounds,
  seed,
  database,
  replicas,
  atOnce: atLeastOne('at-once', values['at-once']),
  say,
});
say(tally.text());
process.exitCode = tally.violations > 0 ? 1 : 0;

function atLeastOne(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1 on`);
  return value;
}
