import { describe, expect, test } from 'vitest';
import { STATES, type State } from '../../src/purchasing/model/purchase.ts';
import { type Clicked, isCopy, isElsewhere } from '../../src/purchasing/rules/clicks.ts';
import { decideShowing, type Opening, refuseAskingAgain, refuseOpening } from '../../src/purchasing/rules/openings.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import {
  ANN,
  answer,
  BEN,
  CHANNEL,
  clickIn,
  type GivenPolicy,
  inState,
  policy,
  SAM,
  said,
  somebody,
} from './fixture.ts';

const purchase = inState('requested');
const onKnown = (purchaseId: string, ...where: Parameters<typeof clickIn>): Clicked => ({
  ...clickIn(...where),
  notice: { purchaseId },
});
const onPrivateAnswer = (clicked: Clicked): Clicked => ({
  ...clicked,
  message: { ...clicked.message, isPrivateAnswer: true },
});
const buyer = somebody('U0BOB', 'W0BOB', 'buy');
const guest: Clicker = { user: 'U0GUS', allowed: { refused: 'barred', as: 'guest' } };

describe('a click counts', () => {
  test.each<[string, Clicked, GivenPolicy, boolean]>([
    ['in the approvals channel, posted or not', clickIn(CHANNEL), {}, true],
    ['where a message of the purchase was posted', clickIn('C0OLD', CHANNEL, 'C0OLD'), {}, true],
    ['not in another channel', clickIn('C0OTHER', CHANNEL), {}, false],
    ['not in another channel, though no posting was confirmed', clickIn('C0OTHER'), {}, false],
    ['in direct messages where none is known to be posted', clickIn('D1', CHANNEL), {}, true],
    ['in the direct messages that are known', clickIn('D1', 'D1'), {}, true],
    ['not in another person’s direct messages', clickIn('D2', 'D1'), {}, false],
    ['with approvals off not in a channel', clickIn(CHANNEL), 'off', false],
    ['on a message of the purchase, wherever it is', onKnown(purchase.id, 'C0OTHER'), {}, true],
    ['not on a message of another purchase', onKnown('P-OTHER', CHANNEL), {}, false],
    ['not on one of another purchase in direct messages', onKnown('P-OTHER', 'D1', 'D1'), {}, false],
    ['on the bot’s private answer, wherever it is', onPrivateAnswer(clickIn('C0OTHER', CHANNEL)), {}, true],
  ])('%s', (_, click, given, counts) => {
    expect(isElsewhere(purchase, click, policy(given))).toBe(!counts);
  });

  const inModal = { channel: CHANNEL, ts: '', isPrivateAnswer: false };
  test.each<[string, Clicked, boolean]>([
    ['that the ledger knows is the card', onKnown(purchase.id, CHANNEL, CHANNEL), false],
    ['that it does not know, beside one that it knows, is a copy', clickIn(CHANNEL, CHANNEL), true],
    ['in a channel of which it knows nothing is taken for the card', clickIn('C0OTHER', CHANNEL), false],
    ['that only one person sees is no copy', onPrivateAnswer(clickIn(CHANNEL, CHANNEL)), false],
    ['that is none, but a modal, is no copy', { ...clickIn(CHANNEL, CHANNEL), message: inModal }, false],
  ])('on a message %s', (_, click, copy) => {
    expect(isCopy(click)).toBe(copy);
  });
});

describe('who opens what, in every state', () => {
  const here = clickIn(CHANNEL);
  const all = Object.fromEntries(STATES.map((state) => [state, 'opens']));
  test.each<[string, Opening, Clicker, Clicked, Partial<Record<State, string>>, string]>([
    ['another opens the approval of what is requested', 'approve', BEN, here, { requested: 'opens' }, 'wrong_state'],
    ['another opens the rejection of what is requested', 'reject', BEN, here, { requested: 'opens' }, 'wrong_state'],
    ['another opens the settling of what is unknown', 'settle', BEN, here, { unknown: 'opens' }, 'wrong_state'],
    ['the requester opens no approval', 'approve', SAM, here, { requested: 'own_purchase' }, 'wrong_state'],
    ['the requester opens no settling', 'settle', SAM, here, { unknown: 'own_purchase' }, 'wrong_state'],
    ['nobody approves elsewhere', 'approve', BEN, clickIn('C0OTHER'), { requested: 'wrong_card' }, 'wrong_state'],
    ['a guest opens nothing', 'approve', guest, here, {}, 'barred'],
    ['an order id is typed wherever its messages are', 'enter order id', SAM, here, all, ''],
    ['and nowhere else', 'enter order id', SAM, clickIn('C0OTHER'), {}, 'wrong_card'],
    ['nor by a guest', 'enter order id', guest, here, {}, 'barred'],
  ])('%s', (_, action, by, click, expected, otherwise) => {
    for (const state of STATES) {
      const no = refuseOpening(action, { purchase: inState(state), entries: [] }, by, click, policy({}));
      expect(no?.refused ?? 'opens', state).toBe(expected[state] ?? otherwise);
    }
  });

  test('whoever has marked the order Keep opens no approval and no settling of its renewal', () => {
    const detail = { kind: 'transition', evidence: { kept: { by: BEN.user, endsAt: 0 } } } as const;
    const entries = [{ seq: 1, at: 0, by: 'desk', from: null, to: 'requested', detail } as const];
    const open = (action: Opening, state: State, by = BEN) =>
      refuseOpening(action, { purchase: inState(state), entries }, by, here, policy({}))?.refused;
    expect(open('approve', 'requested')).toBe('kept_by_you');
    expect(open('settle', 'unknown')).toBe('kept_by_you');
    expect(open('reject', 'requested')).toBeUndefined();
    expect(open('approve', 'requested', ANN)).toBeUndefined();
  });

  test('with approvals off an approver decides in any direct message', () => {
    const click = clickIn('D2', 'D1');
    expect(
      refuseOpening('approve', { purchase: inState('requested'), entries: [] }, BEN, click, policy('off')),
    ).toBeUndefined();
  });

  test.each<[string, Clicker, string]>([
    ['the requester asks for the same again', SAM, 'asks'],
    ['nobody else does', BEN, 'not_requester'],
    ['nor a guest', guest, 'barred'],
  ])('%s', (_, { allowed }, expected) => {
    for (const state of STATES) expect(refuseAskingAgain(inState(state), allowed)?.refused ?? 'asks').toBe(expected);
  });
});

describe('the vendor’s raw answer', () => {
  const [here, elsewhere] = [clickIn(CHANNEL), clickIn('C0OTHER')];
  test.each<[string, Clicker, Clicked, ReturnType<typeof answer> | undefined, string]>([
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
