import { describe, expect, test } from 'vitest';
import type { Notice } from '../../src/purchasing/model/outbox.ts';
import { STATES, type State } from '../../src/purchasing/model/purchase.ts';
import type { Undelivered } from '../../src/purchasing/ports/messenger.ts';
import { afterTrouble, isMissed, isOpen, isStillSaid, tellsWhoIsLeft } from '../../src/purchasing/rules/delivery.ts';
import { FREEZE, notice, purchase } from '../views/fixture.ts';
import { type GivenPolicy, policy } from './fixture.ts';

const S = 1_000;
const MIN = 60 * S;

const POSTED = { channel: 'C1', ts: '1.0' };
const UNREACHABLE: Undelivered = { kind: 'unreachable', why: 'HTTP 503' };
const REFUSED: Undelivered = { kind: 'refused', why: 'is_archived' };

describe('what was not delivered is tried again', () => {
  test.each<[string, Undelivered, number, number | null]>([
    ['when Slack says that it may', { kind: 'rate_limited', why: 'rate limited', retryAfterSeconds: 7 }, 3, 7 * S],
    ['2 s after the first silence', UNREACHABLE, 0, 2 * S],
    ['after twice as long at each further one', UNREACHABLE, 3, 16 * S],
    ['every 5 min in a long outage', UNREACHABLE, 40, 5 * MIN],
    ['a minute after a refusal that somebody can mend', REFUSED, 0, MIN],
    ['every 10 min where nobody mends it', REFUSED, 40, 10 * MIN],
    ['never where nobody can mend it', { kind: 'impossible', why: 'user_not_visible' }, 0, null],
    ['never where there is nothing left to edit', { kind: 'gone', why: 'message_not_found' }, 0, null],
  ])('%s', (_, trouble, attempts, expected) => {
    expect(afterTrouble(notice({ attempts }), purchase(), trouble).retryAfterMs).toBe(expected);
  });
});

describe('whoever waits for what Slack refuses hears of it another way', () => {
  const outcome = {
    kind: 'outcome',
    audience: 'requester',
    key: 'p1:outcome:completed:a1',
    about: 'completed',
  } as const;
  test.each<[string, Partial<Notice>, Undelivered, readonly string[]]>([
    ['a card: the requester', {}, REFUSED, ['requester alert:card of p1']],
    ['an outcome: the approvers', outcome, REFUSED, ['approvers p1:outcome:completed:a1:passed on']],
    [
      'an outcome of somebody who is gone: the approvers',
      outcome,
      { kind: 'impossible', why: 'user_disabled' },
      ['approvers p1:outcome:completed:a1:passed on'],
    ],
    ['nobody, where it may stand there all the same', outcome, UNREACHABLE, []],
    ['nobody, where only an edit is refused', { ...outcome, ...POSTED }, REFUSED, []],
    ['nobody twice: what is passed on is not passed on again', { ...outcome, audience: 'approvers' }, REFUSED, []],
    [
      'nobody, where the first message is refused: its outcome will be told',
      { kind: 'status', audience: 'requester' },
      REFUSED,
      [],
    ],
    [
      'a question: the approvers, who must ask another way',
      { kind: 'question', audience: 'requester', text: 'P-1.2' },
      REFUSED,
      ['approvers alert:question P-1.2'],
    ],
    ['nobody, of what is said under the card', { kind: 'question', audience: 'thread', text: 'P-1.2' }, REFUSED, []],
  ])('%s', (_, of, trouble, expected) => {
    const { owed } = afterTrouble(notice(of), purchase(), trouble);
    expect(owed.map(({ audience, key }) => `${audience} ${key}`)).toEqual(expected);
  });
});

describe('under the card is said', () => {
  const escalation = { escalation: { afterMs: 1, to: ['S1'] } };
  test.each<[Notice['kind'], GivenPolicy, readonly State[]]>([
    ['reminder', {}, ['requested']],
    ['nudge', {}, ['requested']],
    ['escalation', escalation, ['requested']],
    ['escalation', {}, []],
    ['question', {}, STATES],
    ['answer', {}, STATES],
    ['reminder', 'off', []],
    ['question', 'off', []],
  ])('a %s by the policy %j only of a purchase that is %j', (kind, given, states) => {
    const said = STATES.filter((state) => isStillSaid(notice({ kind }), purchase({ state }), policy(given)));
    expect(said).toEqual(states);
  });
});

describe('who is left to decide or settle is told', () => {
  test.each<[Notice['kind'], readonly State[]]>([
    ['status', ['requested', 'unknown']],
    ['unknown_card', ['unknown']],
    ['card', []],
    ['outcome', []],
  ])('by a %s of a purchase that is %j', (kind, states) => {
    expect(STATES.filter((state) => tellsWhoIsLeft({ kind }, purchase({ state })))).toEqual(states);
  });
});

describe('somebody still has to act on', () => {
  test.each<[Notice['kind'], readonly State[]]>([
    ['card', ['requested']],
    ['unknown_card', ['unknown']],
    ['status', []],
    ['outcome', []],
    ['alert', []],
  ])('a %s only of a purchase that is %j', (kind, states) => {
    const open = STATES.filter((state) => isOpen(notice({ kind }), purchase({ state }), null));
    expect(open).toEqual(states);
    // What is deleted meanwhile is missed; so is the requester's message with the facts, always.
    const missed = STATES.filter((state) => isMissed(notice({ kind }), purchase({ state })));
    expect(missed).toEqual(kind === 'status' ? STATES : states);
  });

  test.each([
    ['in force', FREEZE, true],
    ['that is over', null, false],
    ['that another has followed', { ...FREEZE, reason: 'again' }, false],
  ])('a freeze %s: %s', (_, freeze, expected) => {
    const frozen = notice({ kind: 'frozen', purchaseId: null, by: FREEZE.by, text: FREEZE.reason });
    expect(isOpen(frozen, null, freeze)).toBe(expected);
    expect(isOpen(notice({ kind: 'unfrozen', by: FREEZE.by }), null, freeze)).toBe(false);
  });
});
