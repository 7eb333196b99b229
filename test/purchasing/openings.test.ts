import { describe, expect, test } from 'vitest';
import { STATES, type State } from '../../src/purchasing/model/purchase.ts';
import { type Card, isCopy, isElsewhere } from '../../src/purchasing/rules/cards.ts';
import type { Clicker } from '../../src/purchasing/rules/decisions.ts';
import { decideShowing, type Opening, refuseOpening } from '../../src/purchasing/rules/openings.ts';
import { answer, BEN, CHANNEL, type GivenPolicy, inState, policy, SAM, said, somebody } from './fixture.ts';

const card = (channel: string, ...posted: string[]): Card => ({
  channel,
  posted: posted.map((one) => ({ channel: one, ts: '1' })),
});
const buyer = somebody('U0BOB', 'W0BOB', 'buy');
const guest: Clicker = { user: 'U0GUS', allowed: { refused: 'barred', as: 'guest' } };

describe('a click counts', () => {
  test.each<[string, Card, GivenPolicy, boolean]>([
    ['in the approvals channel, posted or not', card(CHANNEL), {}, true],
    ['where a message of the purchase was posted', card('C0OLD', CHANNEL, 'C0OLD'), {}, true],
    ['not in another channel', card('C0OTHER', CHANNEL), {}, false],
    ['not in another channel, though no posting was confirmed', card('C0OTHER'), {}, false],
    ['in direct messages where none is known to be posted', card('D1', CHANNEL), {}, true],
    ['in the direct messages that are known', card('D1', 'D1'), {}, true],
    ['not in another person’s direct messages', card('D2', 'D1'), {}, false],
    ['with approvals off not in a channel', card(CHANNEL), 'off', false],
  ])('%s', (_, click, given, counts) => {
    expect(isElsewhere(click, policy(given))).toBe(!counts);
  });

  test.each([
    ['that the ledger knows is the card', CHANNEL, '1', false],
    ['that it does not know, beside one that it knows, is a copy', CHANNEL, '2', true],
    ['in a channel of which it knows nothing is taken for the card', 'C0OTHER', '2', false],
  ])('on a message %s', (_, channel, ts, copy) => {
    expect(isCopy({ channel, ts }, card(channel, CHANNEL).posted)).toBe(copy);
  });
});

describe('who opens what, in every state', () => {
  const here = card(CHANNEL);
  const all = Object.fromEntries(STATES.map((state) => [state, 'opens']));
  test.each<[string, Opening, Clicker, Card, Partial<Record<State, string>>, string]>([
    ['another opens the approval of what is requested', 'approve', BEN, here, { requested: 'opens' }, 'wrong_state'],
    ['another opens the rejection of what is requested', 'reject', BEN, here, { requested: 'opens' }, 'wrong_state'],
    ['another opens the settling of what is unknown', 'settle', BEN, here, { unknown: 'opens' }, 'wrong_state'],
    ['the requester opens no approval', 'approve', SAM, here, { requested: 'own_purchase' }, 'wrong_state'],
    ['the requester opens no settling', 'settle', SAM, here, { unknown: 'own_purchase' }, 'wrong_state'],
    ['nobody approves elsewhere', 'approve', BEN, card('C0OTHER'), { requested: 'wrong_card' }, 'wrong_state'],
    ['a guest opens nothing', 'approve', guest, here, {}, 'barred'],
    ['an order id is typed wherever its messages are', 'enter order id', SAM, here, all, ''],
    ['and nowhere else', 'enter order id', SAM, card('C0OTHER'), {}, 'wrong_card'],
    ['nor by a guest', 'enter order id', guest, here, {}, 'barred'],
  ])('%s', (_, action, by, click, expected, otherwise) => {
    for (const state of STATES) {
      const no = refuseOpening(action, inState(state), by, click, policy({}));
      expect(no?.refused ?? 'opens', state).toBe(expected[state] ?? otherwise);
    }
  });

  test('with approvals off an approver decides in any direct message', () => {
    const click = card('D2', 'D1');
    expect(refuseOpening('approve', inState('requested'), BEN, click, policy('off'))).toBeUndefined();
  });
});

describe('the vendor’s raw answer', () => {
  const [here, elsewhere] = [card(CHANNEL), card('C0OTHER')];
  test.each<[string, Clicker, Card, ReturnType<typeof answer> | undefined, string]>([
    ['is shown to the requester', somebody(SAM.user, SAM.person, 'buy'), here, answer(), 'shown'],
    ['is shown to who approves', BEN, here, answer(), 'shown'],
    ['is not shown to another buyer', buyer, here, answer(), 'refused: not_requester'],
    ['is not shown to a guest', guest, here, answer(), 'refused: barred'],
    ['is not shown elsewhere', BEN, elsewhere, answer(), 'refused: wrong_card'],
    ['cannot be shown where none is kept', BEN, here, undefined, 'refused: no_answer_kept'],
  ])('%s, and that is an entry', (_, by, click, kept, expected) => {
    const { result, entries } = decideShowing(inState('completed'), by, click, policy({}), kept);
    expect('answer' in result ? 'shown' : said(result)).toBe(expected);
    expect(entries).toMatchObject([
      { by: by.user, detail: { kind: kept && expected === 'shown' ? 'answer_opened' : 'refused' } },
    ]);
  });
});
