import { describe, expect, test } from 'vitest';
import { alone, type Batch } from '../../src/purchasing/model/batch.ts';
import type { TalkFacts } from '../../src/purchasing/model/change.ts';
import type { Entry, EntryDetail } from '../../src/purchasing/model/entries.ts';
import { type Purchase, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import {
  decideAnswering,
  decideNudge,
  decideOpeningAnswer,
  decideQuestion,
  type Said,
} from '../../src/purchasing/rules/talk.ts';
import { ANN, BEN, CHANNEL, clickIn, inState, NOW, policy, SAM } from './fixture.ts';

// Sam has asked; Ann and Ben approve.

const MINUTE = 60_000;
const unreadable: Clicker = { user: SAM.user, allowed: { refused: 'rights_unreadable', retryAfterSeconds: 5 } };
const entry = (by: string, detail: EntryDetail, at = NOW): Entry => ({ seq: 1, at, by, from: null, to: null, detail });
const talkFacts = (facts: Partial<TalkFacts>): TalkFacts => ({ now: NOW, deliveredBefore: null, talk: [], ...facts });
const said = (result: Said) => ('refused' in result ? `refused: ${result.refused}` : 'said');

function several(...states: readonly State[]): Batch {
  const rows = states.map((state, place) => inState(state, { id: `P${place}`, batch: { id: 'B1', place } }));
  return { ...alone(rows[0] as Purchase), id: 'B1', rows };
}

describe.each([
  ['a purchase', alone(inState('requested'))],
  ['a batch', several('requested', 'requested')],
  ['a batch of which the first row is rejected', several('rejected', 'requested')],
])('about %s', (_, request) => {
  const asked = (n: number) => entry(ANN.user, { kind: 'question', question: `${request.id}.${n}`, text: 'why?' });
  const answered = (n: number) =>
    entry(SAM.user, { kind: 'question_answered', question: `${request.id}.${n}`, text: 'so' });
  const nudge = (
    by: Clicker,
    facts: Partial<TalkFacts> = {},
    channel = CHANNEL,
    given: Parameters<typeof policy>[0] = {},
  ) => decideNudge(request, talkFacts(facts), by, clickIn(channel), policy(given));
  const ask = (by: Clicker, talk: readonly Entry[] = [], given: Parameters<typeof policy>[0] = {}) =>
    decideQuestion(request, talkFacts({ talk }), by, 'why?', policy(given));
  const answer = (by: Clicker, talk: readonly Entry[], n = 1) =>
    decideAnswering(request, talkFacts({ talk }), by, `${request.id}.${n}`, 'so');
  const open = (by: Clicker, talk: readonly Entry[], channel = CHANNEL) =>
    decideOpeningAnswer(request, talkFacts({ talk }), by, `${request.id}.1`, clickIn(channel), policy({}));

  describe('a nudge', () => {
    test('of the requester is an entry, and is said under the card, from whom', () => {
      const { entries, notices, to, set } = nudge(SAM);
      expect(entries).toMatchObject([{ by: SAM.user, from: null, to: null, detail: { kind: 'nudge' } }]);
      expect(notices).toMatchObject([{ kind: 'nudge', audience: 'thread', by: SAM.user }]);
      expect({ to, set }).toEqual({});
    });

    test.each<[string, ReturnType<typeof nudge>, string]>([
      ['of anybody else', nudge(BEN), 'not_requester'],
      ['of whom nobody can tell who they are', nudge(unreadable), 'rights_unreadable'],
      ['with the button of another message', nudge(SAM, {}, 'C0OTHER'), 'wrong_card'],
      ['with approvals off', nudge(SAM, {}, 'D0SAM', 'off'), 'no_approvals_channel'],
      ['of what has expired', nudge(SAM, { now: request.rows[0]?.expiresAt ?? 0 }), 'wrong_state'],
    ])('%s is none', (_case, { result, notices }, refused) => {
      expect(said(result)).toBe(`refused: ${refused}`);
      expect(notices).toBeUndefined();
    });

    test.each([
      [0, 60],
      [30 * MINUTE, 30],
      [59 * MINUTE + 1, 1],
    ])('counts once an hour: %i ms after the last there are %i minutes left', (since, left) => {
      const { result } = nudge(SAM, { talk: [entry(SAM.user, { kind: 'nudge' }, NOW - since)] });
      expect(result).toEqual({ refused: 'nudged_already', retryAfterMinutes: left });
    });

    test('counts again after an hour, and whenever a clock was set back', () => {
      for (const at of [NOW - 60 * MINUTE, NOW + MINUTE]) {
        const { notices } = nudge(SAM, { talk: [entry(SAM.user, { kind: 'nudge' }, at)] });
        expect(notices).toMatchObject([{ key: expect.stringMatching(/:2$/) }]);
      }
    });
  });

  describe('a question', () => {
    test('of an approver is an entry, and is said under the card and to the requester', () => {
      const { entries, notices, to } = ask(ANN, [asked(1), answered(1)]);
      const question = `${request.id}.2`;
      expect(entries).toMatchObject([{ by: ANN.user, detail: { kind: 'question', question, text: 'why?' } }]);
      expect(notices).toMatchObject([
        { kind: 'question', audience: 'thread', text: question, by: ANN.user },
        { kind: 'question', audience: 'requester', text: question, by: ANN.user },
      ]);
      expect(to).toBeUndefined();
    });

    test('is not asked by the requester, nor by somebody in no group for it', () => {
      expect(said(ask(SAM).result)).toBe('refused: own_purchase');
      const notInGroup: Clicker = { user: BEN.user, allowed: { refused: 'not_in_group', right: 'approve' } };
      expect(said(ask(notInGroup).result)).toBe('refused: not_in_group');
      expect(said(ask(ANN, [], 'off').result)).toBe('refused: no_approvals_channel');
    });

    test('is answered by the requester, once', () => {
      const { entries, notices } = answer(SAM, [asked(1)]);
      expect(entries).toMatchObject([{ by: SAM.user, detail: { kind: 'question_answered', text: 'so' } }]);
      expect(notices).toMatchObject([{ kind: 'answer', audience: 'thread', text: `${request.id}.1`, by: SAM.user }]);
      expect(said(answer(SAM, [asked(1), answered(1)]).result)).toBe('refused: question_answered');
      expect(said(answer(SAM, [asked(1), answered(1), asked(2)], 2).result)).toBe('said');
    });

    test.each<[string, ReturnType<typeof answer>, string]>([
      ['by anybody else', answer(BEN, [asked(1)]), 'not_requester'],
      ['by whom nobody can tell who they are', answer(unreadable, [asked(1)]), 'rights_unreadable'],
      ['that was never asked', answer(SAM, [asked(1)], 2), 'no_such_question'],
    ])('is not answered %s', (_case, { result, notices }, refused) => {
      expect(said(result)).toBe(`refused: ${refused}`);
      expect(notices).toBeUndefined();
    });

    test('opens for its answer where it stands, for the requester, and writes nothing', () => {
      expect(open(SAM, [asked(1)])).toMatchObject({ result: { id: request.id }, by: SAM.user });
      expect(open(SAM, [asked(1)]).entries).toBeUndefined();
      expect(said(open(BEN, [asked(1)]).result)).toBe('refused: not_requester');
      expect(said(open(SAM, [asked(1), answered(1)]).result)).toBe('refused: question_answered');
      expect(said(open(SAM, [asked(1)], 'C0OTHER').result)).toBe('refused: wrong_card');
    });
  });
});

test('nothing is said of what is decided, nor of a batch of which nothing waits', () => {
  for (const state of STATES.filter((one) => one !== 'requested'))
    for (const request of [alone(inState(state)), several(state, 'completed')]) {
      const question = `${request.id}.1` as const;
      const talk = talkFacts({ talk: [entry(ANN.user, { kind: 'question', question, text: 'why?' })] });
      for (const { result } of [
        decideNudge(request, talk, SAM, clickIn(CHANNEL), policy({})),
        decideQuestion(request, talk, ANN, 'why?', policy({})),
        decideAnswering(request, talk, SAM, question, 'so'),
      ])
        expect(said(result), state).toBe('refused: wrong_state');
    }
});
