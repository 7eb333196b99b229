import { addMonths } from 'date-fns/addMonths';
import { afterEach, expect, test } from 'vitest';
import { beginningOfPast, liveThroughPast } from '../../sandbox/demo/past.ts';
import { type Sandbox, startSandbox } from '../../sandbox/demo/start-sandbox.ts';
import { temporaryFolder } from '../../sandbox/demo/temporary-folder.ts';

/** Only how soon a test gives up: a loaded machine can stand still for seconds. */
const TEST_MS = 120_000;
const DAY_MS = 86_400_000;

let sandbox: Sandbox | undefined;
let removeFolder = () => {};
afterEach(async () => {
  await sandbox?.close();
  removeFolder();
});

test.each(['2026-11-28', '2026-02-26', '2026-03-28', '2027-01-29', '2028-02-27'])(
  'on %s the past begins where one month ends in three days, or shortly after',
  (day) => {
    const now = Date.parse(`${day}T12:00:00Z`);
    const days = (addMonths(beginningOfPast(now), 1).getTime() - now) / DAY_MS;
    expect(days).toBeGreaterThan(2);
    expect(days).toBeLessThan(4.1);
  },
);

test('the past of the demo is three orders at their times, and an outcome that waits to be settled; then it is today', {
  timeout: TEST_MS,
}, async () => {
  const { path, [Symbol.dispose]: remove } = temporaryFolder('past');
  removeFolder = remove;
  const begin = beginningOfPast(Date.now());
  sandbox = await startSandbox({ dataDir: path, aheadMs: begin - Date.now() });
  await liveThroughPast(sandbox, () => false);
  const { slack, vendor, clock } = sandbox;
  expect(clock.aheadMs).toBe(0);
  expect(vendor.orders).toHaveLength(4);
  expect(vendor.posts).toBe(4);
  const created = vendor.requests.filter(({ raw }) => raw.startsWith('POST '));
  const daysAgo = created.map(({ at }) => Math.round((Date.now() - at) / DAY_MS));
  expect(daysAgo).toEqual([Math.round((Date.now() - begin) / DAY_MS), 17, 9, 2]);
  const daysOf = (name: string) => {
    const hands = slack.as(name);
    const ofRequests = hands.screen.dm.filter((message) => /\bP-\w{8}\b/.test(hands.read(message)));
    return new Set(ofRequests.map(({ ts }) => Math.round((Date.now() / 1000 - Number(ts)) / 86_400)));
  };
  expect(daysOf('U0ADA')).toEqual(new Set([daysAgo[0]]));
  expect(daysOf('U0BEN')).toEqual(new Set([17, 2]));
  expect(daysOf('U0HANA')).toEqual(new Set([9]));
  expect(slack.as('U0CLARA').screen.text()).toContain('[It was placed]');
  expect(slack.violations).toEqual([]);
});
