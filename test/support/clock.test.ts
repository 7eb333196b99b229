import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { livedTime, movableClock } from './clock.ts';

/** As a machine does that has others to serve. */
function standStill(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('nobody is late because the process stood still: what is due by its own time comes in that order', async () => {
  const lived = livedTime();
  const [slack, bot] = [movableClock(lived), movableClock(lived)];
  const came: string[] = [];
  const answered = slack.sleep(30).then(() => came.push('the answer'));
  const given = bot.sleep(60).then(() => came.push('the deadline'));
  standStill(200);
  expect(bot.monotonic()).toBeLessThan(60);
  await Promise.all([answered, given]);
  expect(came).toEqual(['the answer', 'the deadline']);
});

test('moved ahead, it wakes those whose time has come, the earliest first, and nobody else', async () => {
  const clock = movableClock();
  const woken: number[] = [];
  const ended = new AbortController();
  const all = [3_000_000, 1_000_000, 2_000_000].map((ms) => clock.sleep(ms, ended.signal).then(() => woken.push(ms)));
  clock.advance(2_500_000);
  await nextTurn();
  expect(woken).toEqual([1_000_000, 2_000_000]);
  ended.abort();
  await Promise.all(all);
});

test('skips to the next moment that somebody waits for, and no further', async () => {
  const clock = movableClock();
  const before = clock.monotonic();
  const ended = new AbortController();
  const late = clock.sleep(2_000_000, ended.signal);
  const soon = clock.sleep(1_000_000);
  clock.skip();
  await soon;
  expect(clock.monotonic() - before).toBeLessThan(1_001_000);
  ended.abort();
  await late;
});
