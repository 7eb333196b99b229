import { expect, it } from 'vitest';
import { runCampaign } from './campaign/run.ts';

it('a few rounds of the fault campaign, two of them about orders that end, break no promise', async () => {
  const said: string[] = [];
  const tally = await runCampaign({
    rounds: 6,
    seed: 61013,
    database: 'sqlite',
    replicas: 1,
    atOnce: 3,
    say: (line) => said.push(line),
  });
  expect(said.filter((line) => line.startsWith('VIOLATION'))).toEqual([]);
  expect([tally.rounds, tally.violations]).toEqual([6, 0]);
});
