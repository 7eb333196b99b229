import { expect, it } from 'vitest';
import { runCampaign } from './campaign/run.ts';

it('a few rounds of the fault campaign break no promise', async () => {
  const said: string[] = [];
  const tally = await runCampaign({
    rounds: 8,
    seed: 1090,
    database: 'sqlite',
    replicas: 1,
    atOnce: 4,
    say: (line) => said.push(line),
  });
  expect(said.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
  expect([tally.rounds, tally.violations]).toEqual([8, 0]);
});
