import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { policyJsonSchema, readPolicy, readPolicyFile } from '../../src/config/policy.ts';
import { problemLine } from '../../src/config/problem.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import { NO_REPORTS, REMINDERS } from '../support/policy.ts';

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

/** All that people see of it, exactly. */
const lines = (yaml: string) => refused(yaml).map(problemLine);

const keys = (yaml: string) => refused(yaml).map(({ key }) => key);

function warnings(yaml: string): readonly string[] {
  const reading = readPolicy(yaml);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.warnings;
}

test('contact names whom to turn to, and may be left out', () => {
  const text = readFileSync(new URL('../../policy.example.yml', import.meta.url), 'utf8');
  expect(policy(text)).not.toHaveProperty('contact');
  expect(policy(text.replace('# contact:', 'contact:')).contact).toBe('S0LEADS');
});

/** What holds where nothing is said of it. */
const USUALLY_PRESSED = {
  twoPeopleAbove: null,
  twoPeopleAboveDollars: null,
  remindAfterMs: [3_600_000, 14_400_000],
  quiet: null,
  escalation: null,
};

describe('reminders', () => {
  const read = (lines: string) => policy(text({ more: lines })).reminders;

  test('hold as they are documented where they are left out', () => {
    expect(read('')).toEqual(REMINDERS);
    expect(read('reminders: {}')).toEqual(REMINDERS);
  });

  test('are sorted, each rung once; the longest says what is ending', () => {
    expect(read('reminders: {before_end: [1d, 14d, 24h], at: "18:30", renew_kept_before: 12h}')).toEqual({
      beforeEndMs: [14 * 86_400_000, 86_400_000],
      endingWithinMs: 14 * 86_400_000,
      atMinutes: 18 * 60 + 30,
      renewKeptBeforeMs: 43_200_000,
    });
  });

  test('off: nobody is reminded, and what is ending is told as by default', () => {
    expect(read('reminders: off')).toEqual({ ...REMINDERS, beforeEndMs: [] });
  });
});

describe('reports', () => {
  const read = (lines: string) => policy(text({ more: lines })).reports;

  test('are made by nobody and in UTC where nothing is said', () => {
    expect(read('')).toEqual(NO_REPORTS);
    expect(read('reports: {}')).toEqual(NO_REPORTS);
  });

  test.each(['Europe/Berlin', 'Pacific/Kiritimati', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'UTC'])(
    'are made by the months of %s',
    (name) => {
      expect(read(`reports: {monthly: true, time_zone: ${name}}`)).toEqual({ monthly: true, timeZone: name });
    },
  );
});

describe('the balance is read', () => {
  const read = (lines: string) => policy(text({ more: lines })).balance;

  test('every 15 minutes where nothing is said, as often as is said, or only when somebody asks', () => {
    const usual = { readEveryMs: 900_000, warnBelow: null, warnDays: 7, freezeOnUnexplainedAbove: null };
    expect(read('')).toEqual(usual);
    expect(read('balance: {read_every: 1h}')).toEqual({ ...usual, readEveryMs: 3_600_000 });
    expect(read('balance: {read_every: off}')).toEqual({ ...usual, readEveryMs: null });
  });

  test('and warned of, in exact dollars and whole days', () => {
    const lines = 'balance: {warn_below: 100, warn_days: off, freeze_on_unexplained_above: "49.50"}';
    expect(read(lines)).toMatchObject({ warnBelow: '100', warnDays: null, freezeOnUnexplainedAbove: '49.50' });
    expect(read('balance: {warn_below: 0.1, warn_days: 14}')).toMatchObject({ warnBelow: '0.1', warnDays: 14 });
  });

  test.each(['-1', '1e3000', 'lots', '"1,000"', '.inf', '[1]', 'true'])('not below %s', (typed) => {
    const reading = readPolicy(text({ more: `balance: {warn_below: ${typed}}` }));
    expect(reading).toMatchObject({ ok: false, problems: [{ key: 'balance.warn_below' }] });
  });
});

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
          freeUpToDollars: null,
          renewalsNeedApproval: true,
          ...USUALLY_PRESSED,
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
        limits: {
          ipsPerOrder: 500,
          ipsPerPersonPerDay: 1000,
          dollarsPerPersonPerMonth: null,
          dollarsPerMonth: null,
        },
        reminders: REMINDERS,
        balance: { readEveryMs: 15 * 60_000, warnBelow: null, warnDays: 7, freezeOnUnexplainedAbove: null },
        reports: NO_REPORTS,
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

