import { expect, it } from 'vitest';
import { untimely } from './campaign/invariants.ts';
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

const entry = (seq: number, from: string | null, to: string | null, at = 0, by = 'desk') => ({
  seq,
  at: new Date(at).toISOString(),
  by,
  from,
  to,
});

it('its audit sees a POST without a `sending`, before it, and long after it', () => {
  const tried = [
    entry(1, 'requested', 'approved', 0),
    entry(2, 'approved', 'sending', 1_000),
    entry(3, 'sending', 'approved', 2_000),
    entry(4, 'approved', 'sending', 10_000),
  ];
  const seen = (postedAt: number, entries = tried) => untimely({ id: 'P', entries }, postedAt);
  expect(seen(10_000)).toEqual([]);
  expect(seen(18_000)).toEqual([]);
  expect(seen(9_999)).toEqual(['P was sent 1 ms before its sending was committed']);
  expect(seen(18_001)).toEqual(['P was sent 8001 ms after its sending was committed']);
  expect(seen(1_500, tried.slice(0, 1))).toEqual(['P was sent, and has no entry of sending']);
});
