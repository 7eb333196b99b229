import { describe, expect, test } from 'vitest';
import { Answer } from '../../src/slack/answer.ts';
import { movableClock } from '../support/clock.ts';

function answering() {
  const said: string[] = [];
  const clock = movableClock();
  const answer = new Answer<string>({
    ack: async (response) => void said.push(`ack: ${response}`),
    late: () => 'one moment',
    catchUp: async (response) => void said.push(`then: ${response}`),
  });
  return { answer, said, clock, inTime: answer.inTime(clock, 2_500) };
}

describe('an ack', () => {
  test('is the listener’s own, where that comes in time', async () => {
    const { answer, said, inTime, clock } = answering();
    await answer.give('filed');
    clock.advance(10_000);
    expect(await inTime).toBe(true);
    expect(said).toEqual(['ack: filed']);
    expect(answer.wasGiven).toBe(true);
  });

  test('goes out without it, where that takes too long, and its answer is shown when it comes', async () => {
    const { answer, said, inTime, clock } = answering();
    clock.advance(2_500);
    expect(await inTime).toBe(false);
    expect(answer.wasGiven).toBe(false);
    await answer.give('filed');
    expect(said).toEqual(['ack: one moment', 'then: filed']);
  });

  test('goes out neither late nor twice, where the listener ends without one', async () => {
    const { answer, said, inTime, clock } = answering();
    answer.end();
    clock.advance(10_000);
    expect(await inTime).toBe(true);
    expect(said).toEqual([]);
  });
});
