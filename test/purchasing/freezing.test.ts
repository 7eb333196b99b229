import { describe, expect, test } from 'vitest';
import type { FreezeFacts } from '../../src/purchasing/model/freeze.ts';
import { countOnce } from '../../src/purchasing/rules/clicks.ts';
import { decideFreeze, decideUnfreeze, freezeNow } from '../../src/purchasing/rules/freezing.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import { ANN, BEN, changeFacts, inState, NOW, said } from './fixture.ts';

const anns = { by: ANN.user, reason: 'odd', at: NOW - 9 };
const bens = { by: BEN.user, reason: 'leaked', at: NOW - 9 };
const nobody = { refused: 'not_in_group', right: 'approve' } as const;
const other: Clicker = { user: ANN.user, allowed: nobody };
const facts = (freeze: FreezeFacts['freeze'], deliveredBefore: FreezeFacts['deliveredBefore'] = null): FreezeFacts => ({
  now: NOW,
  freeze,
  deliveredBefore,
});

describe('spending', () => {
  const freeze = (given: FreezeFacts, by: Clicker = ANN) => decideFreeze(given, by, 'odd', '1');
  const unfreeze = (given: FreezeFacts, by: Clicker = ANN) => decideUnfreeze(given, by, '1');
  const now = { by: ANN.user, reason: 'odd', at: NOW };

  test.each<[string, ReturnType<typeof freeze>, object | null | undefined, object]>([
    ['is frozen by who may approve', freeze(facts(null)), now, now],
    ['stays frozen for the first reason', freeze(facts(bens)), undefined, { refused: 'already_frozen', by: BEN.user }],
    ['stays frozen by who freezes it once more', freeze(facts(anns)), undefined, anns],
    ['is not frozen by others', freeze(facts(null), other), undefined, nobody],
    ['is unfrozen by who may approve, whoever froze it', unfreeze(facts(bens)), null, bens],
    ['is not unfrozen where it is not frozen', unfreeze(facts(null)), undefined, { refused: 'not_frozen' }],
    ['is not unfrozen by others', unfreeze(facts(bens), other), undefined, nobody],
    [
      'is frozen by the bot itself',
      freezeNow(facts(null), 'desk', '401', '1'),
      { by: 'desk', reason: '401', at: NOW },
      { by: 'desk' },
    ],
    [
      'is not frozen by a command that comes again',
      freeze(facts(null, 'done')),
      undefined,
      { refused: 'command_delivered_again', freeze: null },
    ],
    ['is told to be frozen still where it is', freeze(facts(anns, 'done')), undefined, anns],
    [
      'is not unfrozen by a command that comes again',
      unfreeze(facts(bens, 'done')),
      undefined,
      { refused: 'command_delivered_again', freeze: bens },
    ],
    [
      'nor by one that was refused at first',
      unfreeze(facts(bens, 'refused')),
      undefined,
      { refused: 'command_delivered_again' },
    ],
    ['is told not to be frozen where it is not', unfreeze(facts(null, 'done')), undefined, { refused: 'not_frozen' }],
  ])('%s', (_, { to, result, notice }, becomes, expected) => {
    expect(to).toEqual(becomes);
    expect(result).toMatchObject(expected);
    expect(notice?.kind).toBe(to === undefined ? undefined : to ? 'frozen' : 'unfrozen');
  });

  test('remembers a click once: what it led to', () => {
    expect(freeze(facts(null)).click).toBe('done');
    expect(unfreeze(facts(null)).click).toBe('refused');
    expect(freeze(facts(null, 'done')).click).toBeUndefined();
  });
});

describe('a click on a purchase', () => {
  const yes = () => ({ result: inState('approved'), by: ANN.user, to: 'approved' as const });
  const no = () => ({ result: { refused: 'own_purchase' as const }, by: ANN.user });

  test.each([
    ['counts the first time', yes, null, 'approved', 'approved', 'done'],
    ['counts the first time where it is refused', no, null, 'refused: own_purchase', undefined, 'refused'],
    ['that was done is told how things stand', yes, 'done', 'unknown', undefined, undefined],
    ['that was done is told so where it would be refused now', no, 'done', 'unknown', undefined, undefined],
    ['that was refused is not done later', yes, 'refused', 'refused: delivered_again', undefined, undefined],
    ['that was refused is told why it is refused now', no, 'refused', 'refused: own_purchase', undefined, undefined],
  ] as const)('%s', (_, decide, deliveredBefore, expected, to, click) => {
    const rule = countOnce(decide, (purchase: ReturnType<typeof inState>) => purchase);
    const change = rule(inState('unknown'), changeFacts({ deliveredBefore }));
    expect([said(change.result), change.to, change.click]).toEqual([expected, to, click]);
  });
});
