import type { Batch } from '../model/batch.ts';
import type { Change, TalkFacts } from '../model/change.ts';
import { type QuestionId, questionsOf } from '../model/entries.ts';
import { saidOf } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { type Clicked, isElsewhere } from './clicks.ts';
import { hasExpired, refuse, wrongState } from './decisions.ts';
import { type Clicker, isRequester } from './rights.ts';

// What requester and approvers say to each other while a request waits. Nothing of it decides anything. A purchase that was asked for
// alone is a batch of one.

export type Said = Batch | Refusal;

/** More often would be a noise that nobody hears any more. */
const NUDGE_EVERY_MS = 3_600_000;

/** The requester asks for a decision, under the card. Needs no right, only to be the requester. */
export function decideNudge(
  about: Batch,
  facts: TalkFacts,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): Change<Said> {
  const no = refuseNudge(about, facts, by, clicked, policy);
  if (no) return refuse('nudge', by, no);
  const nudges = facts.talk.filter(({ detail }) => detail.kind === 'nudge').length;
  return say(about, by, { kind: 'nudge' }, [saidOf(about.id, 'nudge', 'thread', String(nudges + 1), { by: by.user })]);
}

function refuseNudge(
  about: Batch,
  { now, talk }: TalkFacts,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): Refusal | undefined {
  const no = refuseElsewhere(about, clicked, policy) ?? refuseOthersThanRequester(about, by, now);
  if (no) return no;
  if (policy.approvals.mode === 'off') return { refused: 'no_approvals_channel' };
  const last = talk.findLast(({ detail }) => detail.kind === 'nudge');
  const left = last === undefined ? 0 : last.at + NUDGE_EVERY_MS - now;
  // A clock that was set back makes nobody wait for longer.
  return left > 0 && left <= NUDGE_EVERY_MS
    ? { refused: 'nudged_already', retryAfterMinutes: Math.ceil(left / 60_000) }
    : undefined;
}

/** An approver asks the requester something. */
export function decideQuestion(
  about: Batch,
  { now, talk }: TalkFacts,
  by: Clicker,
  text: string,
  policy: Policy,
): Change<Said> {
  if (isRefusal(by.allowed)) return refuse('ask', by, by.allowed);
  const decided = refuseDecided(about, now);
  if (decided) return refuse('ask', by, decided);
  if (isRequester(about, by.allowed)) return refuse('ask', by, { refused: 'own_purchase' });
  if (policy.approvals.mode === 'off') return refuse('ask', by, { refused: 'no_approvals_channel' });
  const question: QuestionId = `${about.id}.${questionsOf(talk).length + 1}`;
  const asked = { by: by.user, text: question };
  return say(about, by, { kind: 'question', question, text }, [
    saidOf(about.id, 'question', 'thread', question, asked),
    saidOf(about.id, 'question', 'requester', question, asked),
  ]);
}

/** The requester answers, once. Needs no right. */
export function decideAnswering(
  about: Batch,
  facts: TalkFacts,
  by: Clicker,
  question: string,
  text: string,
): Change<Said> {
  const no = refuseAnswering(about, facts, by, question);
  if (no) return refuse('answer', by, no);
  return say(about, by, { kind: 'question_answered', question: question as QuestionId, text }, [
    saidOf(about.id, 'answer', 'thread', question, { by: by.user, text: question }),
  ]);
}

/** A click that opens the answer, on the message with the question. */
export function decideOpeningAnswer(
  about: Batch,
  facts: TalkFacts,
  by: Clicker,
  question: string,
  clicked: Clicked,
  policy: Policy,
): Change<Said> {
  const no = refuseElsewhere(about, clicked, policy) ?? refuseAnswering(about, facts, by, question);
  return no ? refuse('answer', by, no) : { result: about, by: by.user };
}

function refuseAnswering(
  about: Batch,
  { talk, now }: Pick<TalkFacts, 'talk' | 'now'>,
  by: Clicker,
  question: string,
): Refusal | undefined {
  const no = refuseOthersThanRequester(about, by, now);
  if (no) return no;
  const asked = questionsOf(talk).find(({ id }) => id === question);
  if (!asked) return { refused: 'no_such_question' };
  return asked.answer ? { refused: 'question_answered' } : undefined;
}

function refuseElsewhere({ rows }: Batch, clicked: Clicked, policy: Policy): Refusal | undefined {
  const [row] = rows;
  return row && isElsewhere(row, clicked, policy) ? { refused: 'wrong_card' } : undefined;
}

function refuseOthersThanRequester(about: Batch, { allowed }: Clicker, now: number): Refusal | undefined {
  if (isRefusal(allowed)) return allowed;
  return isRequester(about, allowed) ? refuseDecided(about, now) : { refused: 'not_requester' };
}

function refuseDecided({ rows }: Batch, now: number): Refusal | undefined {
  const waits = (row: Purchase) => row.state === 'requested' && !hasExpired(row, now);
  const [row] = rows;
  if (!row) return { refused: 'no_such_purchase' };
  return rows.some(waits) ? undefined : wrongState(row);
}

function say(
  about: Batch,
  { user }: Clicker,
  detail: NonNullable<Change<unknown>['entries']>[number]['detail'],
  notices: NonNullable<Change<unknown>['notices']>,
): Change<Said> {
  return { result: about, by: user, entries: [{ by: user, from: null, to: null, detail }], notices };
}
