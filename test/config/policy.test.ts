import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../src/config/duration.ts';
import { readPolicy } from '../../src/config.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';

const ACCESS = 'access: {balance: [S1], buy: [S2], renew: [S2], approve: [S3]}';
const APPROVALS = 'approvals: {channel: C1}';
const PLANS = 'plans: [{product_id: lt-monthly, name: Static, type: long-term, network_type: residential}]';

/** A sound policy in which sections are replaced; an empty text leaves one out. */
function text({ access = ACCESS, approvals = APPROVALS, plans = PLANS, more = '' } = {}): string {
  return [access, approvals, plans, more].join('\n');
}

function policy(yaml: string): Policy {
  const reading = readPolicy(yaml);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.policy;
}

function refused(yaml: string) {
  const reading = readPolicy(yaml);
  if (reading.ok) throw new Error('was accepted');
  for (const { problem, remedy } of reading.problems) expect(problem && remedy).not.toBe('');
  return reading.problems;
}

const keys = (yaml: string) => refused(yaml).map(({ key }) => key);

function warnings(yaml: string): readonly string[] {
  const reading = readPolicy(yaml);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.warnings;
}

describe('the example', () => {
  const example = readFileSync(new URL('../../policy.example.yml', import.meta.url), 'utf8');

  test('is a policy, without warnings', () => {
    expect(readPolicy(example)).toEqual({
      ok: true,
      warnings: [],
      policy: {
        access: { balance: ['S0TEAM'], buy: ['S0BUYERS'], renew: ['S0BUYERS'], approve: ['S0LEADS'] },
        approvals: {
          mode: 'channel',
          channel: 'C0APPROVALS',
          freeUpTo: 0,
          renewalsNeedApproval: true,
          expireAfterMs: 86_400_000,
          sendWithinMs: 900_000,
        },
        plans: [
          {
            productId: 'lt-monthly',
            name: 'Static residential, monthly',
            type: 'long-term',
            networkType: 'residential',
            term: { amount: 1, unit: 'month' },
            termText: '1 month',
          },
        ],
        limits: { ipsPerOrder: 500, ipsPerPersonPerDay: 1000 },
      },
    });
  });

  test('states the defaults: without its numbers and times it means the same', () => {
    const shorter = example
      .replace(/^ +(?:free_up_to|renewals|expire_after|send_within):.*\n/gm, '')
      .replace(/^limits:[\s\S]*/m, '');
    expect(shorter).not.toContain('ips_per_order');
    expect(policy(shorter)).toEqual(policy(example));
  });
});

describe('a list of groups', () => {
  test.each([
    ['left out', 'access: {balance: [S1], renew: [S2], approve: [S3]}'],
    ['null', 'access: {balance: [S1], buy: , renew: [S2], approve: [S3]}'],
    ['empty', 'access: {balance: [S1], buy: [], renew: [S2], approve: [S3]}'],
    ['""', 'access: {balance: [S1], buy: "", renew: [S2], approve: [S3]}'],
    ['" , "', 'access: {balance: [S1], buy: " , ", renew: [S2], approve: [S3]}'],
    ['[""]', 'access: {balance: [S1], buy: ["", " ", ~], renew: [S2], approve: [S3]}'],
  ])('that is %s lets nobody in, and the warning names it', (_, access) => {
    expect(policy(text({ access })).access.buy).toEqual([]);
    expect(warnings(text({ access }))).toEqual([expect.stringMatching(/^access\.buy .*nobody/)]);
  });

  test('that is missing for all rights warns of each', () => {
    expect(warnings(text({ access: '' }))).toHaveLength(4);
  });

  test('drops blanks and repeats beside a valid id', () => {
    const access = 'access: {balance: ["", S1, " S2 ", S1], buy: "S1, S2", renew: S2, approve: [S3]}';
    expect(policy(text({ access })).access).toEqual({
      balance: ['S1', 'S2'],
      buy: ['S1', 'S2'],
      renew: ['S2'],
      approve: ['S3'],
    });
    expect(warnings(text({ access }))).toEqual([]);
  });

  test.each([
    '"@proxy-buyers"',
    'proxy-buyers',
    's0team',
    'U0AAA111',
    '"<!subteam^S1|@x>"',
    '5',
    'true',
    '[S1]',
    '{S1: 1}',
  ])('refuses %s with a hint where the id is found', (group) => {
    const [problem] = refused(text({ access: `access: {balance: [S1], buy: [${group}], renew: [S2], approve: [S3]}` }));
    expect(problem).toMatchObject({ key: 'access.buy', remedy: expect.stringContaining('Copy group ID') });
  });
});

