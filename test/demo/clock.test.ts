import { fork } from 'node:child_process';
import { on } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/demo/start-sandbox.ts';
import { temporaryFolder } from '../../sandbox/demo/temporary-folder.ts';

/** Only how soon a test gives up: a loaded machine can stand still for seconds. */
const TEST_MS = 120_000;
const HOUR_MS = 3_600_000;
const PRELOAD = new URL('../../sandbox/demo/shifted-time.ts', import.meta.url).href;

interface Told {
  dates: number[];
  real: number;
  elapsed: number;
  others: unknown[];
}

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

function folder(): string {
  const { path, [Symbol.dispose]: remove } = temporaryFolder('clock');
  ends.push(remove);
  return path;
}

async function open(dataDir: string): Promise<Sandbox> {
  const sandbox = await startSandbox({ dataDir });
  ends.push(sandbox.close);
  return sandbox;
}

const hoursAhead = (at: number) => Math.round((at - Date.now()) / HOUR_MS);

test('time put forward is that of the bot, of Slack and of the vendor: what waits expires at once', {
  timeout: TEST_MS,
}, async () => {
  const dataDir = folder();
  const first = await open(dataDir);
  const ada = first.slack.as('U0ADA');
  await ada.command('/proxy', 'buy US 10');
  await ada.waitFor(({ modal }) => modal);
  await ada.pick('Plan', 'Static residential, monthly');
  await ada.type('Reason', 'A test');
  await ada.submit('Review');
  await ada.waitFor('[Ask for approval]');
  await ada.submit('Ask for approval');
  const clara = first.slack.as('U0CLARA');
  await clara.waitFor(/\[Approve\]/);

  await first.putForward(25 * HOUR_MS);
  await ada.waitFor(/expired/i);
  await ada.command('/proxy', 'balance');
  const answer = await ada.waitFor(({ ephemerals }) => ephemerals.at(-1));
  expect(hoursAhead(Number(answer.ts) * 1000)).toBe(25);
  expect(hoursAhead(first.vendor.requests.at(-1)?.at ?? 0)).toBe(25);
  expect(first.vendor.requests.at(-1)?.answer).toContain(new Date(first.clock.now()).toUTCString().slice(0, 16));

  // The next bot, and the next run, begin with it.
  await first.restartBot('crash');
  await first.putForward(HOUR_MS);
  await first.close();
  const second = await open(dataDir);
  expect(hoursAhead(second.clock.now())).toBe(26);
  const started = second.bot.output.map((line) => JSON.parse(line) as { time: number | string });
  expect(hoursAhead(new Date(started[0]?.time ?? 0).getTime())).toBe(26);
  expect(second.slack.violations).toEqual([]);
});

test('in the process only the date is put forward: every way to ask for it, and nothing that counts steadily', {
  timeout: TEST_MS,
}, async () => {
  const script = join(folder(), 'tells.mjs');
  writeFileSync(
    script,
    // The preloaded file alone keeps no process alive.
    `setInterval(() => {}, 1000);
     process.on('message', () => process.send({
       dates: [Date.now(), +new Date(), Date.parse(Date()), +new (new Date().constructor)()],
       real: performance.timeOrigin + performance.now(),
       elapsed: performance.now(),
       others: [new Date() instanceof Date, +new Date(5), Date.UTC(1970, 0, 1), process.env.SANDBOX_CLOCK_AHEAD_MS],
     }));`,
  );
  const child = fork(script, {
    execArgv: ['--import', PRELOAD],
    env: { ...process.env, SANDBOX_CLOCK_AHEAD_MS: String(HOUR_MS) },
    serialization: 'json',
  });
  ends.push(() => child.kill('SIGKILL'));
  const tells = async (aheadMs: number) => {
    child.send({ aheadMs });
    for await (const [message] of on(child, 'message')) if ('dates' in message) return message as Told;
    throw new Error('It ended');
  };
  const before = await tells(HOUR_MS);
  const after = await tells(3 * HOUR_MS);
  for (const [asked, hours] of [
    [before, 1],
    [after, 3],
  ] as const) {
    expect(asked.dates.map((date) => Math.round((date - asked.real) / HOUR_MS))).toEqual([hours, hours, hours, hours]);
    expect(asked.others).toEqual([true, 5, 0, null]);
  }
  expect(after.elapsed - before.elapsed).toBeGreaterThanOrEqual(0);
  expect(after.elapsed - before.elapsed).toBeLessThan(HOUR_MS);
});
