import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { editEnv } from '../../src/config/edit-env.ts';
import { editPolicy, type PolicyEdit } from '../../src/config/edit-policy.ts';
import { readYaml } from '../../src/config/yaml.ts';
import { ROOT } from '../deploy/files.ts';

const example = readFileSync(`${ROOT}/policy.example.yml`, 'utf8');

/** Line by line, with what was taken away and added. */
function difference(before: string, after: string) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
}

describe('what is changed in .env', () => {
  test.each([
    ['A=1\n# c\nB=2\n', { A: '3' }, 'A=3\n# c\nB=2\n'],
    ['A=1\r\nB=2\r\n', { A: '3' }, 'A=3\r\nB=2\r\n'],
    ['export A=1 # why\nB=2', { B: '4' }, 'export A=1 # why\nB=4'],
    ['# A=1\nB=2\n', { A: '3' }, 'A=3\nB=2\n'],
    ['B=2', { A: '3' }, 'B=2\nA=3\n'],
    ['', { A: '3' }, 'A=3\n'],
    ['A=1\nA=2\n', { A: '3' }, 'A=1\nA=3\n'],
    ['A=1\n', { A: '' }, 'A=\n'],
    ['A=1\n', { A: 'x#y' }, "A='x#y'\n"],
    ['A=1\n', { A: "it's" }, 'A="it\'s"\n'],
    ['A=1\n', { A: `'"` }, 'A=`\'"`\n'],
    ['A=1\n', { A: '$&\\n' }, "A='$&\\n'\n"],
    ['\uFEFFA=1\n', { B: '2' }, '\uFEFFA=1\nB=2\n'],
  ])('%j with %j is %j, and nothing else', (text, changes, edited) => {
    expect(editEnv(text, new Map(Object.entries(changes)))).toBe(edited);
  });

  test.each([
    ['A="1\n2"\n', { A: '3' }],
    ['A=1\n', { A: `'"\`` }],
    ['B="\nA=1\n"\n', { A: '3' }],
  ])('%j with %j is not guessed', (text, changes) => {
    expect(editEnv(text, new Map(Object.entries(changes)))).toBeUndefined();
  });
});

describe('what is changed in a policy', () => {
  test('changes its own line of the example, and keeps columns and comments', () => {
    const edited = editPolicy(example, [
      { path: ['access', 'buy'], value: ['S1', 'S2'] },
      { path: ['access', 'approve'], value: ['S3'] },
      { path: ['approvals', 'channel'], value: 'C1' },
      { path: ['approvals', 'renewals'], value: false },
      { path: ['limits', 'ips_per_order'], value: 7 },
    ]);
    expect(difference(example, edited ?? '')).toEqual({
      gone: [
        '  buy:     [S0BUYERS]',
        '  approve: [S0LEADS]          # decides requests, settles unknown outcomes, freezes spending',
        "  channel: C0APPROVALS        # the id, at the bottom of the channel's About; invite the bot into it",
        '  renewals: true              # renewals need approval; false lets them follow free_up_to like a purchase',
        '  ips_per_order: 500',
      ],
      come: [
        '  buy:     [S1, S2]',
        '  approve: [S3]          # decides requests, settles unknown outcomes, freezes spending',
        "  channel: C1        # the id, at the bottom of the channel's About; invite the bot into it",
        '  renewals: false              # renewals need approval; false lets them follow free_up_to like a purchase',
        '  ips_per_order: 7',
      ],
    });
  });

  test('that are plans, or approvals that were off, come in lines of their own', () => {
    const plans = [
      { product_id: '12', name: 'A: b', type: 'long-term', network_type: 'residential', term: '30 days' },
      { product_id: 'x', name: 'X', type: 'long-term', network_type: 'residential' },
    ];
    const edited = editPolicy(example, [{ path: ['plans'], value: plans }]) ?? '';
    expect(edited).toContain(`plans:\n  - product_id: "12"\n    name: "A: b"\n`);
    expect(edited).toContain('\n\n# These are also the values that hold');
    const off = editPolicy(edited, [{ path: ['approvals'], value: 'off' }]) ?? '';
    expect(off).toMatch(/^approvals: off$/m);
    const on = editPolicy(off, [{ path: ['approvals'], value: { channel: 'C2', free_up_to: 3 } }]) ?? '';
    expect(on).toContain('approvals:\n  channel: C2\n  free_up_to: 3\n');
  });

  const EDIT: PolicyEdit = { path: ['limits', 'ips_per_order'], value: 7 };
  test.each([
    ['', 'limits:\n  ips_per_order: 7\n'],
    ['# a\n', '# a\n\nlimits:\n  ips_per_order: 7\n'],
    ['contact: x\n', 'contact: x\n\nlimits:\n  ips_per_order: 7\n'],
    ['limits:\ncontact: x\n', 'limits:\n  ips_per_order: 7\ncontact: x\n'],
    ['limits: {}\n', 'limits: { ips_per_order: 7 }\n'],
    ['limits: { ips_per_person_per_day: 9 } # c\n', 'limits: { ips_per_order: 7, ips_per_person_per_day: 9 } # c\n'],
    ['limits: { ips_per_order: 1 } # c\n', 'limits: { ips_per_order: 7 } # c\n'],
    ['limits:\n    # c\n    a: 1\n', 'limits:\n    # c\n    ips_per_order: 7\n    a: 1\n'],
    ['{ contact: x }\n', '{ limits: {ips_per_order: 7}, contact: x }\n'],
    ['limits:\r\n  ips_per_order: 1\r\n', 'limits:\r\n  ips_per_order: 7\r\n'],
  ])('finds its place in %j', (text, edited) => {
    expect(editPolicy(text, [EDIT])).toBe(edited);
  });

  test('that was a list in several lines leaves the comments around it', () => {
    const text = 'access:\n  # who\n  buy:\n    - S1 # one\n    - S2\n  # next\n  renew: [S3]\n';
    const edited = editPolicy(text, [{ path: ['access', 'buy'], value: ['S9'] }]);
    expect(edited).toBe('access:\n  # who\n  buy: [S9]\n  # next\n  renew: [S3]\n');
  });

  test('behind an alias is not guessed', () => {
    const text = 'access:\n  buy: &who [S1]\n  renew: *who\n';
    expect(editPolicy(text, [{ path: ['access', 'buy'], value: ['S2'] }])).toBeUndefined();
    expect(readYaml(text).ok).toBe(true);
  });
});