const GROUP =
  'a handle or name can be taken over by others, so write the id: in Slack open People, User groups, the group, its ⋯ menu, Copy group ID.';
const CHANNEL =
  'names can change, and after a # YAML reads a comment, so write the id: in Slack open the channel, click its name, and copy the channel ID at the bottom of About.';
const OFF =
  'which is neither the word off nor a mapping: write `channel: C…` below it, or exactly `approvals: off` to do without.';
const CONTACT = 'write it like contact: S… (a user group), or leave the line out';
const NO_PLAN = 'plans lists no plan: list at least one, as in policy.example.yml, since nothing else can be bought.';
const PLAIN = 'which is no plain text: type it again, with no blanks around it and no invisible character in it.';
const plan = (more: string) => `plans: [{product_id: a, name: A, type: t, network_type: n, ${more}}]`;

describe('one wrong thing gets one line, with its place and value', () => {
  test.each<[Parameters<typeof text>[0], string]>([
    [{ access: 'access: {buy: ["@buyers"]}' }, `access.buy[1] is "@buyers", which is a handle: ${GROUP}`],
    [
      { access: 'access: {buy: [S1, "", "<!subteam^S2|@x>"]}' },
      `access.buy[3] is "<!subteam^S2|@x>", which is a handle: ${GROUP}`,
    ],
    [
      { access: 'access: {renew: "S1, buyers"}' },
      `access.renew[2] is "buyers", which is not a user group id (S…): ${GROUP}`,
    ],
    [
      { access: 'access: {approve: s0team}' },
      `access.approve[1] is "s0team", which is not a user group id (S…): ${GROUP}`,
    ],
    [
      { access: 'access: {approve: [[S1]]}' },
      `access.approve[1] is a list, which is not a user group id (S…): ${GROUP}`,
    ],
    [
      { access: 'access: {balance: {S1: 1}}' },
      `access.balance[1] is a mapping, which is not a user group id (S…): ${GROUP}`,
    ],
    [{ access: 'access: {balance: 5}' }, `access.balance[1] is 5, which is not a user group id (S…): ${GROUP}`],
    [
      { access: 'access: [S1]' },
      'access is a list, which is not a mapping: write balance, buy, renew, approve below it, each with a colon.',
    ],
    [{ access: 'access: {buyy: [S1]}' }, 'access.buyy is not known: did you mean buy?'],
    [{ access: 'access:\n  buy:: [S1]' }, 'access.buy: is not known: write one colon after it.'],
    [{ access: 'access: {sell: [S1]}' }, 'access.sell is not known: use one of balance, buy, renew, approve.'],
    [
      { approvals: '' },
      'approvals is missing: write `channel: C…` below it, or exactly `approvals: off` to do without.',
    ],
    [{ approvals: 'approvals: false' }, `approvals is false, ${OFF}`],
    [{ approvals: 'approvals: no' }, `approvals is "no", ${OFF}`],
    [{ approvals: 'approvals: Off' }, `approvals is "Off", ${OFF}`],
    [{ approvals: 'approvals: on' }, `approvals is "on", ${OFF}`],
    [{ approvals: 'approvals: true' }, `approvals is true, ${OFF}`],
    [{ approvals: 'approvals: C1' }, `approvals is "C1", ${OFF}`],
    [{ approvals: 'approvals:\n  channel:C1' }, `approvals is "channel:C1", ${OFF}`],
    [{ approvals: 'approvals: [off]' }, `approvals is a list, ${OFF}`],
    [{ approvals: 'approvals: {}' }, `approvals.channel is missing: ${CHANNEL}`],
    [{ approvals: 'approvals:\n  channel: #general' }, `approvals.channel is missing: ${CHANNEL}`],
    [
      { approvals: 'approvals: {channel: "#general"}' },
      `approvals.channel is "#general", which is not a channel id (C… or G…): ${CHANNEL}`,
    ],
    [
      { approvals: 'approvals: {channel: D0A}' },
      `approvals.channel is "D0A", which is not a channel id (C… or G…): ${CHANNEL}`,
    ],
    [
      { approvals: 'approvals: {channel: C1, freeUpTo: 5}' },
      'approvals.freeUpTo is not known: did you mean free_up_to?',
    ],
    [
      { approvals: 'approvals: {channel: C1, free_up_to: 1e3}' },
      'approvals.free_up_to is "1e3", which is not a whole number from 0 to 999999999: write digits only, or leave it out for 0.',
    ],
    [
      { approvals: 'approvals: {channel: C1, renewals: yes}' },
      'approvals.renewals is "yes", which is neither true nor false: write true or false, without quotes.',
    ],
    [
      { approvals: 'approvals: {channel: C1, expire_after: 24}' },
      'approvals.expire_after is 24, which is not a duration: write it like 4s, 15m, 24h or 7d; at most a year.',
    ],
    [
      { approvals: 'approvals: {channel: C1, send_within: 366d}' },
      'approvals.send_within is "366d", which is not a duration: write it like 4s, 15m, 24h or 7d; at most a year.',
    ],
    [
      { more: 'reminders: on' },
      'reminders is "on", which is neither the word off nor a mapping: write before_end and at below it, or reminders: off to do without.',
    ],
    [
      { more: 'reminders: {at: 9:00}' },
      'reminders.at is "9:00", which is not a time of day: write it like "09:00", in quotes.',
    ],
    [
      { more: 'reminders: {at: 24:00}' },
      'reminders.at is "24:00", which is not a time of day: write it like "09:00", in quotes.',
    ],
    [
      { more: 'reminders: {before_end: [7]}' },
      'reminders.before_end[1] is 7, which is not a duration: write it like 4s, 15m, 24h or 7d; at most a year.',
    ],
    [
      { more: 'reminders: {before_end: []}' },
      'reminders.before_end is a list, which is empty or too long: write it like before_end: [7d, 3d, 1d], with 1 to 10 of them, or reminders: off to do without.',
    ],
    [
      { more: 'balance: {read_every: 15}' },
      'balance.read_every is 15, which is neither a duration nor the word off: write it like read_every: 15m, or off to do without.',
    ],
    [
      { more: 'reminders: {before: [7d]}' },
      'reminders.before is not known: use one of before_end, at, renew_kept_before.',
    ],
    [
      { more: 'reports: {monthly: yes}' },
      'reports.monthly is "yes", which is neither true nor false: write true or false, without quotes.',
    ],
    [
      { more: 'reports: {time_zone: Europe/Berln}' },
      'reports.time_zone is "Europe/Berln", which is no time zone: did you mean Europe/Berlin?',
    ],
    [
      { more: 'reports: {time_zone: buenos aires}' },
      'reports.time_zone is "buenos aires", which is no time zone: did you mean America/Buenos_Aires?',
    ],
    ...['+02:00', 'Middle/Earth', ''].map((name): [Parameters<typeof text>[0], string] => [
      { more: `reports: {time_zone: "${name}"}` },
      `reports.time_zone is "${name}", which is no time zone: write a name of the IANA time zones, like Europe/Berlin, or leave it out for UTC.`,
    ]),
    [{ more: 'reports: {timezone: UTC}' }, 'reports.timezone is not known: did you mean time_zone?'],
    [{ plans: '' }, NO_PLAN],
    [{ plans: 'plans: []' }, NO_PLAN],
    [{ plans: 'plans: lt-monthly' }, NO_PLAN],
    [
      {
        plans: `plans: [${Array.from({ length: 101 }, (_, id) => `{product_id: p${id}, name: A, type: t, network_type: n}`).join()}]`,
      },
      'plans lists more than 100, the most that Slack shows: list fewer.',
    ],
    [
      { plans: 'plans: [~]' },
      'plans[1] is empty, which is not a mapping: write product_id, name, type, network_type, term below it, each with a colon.',
    ],
    [
      { plans: 'plans: [{product_id: a, name: A, type: t}]' },
      'plans[1].network_type is missing: write a text, in quotes.',
    ],
    [
      { plans: 'plans: [{product_id: 12, name: A, type: t, network_type: n}]' },
      'plans[1].product_id is 12, which is not a text: write a text, in quotes.',
    ],
    [
      { plans: 'plans: [{product_id: " a", name: A, type: t, network_type: n}]' },
      `plans[1].product_id is " a", ${PLAIN}`,
    ],
    [
      { plans: 'plans: [{product_id: "a\\u200bb", name: A, type: t, network_type: n}]' },
      `plans[1].product_id is "a\\u{200b}b", ${PLAIN}`,
    ],
    [
      { plans: `plans: [{product_id: a, name: ${'long '.repeat(16)}, type: t, network_type: n}]` },
      `plans[1].name is "${'long '.repeat(16).trim()}", which is longer than 75 characters, the most that Slack shows in a list: shorten it.`,
    ],
    [
      { plans: plan('term: 30') },
      'plans[1].term is 30, which is not a term: write it like 30 days, 1 month or 1 year, or leave it out.',
    ],
    [
      { plans: plan('term: 1 fortnight') },
      'plans[1].term is "1 fortnight", which is not a term: write it like 30 days, 1 month or 1 year, or leave it out.',
    ],
    [
      { plans: `${PLANS.slice(0, -1)}, {product_id: lt-monthly, name: B, type: t, network_type: n}]` },
      'plans[2].product_id is "lt-monthly", which is the product_id of plans[1] too: keep one of the two.',
    ],
    [
      { more: 'limits: {ips_per_order: 0}' },
      'limits.ips_per_order is 0, which is not a whole number from 1 to 999999999: write digits only, or leave it out for 500.',
    ],
    [{ more: 'limits: {ips-per-order: 5}' }, 'limits.ips-per-order is not known: did you mean ips_per_order?'],
    [{ more: 'limit: {}' }, 'limit is not known: did you mean limits?'],
    [{ more: 'limit:' }, 'limit is not known: did you mean limits?'],
    [{ more: 'contact:' }, `contact is missing: ${CONTACT}.`],
    [
      { more: 'contact: 5' },
      `contact is 5, which is not a name, nor the id of a Slack user, user group or channel: ${CONTACT}.`,
    ],
    [
      { more: 'contact: " "' },
      `contact is " ", which is not a name, nor the id of a Slack user, user group or channel: ${CONTACT}.`,
    ],
    [
      { more: 'constructor: 1' },
      'constructor is not known: use one of access, approvals, plans, limits, reminders, balance, reports, contact.',
    ],
    [
      { more: '__proto__: {}' },
      '__proto__ is not known: use one of access, approvals, plans, limits, reminders, balance, reports, contact.',
    ],
    [
      { more: '<<: {}' },
      '<< is not known: use one of access, approvals, plans, limits, reminders, balance, reports, contact.',
    ],
  ])('%j', (changes, line) => {
    expect(lines(text(changes))).toEqual([line]);
  });

  test.each([
    ['', 'policy is empty: copy policy.example.yml, and fill it in.'],
    ['# only a comment', 'policy is empty: copy policy.example.yml, and fill it in.'],
    ['- a', 'policy is a list, not a mapping: begin a line with each section and a colon, as in policy.example.yml.'],
    [
      'access',
      'policy is one text, not a mapping: begin a line with each section and a colon, as in policy.example.yml.',
    ],
    ['access:\n\tbuy: [S1]', 'policy line 2 begins with a tab: indent with blanks.'],
    [`${text()}\naccess: {}`, 'policy line 5 has access a second time: keep one of the two.'],
    ['access:\n  buy: [S1]\n  "buy": [S2]', 'policy line 3 has buy a second time: keep one of the two.'],
    [
      'access:\r\n<<<<<<< HEAD\r\n  buy: [S1]\r\n=======\r\n  buy: [S2]\r\n>>>>>>> main\r\n',
      'policy line 2 is left from an unfinished merge: keep one of the two versions.',
    ],
    [`${text()}\n---\n${text()}`, 'policy line 5 begins a second document: remove the line ---.'],
    ['access: {buy: [@buyers]}', 'policy line 1 has a text that begins with @: put it in quotes.'],
    ['a: !!js/function x', 'policy line 1 has a text that begins with !: put it in quotes.'],
    [
      'approvals:\n  channel:C1\n  renewals: true',
      'policy line 2 lacks a colon and a blank after its key: write `key: value`.',
    ],
    [
      'a: b: c',
      'policy line 1 has a second colon, or the next line is indented too far: put a text with a colon in quotes.',
    ],
    [
      'access:\n  buy: [S1]\n   renew: [S2]',
      'policy line 3 is not indented like its neighbours, or a bracket above is not closed: begin what belongs together in one column.',
    ],
    [
      'access:\n  buy: "S1\n',
      'policy line 3 lacks a colon after its key, or here ends a text or list that is not closed: add the colon, quote or bracket.',
    ],
    ['? [a]\n: b', 'policy line 1 is not readable YAML: compare it with policy.example.yml.'],
    [
      'access: {buy: *team}',
      'policy has an alias (*name) of something that is not there: write out what it stands for.',
    ],
    ['\0a\0:\0', 'policy is not encoded in UTF-8: save it as UTF-8.'],
  ])('%j', (yaml, line) => {
    expect(lines(yaml)).toEqual([line]);
  });

  test('a byte order mark and the ends of lines of Windows are no trouble, nor is an older version of YAML', () => {
    expect(policy(`\uFEFF${text().replaceAll('\n', '\r\n')}`)).toEqual(policy(text()));
    expect(policy(`%YAML 1.1\n---\n${text({ approvals: 'approvals: off' })}`)).toEqual(
      policy(text({ approvals: 'approvals: off' })),
    );
  });

  test('a list that was written once may stand in several places', () => {
    const access = 'access: {balance: &all [S1], buy: *all, renew: *all, approve: *all}';
    expect(policy(text({ access })).access.approve).toEqual(['S1']);
    expect(keys(text({ access: 'access: {buy: &x [*x]}' }))).toEqual(['access.buy[1]']);
  });

  test.each(['xoxb-1-2', 'xapp-1-2', '0123456789abcdef', 'postgres://desk:pw@db/desk'])(
    'and never %s, which may be a secret in the wrong place',
    (secret) => {
      const wrong = `access: {buy: ["${secret}"], "${secret}": 1}
approvals: {channel: "${secret}", expire_after: "${secret}"}
plans: [{product_id: "${secret}\\u200b", term: "${secret}"}]
limits: "${secret}"`;
      expect(lines(wrong)).toHaveLength(10);
      expect(lines(wrong).join()).not.toContain(secret);
      expect(lines(wrong)).toContain(`access.buy[1] is not a user group id (S…): ${GROUP}`);
      expect(lines(`"${secret}": 1\n"${secret}": 2`).join()).not.toContain(secret);
    },
  );
});

