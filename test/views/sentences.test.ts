import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATES, type Twin } from '../../src/purchasing/model/purchase.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import { says } from '../../views/blocks.ts';
import { outcomeSentence, type Reader, refusalSentence, stateWord } from '../../views/sentences.ts';
import { ANN, accepted, asOrderId, liveTokens, NOW, purchase, RECORDS, SAM } from './fixture.ts';

const twin: Twin = { id: 'p0', state: 'completed', requester: ANN, changedAt: NOW - 2 * 3_600_000 };
const requested = purchase();
const READER: Reader = { now: NOW, user: 'U0EVE', contact: null };

/** Every refusal there is, with the plain words that its sentence owes. */
const SAYS: [Refusal, RegExp][] = [
  [{ refused: 'not_in_group', right: 'buy' }, /You are not in a group that may buy proxies/],
  [
    { refused: 'nobody_in_group', right: 'approve' },
    /nobody may approve, settle or freeze: the groups for it are empty/,
  ],
  [{ refused: 'barred', as: 'guest' }, /Guests cannot/],
  [{ refused: 'barred', as: 'outsider' }, /other organisations cannot/],
  [{ refused: 'rights_unreadable', retryAfterSeconds: 7 }, /rights could not be checked.*Try again in 7 seconds/],
  [{ refused: 'own_purchase' }, /your own request/],
  [{ refused: 'not_requester' }, /Only the person who asked/],
  [{ refused: 'wrong_card' }, /does not count/],
  [{ refused: 'no_such_fall' }, /no such change/],
  [{ refused: 'fall_known', by: 'U0LEAD' }, /<@U0LEAD> has said already/],
  [{ refused: 'no_such_purchase' }, /knows no such request/],
  [{ refused: 'plan_gone', name: 'Old' }, /The plan Old is no longer offered/],
  [{ refused: 'over_order_limit', quantity: 600, limit: 500 }, /600 IPs.*at most 500/],
  [{ refused: 'over_day_limit', quantity: 200, counted: 900, limit: 1_000 }, /900 of 1000.*Up to 100 would still fit/],
  [{ refused: 'over_day_limit', quantity: 1, counted: 1_200, limit: 1_000 }, /None are left for now/],
  [{ refused: 'twin_open', twin: { ...twin, state: 'unknown' } }, /<@U0ANN>.*outcome is unknown.*not paid twice/],
  [{ refused: 'twin_just_declined', twin, retryAfterSeconds: 12 }, /declined the same.*try again in 12 seconds/],
  [{ refused: 'twin_completed', twin }, /completed 2 h ago.*This is a new, separate purchase/],
  [
    { refused: 'asked_since', twin: { ...twin, state: 'rejected' } },
    /<@U0ANN>.*asked for the same since this review.*it was rejected/,
  ],
  [{ refused: 'order_never_seen', orderId: '12' }, /has never seen order 12/],
  [{ refused: 'approval_now_needed' }, /now needs approval/],
  [{ refused: 'wrong_state', purchase: { ...requested, state: 'expired' }, decidedBy: null }, /has expired/],
  [
    { refused: 'wrong_state', purchase: { ...requested, state: 'rejected' }, decidedBy: ANN },
    /was rejected by <@U0ANN>/,
  ],
  [
    { refused: 'wrong_state', purchase: { ...requested, state: 'approved' }, decidedBy: ANN },
    /was already approved by <@U0ANN>/,
  ],
  [
    { refused: 'wrong_state', purchase: { ...requested, state: 'completed' }, decidedBy: ANN },
    /was already approved by <@U0ANN>.*money was spent/,
  ],
  [{ refused: 'wrong_state', purchase: { ...requested, state: 'unknown' }, decidedBy: ANN }, /outcome is unknown/],
  [
    { refused: 'wrong_state', purchase: { ...requested, state: 'withdrawn' }, decidedBy: null },
    /was withdrawn by <@U0SAM>/,
  ],
  [{ refused: 'order_id_taken', orderId: '12', holder: 'p9' }, /12 already belongs to another purchase/],
  [{ refused: 'order_id_known', orderId: '12' }, /names order id 12/],
  [{ refused: 'no_answer_kept' }, /No answer of the vendor is kept/],
  [{ refused: 'already_frozen', by: 'desk', reason: '401' }, /frozen already, by Proxy Desk itself: 401/],
  [{ refused: 'not_frozen' }, /is not frozen/],
  [{ refused: 'no_such_basket' }, /basket is gone: somebody has removed it/],
  [{ refused: 'not_basket_maker', by: ANN }, /Only <@U0ANN>, who saved this basket, and those who approve/],
  [{ refused: 'basket_name_missing' }, /nothing to be seen in this name/],
  [{ refused: 'basket_name_too_long', limit: 60 }, /at most 60 characters/],
  [{ refused: 'basket_name_taken' }, /has this name already/],
  [{ refused: 'too_many_baskets', limit: 40 }, /40 saved baskets.*remove one first/],
];

