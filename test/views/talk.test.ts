import { describe, expect, test } from 'vitest';
import type { Entry, EntryDetail } from '../../src/purchasing/model/entries.ts';
import { saidOf } from '../../src/purchasing/model/outbox.ts';
import { approvalCard } from '../../views/approval.ts';
import { renderNotice } from '../../views/notice.ts';
import { statusMessage } from '../../views/status.ts';
import { answerQuestionView, askView, decodeAnswer, decodeQuestion } from '../../views/talk.ts';
import { GROUP, NOW, RECORDS, readsAs, surroundings } from './fixture.ts';

const LEA = 'U0LEA';
const SAM = 'U0SAM';
const HOUR = 3_600_000;
const request = RECORDS.requested();
const { id } = request.purchase;
const said = (by: string, detail: EntryDetail): Entry => ({ seq: 9, at: NOW - HOUR, by, from: null, to: null, detail });
const question = (n: number, text: string) => said(LEA, { kind: 'question', question: `${id}.${n}`, text });
const answer = (n: number, text: string) => said(SAM, { kind: 'question_answered', question: `${id}.${n}`, text });
const talked = (...entries: Entry[]) => ({ ...request, entries: [...request.entries, ...entries] });
const drawn = (
  of: typeof request,
  kind: Parameters<typeof saidOf>[1],
  audience: 'thread' | 'requester',
  about: Parameters<typeof saidOf>[4] = {},
) => {
  const notice = {
    ...saidOf(id, kind, audience, '1', about),
    id: 1,
    batchId: null,
    purchaseId: id,
    channel: null,
    ts: null,
  };
  const around = surroundings({ mention: [GROUP], now: request.purchase.createdAt + 8 * HOUR });
  return renderNotice({ ...notice, attempts: 0, leasedUntil: 0, revision: 0, shown: null, createdAt: NOW }, of, around);
};

describe('under the card', () => {
  test('a reminder says how long it has waited, for what, for whom and until when, and mentions the group', () => {
    const text = readsAs(drawn(request, 'reminder', 'thread'));
    expect(text).toMatch(/Still undecided for 8 h: buy .*, for @U0\w+\. Open until/);
    expect(JSON.stringify(drawn(request, 'reminder', 'thread').blocks)).toContain(`<!subteam^${GROUP}>`);
  });

  test('what is said at last mentions those who are named for it', () => {
    expect(readsAs(drawn(request, 'escalation', 'thread'))).toMatch(
      /Nobody has decided for 8 h: buy .*Whoever may approve decides/s,
    );
    expect(JSON.stringify(drawn(request, 'escalation', 'thread').blocks)).toContain(`<!subteam^${GROUP}>`);
  });

  test('a nudge says from whom, and mentions no group', () => {
    const nudge = drawn(request, 'nudge', 'thread', { by: SAM });
    expect(readsAs(nudge)).toMatch(/@U0SAM asks for a decision: buy /);
    expect(JSON.stringify(nudge.blocks)).not.toContain('subteam');
  });

  test('question and answer stand as they were typed, in blocks of their own', () => {
    const wild = '<!channel> *x* <@U0LEA>\nline';
    const of = talked(question(1, wild), answer(1, wild));
    for (const kind of ['question', 'answer'] as const) {
      const { blocks } = drawn(of, kind, 'thread', { by: LEA, text: `${id}.1` });
      const texts = blocks.flatMap((block) =>
        block.type === 'section' && block.text?.type === 'plain_text' ? [block.text.text] : [],
      );
      expect(texts).toEqual(['&lt;!channel&gt; *x* &lt;@U0LEA&gt;\nline']);
    }
  });
});

describe('the card and the requester’s message', () => {
  const of = talked(question(1, 'one?'), question(2, 'two?'), answer(2, 'yes'), question(3, 'three?'));
  test.each([
    ['the card', approvalCard(of, surroundings())],
    ['the message', statusMessage(of, surroundings())],
  ])('%s shows the last two questions with their answers', (_, message) => {
    const text = readsAs(message);
    expect(text).not.toContain('one?');
    expect(text).toMatch(/“two\?”.*answered.*“yes”.*“three\?”.*No answer yet/s);
  });

  test('the message offers a nudge where requests are decided in a channel, and says when there was one', () => {
    const message = (cardsIn: string | null, record = request) =>
      readsAs(statusMessage(record, surroundings({ cardsIn })));
    expect(message('C0APPROVALS')).toContain('[Nudge]');
    expect(message(null)).not.toContain('[Nudge]');
    expect(message('C0APPROVALS', RECORDS.approved())).not.toContain('[Nudge]');
    expect(message('C0APPROVALS', talked(said(SAM, { kind: 'nudge' })))).toMatch(/You nudged the approvers/);
  });
});

describe('the requester is asked', () => {
  const ask = (of: typeof request) => readsAs(drawn(of, 'question', 'requester', { by: LEA, text: `${id}.1` }));
  test('with a button to answer, which goes when there is an answer or a decision', () => {
    expect(ask(talked(question(1, 'why?')))).toMatch(/@U0LEA asks about your request .*why\?.*\[Answer\]/s);
    expect(ask(talked(question(1, 'why?'), answer(1, 'so')))).toMatch(/why\?.*Your answer:.*so(?!.*\[Answer\])/s);
    const decided = { ...talked(question(1, 'why?')), purchase: RECORDS.completed().purchase };
    expect(ask({ ...decided, purchase: { ...decided.purchase, id } } as typeof request)).toMatch(
      /decided before there was an answer(?!.*\[Answer\])/s,
    );
  });
});

describe('the modals', () => {
  test('show what is asked about, and have their submit', () => {
    const of = talked(question(1, 'why?'));
    expect(askView('d', of)).toMatchObject({ private_metadata: 'd', submit: { text: 'Ask' } });
    expect(readsAs(askView('d', of))).toMatch(/“why\?”/);
    expect(answerQuestionView('d', of, `${id}.1`)).toMatchObject({ submit: { text: 'Answer' } });
    expect(readsAs(answerQuestionView('d', of, `${id}.1`))).toMatch(/@U0LEA asks:.*why\?/s);
  });

  test('want words', () => {
    expect(decodeQuestion({ question: { question: { value: ' \u200b ' } } })).toEqual({
      ok: false,
      errors: { question: 'Say what you want to know.' },
    });
    expect(decodeQuestion({ question: { question: { value: 'why &lt;1?' } } })).toEqual({
      ok: true,
      content: 'why <1?',
    });
    expect(decodeAnswer({ answer: { answer_text: { value: 'x'.repeat(501) } } })).toMatchObject({ ok: false });
  });
});