describe('the file of the policy', () => {
  const from = (path: string, code: string) => {
    const reading = readPolicyFile(path, () => {
      throw Object.assign(new Error(code), { code });
    });
    return reading.ok ? [] : reading.problems.map(problemLine);
  };

  test.each([
    ['ENOENT', 'not there: copy policy.example.yml there, and fill it in.'],
    ['EACCES', 'not readable by this user: give it the right to read (chown, chmod).'],
    ['EISDIR', 'a folder: put a file in its place, or name another.'],
    ['EIO', 'not readable (EIO): look at the file and its disk.'],
  ])('%s: only where there is none is the example to be copied', (code, line) => {
    expect(from('conf/policy.yml', code)).toEqual([`POLICY_FILE names "conf/policy.yml", which is ${line}`]);
  });
});

describe('the JSON Schema for editors', () => {
  const file = new URL('../../docs/policy.schema.json', import.meta.url);

  test('is what the policy is read with (npx vitest run test/config -u writes it anew)', async () => {
    await expect(`${JSON.stringify(policyJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(file.pathname);
  });

  test('takes the example, and refuses what the bot refuses', () => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')));
    const accepts = (yaml: string) => schema.safeParse(parse(yaml)).success;
    const example = readFileSync(new URL('../../policy.example.yml', import.meta.url), 'utf8');
    expect(example).toMatch(/^# yaml-language-server: \$schema=docs\/policy\.schema\.json$/m);
    for (const sound of [example, text(), text({ approvals: 'approvals: off' })]) {
      expect(accepts(sound)).toBe(true);
      expect(readPolicy(sound).ok).toBe(true);
    }
    for (const wrong of [
      text({ more: 'limit: {}' }),
      text({ access: 'access: {buyy: [S1]}' }),
      text({ access: 'access: {buy: ["@buyers"]}' }),
      text({ approvals: 'approvals: false' }),
      text({ approvals: 'approvals: {channel: C1, chanel: C1}' }),
      text({ approvals: 'approvals: {channel: C1, send_within: 15}' }),
      text({ plans: 'plans: []' }),
      text({ plans: plan('terms: 1 month') }),
      text({ more: 'limits: {ips_per_order: 0}' }),
    ]) {
      expect(accepts(wrong), wrong).toBe(false);
      expect(readPolicy(wrong).ok, wrong).toBe(false);
    }
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
});

describe('approvals', () => {
  test.each(['off', '"off"', "'off'"])('%s does without, with the times kept', (off) => {
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

  test('take a private channel, an allowance and times', () => {
    const approvals = 'approvals: {channel: G1, free_up_to: 20, renewals: false, expire_after: 7d, send_within: 4s}';
    expect(policy(text({ approvals })).approvals).toEqual({
      mode: 'channel',
      channel: 'G1',
      freeUpTo: 20,
      freeUpToDollars: null,
      renewalsNeedApproval: false,
      ...USUALLY_PRESSED,
      expireAfterMs: 604_800_000,
      sendWithinMs: 4_000,
    });
  });

  test('ask for two people, reminders, quiet hours and whom to mention at last', () => {
    const approvals = `approvals:
  channel: C1
  two_people_above: 0
  remind_after: [4h, 30m, 4h]
  quiet: "19:00-08:00"
  escalate_after: 8h
  escalate_to: [S1, S2]`;
    expect(policy(text({ approvals })).approvals).toMatchObject({
      twoPeopleAbove: 0,
      remindAfterMs: [1_800_000, 14_400_000],
      quiet: { fromMinutes: 1_140, untilMinutes: 480, timeZone: 'UTC' },
      escalation: { afterMs: 28_800_000, to: ['S1', 'S2'] },
    });
  });

  test.each(['off', '[]'])('remind nobody with remind_after: %s', (written) => {
    const approvals = `approvals: {channel: C1, remind_after: ${written}}`;
    expect(policy(text({ approvals })).approvals).toMatchObject({ remindAfterMs: [] });
  });

  test('take quiet hours of another time zone', () => {
    const approvals = 'approvals: {channel: C1, quiet: "22:30 - 06:15 Europe/Berlin"}';
    expect(policy(text({ approvals })).approvals).toMatchObject({
      quiet: { fromMinutes: 1_350, untilMinutes: 375, timeZone: 'Europe/Berlin' },
    });
  });

  test.each([
    ['quiet: 19', 'quiet'],
    ['quiet: "19:00"', 'quiet'],
    ['quiet: "19:00-25:00"', 'quiet'],
    ['quiet: "19:00-19:00"', 'quiet'],
    ['quiet: "19:00-08:00 Nowhere"', 'quiet'],
    ['remind_after: 1h', 'remind_after'],
    ['remind_after: [1]', 'remind_after[1]'],
    ['remind_after: [1s, 2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s, 10s, 11s]', 'remind_after'],
    ['two_people_above: many', 'two_people_above'],
    ['escalate_after: 8h', 'escalate_to'],
    ['escalate_to: [S1], escalate_after: soon', 'escalate_after'],
    ['escalate_to: [S1]', 'escalate_after'],
    ['escalate_to: ["@bosses"], escalate_after: 8h', 'escalate_to[1]'],
  ])('refuse %s, by its place and with a remedy', (written, place) => {
    const reading = readPolicy(text({ approvals: `approvals: {channel: C1, ${written}}` }));
    expect(reading).toMatchObject({ ok: false, problems: [{ key: `approvals.${place}` }] });
    if (!reading.ok) expect(reading.problems[0]?.remedy).not.toBe('');
  });

  test('say that one half of an escalation is missing also where another key is wrong', () => {
    const approvals = 'approvals: {channel: C1, renewals: maybe, escalate_after: 8h}';
    expect(readPolicy(text({ approvals }))).toMatchObject({
      ok: false,
      problems: [{ key: 'approvals.renewals' }, { key: 'approvals.escalate_to' }],
    });
  });

  test('warn where more is free than one person may approve: the stricter holds', () => {
    const approvals = 'approvals: {channel: C1, free_up_to: 20, two_people_above: 10}';
    expect(readPolicy(text({ approvals }))).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('more than 10 IPs need two people all the same')],
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
  const approvals = (written: string) => text({ approvals: `approvals: {channel: C1, send_within: ${written}}` });

  test.each([
    ['4s', 4_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['365d', 31_536_000_000],
  ])('%s is %i ms', (written, sendWithinMs) => {
    expect(policy(approvals(written)).approvals).toMatchObject({ sendWithinMs });
  });

  test.each(['', '0s', '4', 's', '4 s', '4S', '1.5h', '-4s', '1h30m', '4ms', '366d', '999999999d', '٤s', '4s\n'])(
    '%j is none',
    (written) => {
      expect(keys(approvals(JSON.stringify(written)))).toEqual(['approvals.send_within']);
    },
  );
});

describe('plans', () => {
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
      'plans[3]',
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
      dollarsPerPersonPerMonth: null,
      dollarsPerMonth: null,
    });
    expect(keys(text({ more: 'limits: {ips_per_order: 0, ips_per_person_per_day: many}' }))).toEqual([
      'limits.ips_per_order',
      'limits.ips_per_person_per_day',
    ]);
  });
});

describe('amounts in dollars', () => {
  test('are exact, with cents or without', () => {
    const limits = 'limits: {dollars_per_person_per_month: 99.50, dollars_per_month: 1000}';
    expect(policy(text({ more: limits })).limits).toMatchObject({
      dollarsPerPersonPerMonth: '99.50',
      dollarsPerMonth: '1000',
    });
    const approvals = 'approvals: {channel: C1, free_up_to_dollars: 0.01, two_people_above_dollars: 250}';
    expect(policy(text({ approvals })).approvals).toMatchObject({
      freeUpToDollars: '0.01',
      twoPeopleAboveDollars: '250',
    });
  });

  test.each(['-1', '0.001', '"1,000"', '$100', '1e3000', 'many', '.nan'])('are not %s', (written) => {
    expect(keys(text({ more: `limits: {dollars_per_month: ${written}}` }))).toEqual(['limits.dollars_per_month']);
  });

  test('free dollars alone leave IPs out of it; beside free IPs both hold; without either nothing is free', () => {
    const freeUpTo = (more: string) =>
      policy(text({ approvals: `approvals: {channel: C1${more}}` })).approvals as { freeUpTo: number | null };
    expect(freeUpTo(', free_up_to_dollars: 20').freeUpTo).toBeNull();
    expect(freeUpTo(', free_up_to: 5, free_up_to_dollars: 20').freeUpTo).toBe(5);
    expect(freeUpTo('').freeUpTo).toBe(0);
  });

  test('that contradict each other are warned of', () => {
    const approvals = 'approvals: {channel: C1, free_up_to_dollars: 20, two_people_above_dollars: 19.99}';
    expect(readPolicy(text({ approvals }))).toMatchObject({
      warnings: [
        expect.stringMatching(/free_up_to_dollars \(\$20.00\) is above .*two_people_above_dollars \(\$19.99\)/),
      ],
    });
  });
});

test('all problems are reported at once', () => {
  expect(keys('access: {buy: ["@x"]}\napprovals: {}\nplans: []\nlimits: {ips_per_order: x}\nmore: 1')).toEqual([
    'access.buy[1]',
    'approvals.channel',
    'plans',
    'limits.ips_per_order',
    'more',
  ]);
});