describe('every refusal is told in plain words, with what it means for the money', () => {
  test.each(SAYS)('%j', (refusal, words) => {
    const sentence = refusalSentence(refusal, READER);
    expect(sentence).toMatch(words);
    expect(sentence).toMatch(/nothing|no money|money|changed|kept|expired/i);
    accepted(says(sentence));
  });

  test('an empty group is not the same as not being in it', () => {
    expect(refusalSentence({ refused: 'nobody_in_group', right: 'buy' }, READER)).not.toBe(
      refusalSentence({ refused: 'not_in_group', right: 'buy' }, READER),
    );
  });

  test('somebody to turn to is named as the policy has it', () => {
    const ask = (contact: string | null) =>
      refusalSentence({ refused: 'not_in_group', right: 'buy' }, { ...READER, contact });
    expect(ask(null)).toContain('Ask whoever runs Proxy Desk to add you');
    expect(ask('U0OPS')).toContain('Ask <@U0OPS> to add you');
    expect(ask('S0OPS')).toContain('Ask <!subteam^S0OPS> to add you');
    expect(ask('the *data* team')).toContain('Ask the ＊data＊ team to add you');
  });

  test('what was asked for is named, where the right does not say it', () => {
    const refusal = { refused: 'not_in_group', right: 'balance' } as const;
    expect(refusalSentence(refusal, { ...READER, asked: 'see orders' })).toContain('a group that may see orders');
  });

  test("one's own request is said to be one's own", () => {
    const mine = { ...READER, user: ANN };
    const open: Twin = { ...twin, state: 'requested' };
    expect(refusalSentence({ refused: 'twin_open', twin: open }, mine)).toMatch(/^You have asked for the same already/);
    expect(refusalSentence({ refused: 'twin_completed', twin }, mine)).toMatch(/asked for by you/);
    const late = { ...purchase({ requester: ANN }), state: 'approved' } as const;
    expect(refusalSentence({ refused: 'wrong_state', purchase: late, decidedBy: SAM }, mine)).toMatch(
      /^This is your own request\. This request was already approved by/,
    );
  });

  test('foreign text in one is never live', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const nasty = `${text}<!channel> <@U0SAM> https://evil.example ${text}`;
        for (const refusal of [
          { refused: 'plan_gone', name: nasty },
          { refused: 'already_frozen', by: 'desk', reason: nasty },
          { refused: 'order_never_seen', orderId: asOrderId(nasty) },
          { refused: 'order_id_taken', orderId: asOrderId(nasty), holder: nasty },
          { refused: 'wrong_state', purchase: { ...requested, state: 'expired', why: nasty }, decidedBy: null },
        ] satisfies Refusal[])
          expect(liveTokens(says(refusalSentence(refusal, READER)))).toEqual([]);
      }),
    );
  });
});

describe('every state has a word and a sentence', () => {
  test.each(STATES)('%s', (state) => {
    const { purchase: subject } = RECORDS[state]();
    expect(stateWord(state)).not.toBe('');
    expect(outcomeSentence(subject)).toMatch(/money|bought|renewed/i);
  });

  test('an unknown outcome says so, and what not to do', () => {
    expect(stateWord('unknown')).toBe('unknown');
    expect(outcomeSentence(RECORDS.unknown().purchase)).toMatch(
      /Outcome unknown.*nobody can tell whether the order went through.*Do not ask for it again/,
    );
  });

  test('a decline says whether anything was sent', () => {
    const of = (declinedHow: 'vendor' | 'not_sent' | 'settled') =>
      outcomeSentence(purchase({ state: 'declined', declinedHow, why: 'the balance is used up' }));
    expect(of('vendor')).toMatch(/Declined by the vendor/);
    expect(of('not_sent')).toMatch(/nothing was sent, so no money moved: the balance is used up/);
    expect(of('settled')).toMatch(/settled as not placed/);
  });

  test('a rejection names who rejected', () => {
    expect(outcomeSentence(purchase({ state: 'rejected', approver: ANN, why: 'too many' }))).toMatch(
      /Rejected\* by <@U0ANN>: “too many”\. No money moved/,
    );
    expect(outcomeSentence(purchase({ state: 'withdrawn' }))).toContain(`<@${SAM}>`);
  });
});