describe('approvals', () => {
  test.each(['off', '"off"', 'false'])('%s does without, with the times kept', (off) => {
    expect(policy(text({ approvals: `approvals: ${off}` })).approvals).toEqual({
      mode: 'off',
      expireAfterMs: 86_400_000,
      sendWithinMs: 900_000,
    });
  });

  test('cannot be done without by leaving them out', () => {
    for (const approvals of ['', 'approvals:', 'approvals: no', 'approvals: true', 'approvals: []'])
      expect(keys(text({ approvals }))).toEqual(['approvals']);
    expect(keys(text({ approvals: 'approvals: {}' }))).toEqual(['approvals.channel']);
  });

  test.each(['"#general"', 'general', 'D0AAA', 'c1', '5'])(
    'refuse the channel %s with a hint where the id is found',
    (channel) => {
      const [problem] = refused(text({ approvals: `approvals: {channel: ${channel}}` }));
      expect(problem).toMatchObject({ key: 'approvals.channel', remedy: expect.stringContaining('channel ID') });
    },
  );

  test('take a private channel, an allowance and times', () => {
    const approvals = 'approvals: {channel: G1, free_up_to: 20, renewals: false, expire_after: 7d, send_within: 4s}';
    expect(policy(text({ approvals })).approvals).toEqual({
      mode: 'channel',
      channel: 'G1',
      freeUpTo: 20,
      renewalsNeedApproval: false,
      expireAfterMs: 604_800_000,
      sendWithinMs: 4_000,
    });
  });

  test('refuse what only looks like a number, a time or a yes', () => {
    const approvals = 'approvals: {channel: C1, free_up_to: 1e3, renewals: yes, expire_after: 24, send_within: 0s}';
    expect(keys(text({ approvals }))).toEqual([
      'approvals.free_up_to',
      'approvals.renewals',
      'approvals.expire_after',
      'approvals.send_within',
    ]);
    for (const number of ['-1', '1.5', '5.0', '"5"', '1_000', '0.0', '.inf', '99999999999999999999'])
      expect(keys(text({ approvals: `approvals: {channel: C1, free_up_to: ${number}}` }))).toEqual([
        'approvals.free_up_to',
      ]);
  });
});

