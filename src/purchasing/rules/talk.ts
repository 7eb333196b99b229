import type { Change, ChangeFacts } from '../model/change.ts';
import { type Entry, type QuestionId, questionsOf } from '../model/entries.ts';
import { saidOf } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Purchase } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { type Clicked, isElsewhere } from './clicks.ts';
import { type Decided, hasExpired, refuse, wrongState } from './decisions.ts';
import { type Clicker, isRequester } from './rights.ts';

// What requester and approvers say to each other while a request waits. Nothing of it decides anything.

/** More often would be a noise that nobody hears any more. */
const NUDGE_EVERY_MS = 3_600_000;

/** The requester asks for a decision, under the card. Needs no right, only to be the requester. */
export function decideNudge(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): Change<Decided> {
  const no = refuseNudge(purchase, facts, by, clicked, policy);
  if (no) return refuse('nudge', by, no);
  const nudges = facts.talk.filter(({ detail }) => detail.kind === 'nudge').length;
  return say(purchase, by, { kind: 'nudge' }, [
    saidOf(purchase.id, 'nudge', 'thread', String(nudges + 1), { by: by.user }),
  ]);
}

function refuseNudge(
  purchase: Purchase,
  { now, talk }: ChangeFacts,
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): Refusal | undefined {
  if (isElsewhere(purchase, clicked, policy)) return { refused: 'wrong_card' };
  const no = refuseOthersThanRequester(purchase, by, now);
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
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  text: string,
  policy: Policy,
): Change<Decided> {
  if (isRefusal(by.allowed)) return refuse('ask', by, by.allowed);
  if (!waits(purchase, facts.now)) return refuse('ask', by, wrongState(purchase));
  if (isRequester(purchase, by.allowed)) return refuse('ask', by, { refused: 'own_purchase' });
  if (policy.approvals.mode === 'off') return refuse('ask', by, { refused: 'no_approvals_channel' });
  const question: QuestionId = `${purchase.id}.${questionsOf(facts.talk).length + 1}`;
  const about = { by: by.user, text: question };
  return say(purchase, by, { kind: 'question', question, text }, [
    saidOf(purchase.id, 'question', 'thread', question, about),
    saidOf(purchase.id, 'question', 'requester', question, about),
  ]);
}

/** The requester answers, once. Needs no right. */
export function decideAnswering(
  purchase: Purchase,
  facts: ChangeFacts,
  by: Clicker,
  question: string,
  text: string,
): Change<Decided> {
  const no = refuseAnswering(purchase, facts.talk, by, question, facts.now);
  if (no) return refuse('answer', by, no);
  const about = { by: by.user, text: question };
  return say(purchase, by, { kind: 'question_answered', question: question as QuestionId, text }, [
    saidOf(purchase.id, 'answer', 'thread', question, about),
  ]);
}

export function refuseAnswering(
  purchase: Purchase,
  entries: readonly Entry[],
  by: Clicker,
  question: string,
  now: number,
): Refusal | undefined {
  const no = refuseOthersThanRequester(purchase, by, now);
  if (no) return no;
  const asked = questionsOf(entries).find(({ id }) => id === question);
  if (!asked) return { refused: 'no_such_question' };
  return asked.answer ? { refused: 'question_answered' } : undefined;
}

function refuseOthersThanRequester(purchase: Purchase, { allowed }: Clicker, now: number): Refusal | undefined {
  if (isRefusal(allowed)) return allowed;
  if (!isRequester(purchase, allowed)) return { refused: 'not_requester' };
  return waits(purchase, now) ? undefined : wrongState(purchase);
}

function waits(purchase: Purchase, now: number): boolean {
  return purchase.state === 'requested' && !hasExpired(purchase, now);
}

function say(
  purchase: Purchase,
  { user }: Clicker,
  detail: NonNullable<Change<unknown>['entries']>[number]['detail'],
  notices: NonNullable<Change<unknown>['notices']>,
): Change<Decided> {
  return { result: purchase, by: user, entries: [{ by: user, from: null, to: null, detail }], notices };
}
