import { describe, expect, test } from 'vitest';
import { runSession } from './session.ts';
import { Violation } from './violation.ts';

const SEEDS = 150;
const TOGETHER = 10;
const TIMEOUT_MS = 120_000;

describe('with trouble of every kind, two or three processes keep every promise and come back', () => {
  test.each(Array.from({ length: SEEDS / TOGETHER }, (_, part) => [part * TOGETHER + 1, (part + 1) * TOGETHER]))(
    'seeds %i to %i',
    async (from, until) => {
      for (let seed = from; seed <= until; seed += 1) await expectKept(seed);
    },
    TIMEOUT_MS,
  );
});

test('a seed replays exactly', async () => {
  const traces = [[], []] as [string[], string[]];
  for (const trace of traces) await runSession({ seed: 7, trace: (line) => trace.push(line) });
  expect(traces[0].length).toBeGreaterThan(100);
  expect(traces[1]).toEqual(traces[0]);
});

/** With what happened, where it did not: who, what, when. */
async function expectKept(seed: number): Promise<void> {
  try {
    await runSession({ seed });
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const lines: string[] = [];
    await runSession({ seed, trace: (line) => lines.push(line) }).catch(() => undefined);
    throw new Error(
      `seed ${seed}: ${error.message}\n${lines.slice(-80).join('\n')}\nThe whole: node test/simulation/campaign.ts --seeds 1 --from ${seed} --trace`,
    );
  }
}