describe('a duration', () => {
  test.each([
    ['4s', 4_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['365d', 31_536_000_000],
  ])('%s is %i ms', (written, duration) => {
    expect(parseDuration(written)).toBe(duration);
  });

  test.each(['', '0s', '4', 's', '4 s', '4S', '1.5h', '-4s', '1h30m', '4ms', '366d', '999999999d', '٤s', '4s\n'])(
    '%j is none',
    (written) => {
      expect(parseDuration(written)).toBeNull();
    },
  );
});

describe('plans', () => {
  test('are at least one, each product id once', () => {
    for (const plans of ['', 'plans:', 'plans: []', 'plans: lt-monthly'])
      expect(keys(text({ plans }))).toEqual(['plans']);
    const plan = '{product_id: a, name: A, type: t, network_type: n}';
    expect(keys(text({ plans: `plans: [${plan}, ${plan}]` }))).toEqual(['plans']);
  });

  test('keep NO a text, and refuse a number that would lose its zeros', () => {
    expect(
      policy(text({ plans: 'plans: [{product_id: NO, name: on, type: yes, network_type: n}]' })).plans[0],
    ).toMatchObject({
      productId: 'NO',
      name: 'on',
      type: 'yes',
    });
    expect(keys(text({ plans: 'plans: [{product_id: 0012, name: A, type: t, network_type: n}]' }))).toEqual([
      'plans[1].product_id',
    ]);
  });

  test('name each missing or unfit text', () => {
    const plans = `plans: [{product_id: " a", name: "${'x'.repeat(76)}", type: "a\\u200bb"}, 5, ~]`;
    expect(keys(text({ plans }))).toEqual([
      'plans[1].product_id',
      'plans[1].name',
      'plans[1].type',
      'plans[1].network_type',
      'plans[2]',
      'plans[2].product_id',
      'plans[2].name',
      'plans[2].type',
      'plans[2].network_type',
      'plans[3]',
      'plans[3].product_id',
      'plans[3].name',
      'plans[3].type',
      'plans[3].network_type',
    ]);
  });

  test.each([
    ['1 month', { amount: 1, unit: 'month' }, '1 month'],
    ['30 days', { amount: 30, unit: 'day' }, '30 days'],
    ['2 week', { amount: 2, unit: 'week' }, '2 weeks'],
    ['1 years', { amount: 1, unit: 'year' }, '1 year'],
  ])('have the term %s', (written, term, termText) => {
    const plans = `plans: [{product_id: a, name: A, type: t, network_type: n, term: ${written}}]`;
    expect(policy(text({ plans })).plans[0]).toMatchObject({ term, termText });
  });

  test('may have no term, but not an unreadable one', () => {
    expect(policy(text()).plans[0]).toMatchObject({ term: null, termText: '' });
    for (const term of ['0 days', 'month', '1 fortnight', '1.5 months', '30', '1  month'])
      expect(
        keys(text({ plans: `plans: [{product_id: a, name: A, type: t, network_type: n, term: ${term}}]` })),
      ).toEqual(['plans[1].term']);
  });
});

describe('limits', () => {
  test('are positive whole numbers', () => {
    expect(policy(text({ more: 'limits: {ips_per_order: 1}' })).limits).toEqual({
      ipsPerOrder: 1,
      ipsPerPersonPerDay: 1000,
    });
    expect(keys(text({ more: 'limits: {ips_per_order: 0, ips_per_person_per_day: many}' }))).toEqual([
      'limits.ips_per_order',
      'limits.ips_per_person_per_day',
    ]);
  });
});

describe('the file', () => {
  test('may hold no unknown key, and the likely one is suggested', () => {
    expect(refused(text({ more: 'limit: {}\nconstructor: 1\nlimits: {ips-per-order: 5}' }))).toMatchObject([
      { key: 'limit', remedy: 'did you mean limits?' },
      { key: 'constructor', remedy: expect.stringContaining('access, approvals, plans, limits') },
      { key: 'limits.ips-per-order', remedy: 'did you mean ips_per_order?' },
    ]);
    expect(keys(text({ access: 'access: {__proto__: [S1]}' }))).toEqual(['access.__proto__']);
    expect(keys(text({ approvals: 'approvals: {channel: C1, freeUpTo: 5}' }))).toEqual(['approvals.freeUpTo']);
  });

  test('may not say anything twice', () => {
    expect(refused(`${text()}\n${APPROVALS}`)).toMatchObject([
      { key: 'policy', problem: expect.stringContaining('unique') },
    ]);
  });

  test.each(['', '# only a comment'])('%j is refused as incomplete', (yaml) => {
    expect(keys(yaml)).toEqual(['approvals', 'plans']);
  });

  test.each(['- a', '5', 'a: [', 'a: &x [*x]\n', 'a: !!js/function x', '\t- x', `${text()}\n---\n${text()}`])(
    '%j is refused',
    (yaml) => {
      expect(refused(yaml).length).toBeGreaterThan(0);
    },
  );

  test('reports all problems at once', () => {
    expect(keys('access: {buy: ["@x"]}\napprovals: {}\nplans: []\nlimits: {ips_per_order: x}\nmore: 1')).toEqual([
      'more',
      'access.buy',
      'approvals.channel',
      'plans',
      'limits.ips_per_order',
    ]);
  });
});
