import type { Answer } from './answer.ts';
import { type CostAtFiling, type ExpectedCost, expectedThen } from './cost.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';
import type { PurchaseAction, State, Twin } from './purchase.ts';

/** One append-only line of the ledger: who, when, from → to, evidence. */
export interface Entry {
  readonly seq: number;
  /** Milliseconds since 1970, by the ledger's clock. */
  readonly at: number;
  /** Slack user id, {@link THE_BOT} or {@link operator}. */
  readonly by: string;
  readonly from: State | null;
  readonly to: State | null;
  readonly detail: EntryDetail;
}

export type NewEntry = Omit<Entry, 'seq' | 'at'>;

export type EntryDetail =
  | { readonly kind: 'transition'; readonly evidence: object }
  /** The vendor's answer, or that none came, as classified. */
  | { readonly kind: 'answer'; readonly attemptId: string; readonly answer: Answer; readonly late: boolean }
  | {
      readonly kind: 'reading';
      readonly nth: number;
      /** Null: could not be read. */
      readonly balance: Money | null;
      readonly readAt: number;
      readonly why: string | null;
      /** Nothing else was sent between the attempt and this reading, so that the difference belongs to it. */
      readonly alone: boolean;
    }
  /** The first of two approvers said yes; it stays requested. */
  | { readonly kind: 'first_yes' }
  | { readonly kind: 'first_yes_taken_back' }
  /** The requester asked for a decision. */
  | { readonly kind: 'nudge' }
  /** An approver asked the requester something. */
  | { readonly kind: 'question'; readonly question: QuestionId; readonly text: string }
  | { readonly kind: 'question_answered'; readonly question: QuestionId; readonly text: string }
  /** A person's decision that was refused. */
  | { readonly kind: 'refused'; readonly action: PurchaseAction; readonly refused: string }
  | { readonly kind: 'order_id'; readonly orderId: OrderId; readonly before: OrderId | null }
  | { readonly kind: 'answer_opened' }
  /** Somebody knows where money went that nothing explains. */
  | { readonly kind: 'fall_known'; readonly note: string };

/** `P-7K3F9QMW.2`: the second question about that purchase, or batch. */
export type QuestionId = `${string}.${number}`;

/** A question about a purchase or a batch, and its answer where there is one. */
export interface Question {
  readonly id: QuestionId;
  readonly by: string;
  readonly at: number;
  readonly text: string;
  readonly answer: { readonly by: string; readonly at: number; readonly text: string } | null;
}

/** Oldest first. */
export function questionsOf(entries: readonly Entry[]): readonly Question[] {
  return entries.flatMap(({ detail, by, at }) => {
    if (detail.kind !== 'question') return [];
    const { question: id, text } = detail;
    const answered = entries.find((other) => other.detail.kind === 'question_answered' && other.detail.question === id);
    const answer =
      answered?.detail.kind === 'question_answered'
        ? { by: answered.by, at: answered.at, text: answered.detail.text }
        : null;
    return [{ id, by, at, text, answer }];
  });
}

/** About which purchase or batch it is. */
export function subjectOfQuestion(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

/** The answer that the attempt got, late or not. */
export function answerOf({ entries }: { readonly entries: readonly Entry[] }): Answer | undefined {
  return entries.flatMap(({ detail }) => (detail.kind === 'answer' ? [detail.answer] : [])).at(-1);
}

/** What is kept with the filing of a purchase. */
export interface FilingEvidence {
  /** The digest of the policy that it was filed by; the transitions that approve and send it have theirs. */
  readonly policy?: string;
  /** The same content, completed in the 24 h before: the requester confirmed that this is a separate purchase. */
  readonly repeats?: Twin;
  /** Nobody has asked for it: the order is kept. Who said so, and the end before which it is renewed. */
  readonly kept?: Kept;
  /** What the person who filed it saw that it would cost. */
  readonly cost?: CostAtFiling;
}

/** What was kept with the filing; undefined where its entries do not tell. */
export function filingEvidence(entries: readonly Pick<Entry, 'from' | 'to' | 'detail'>[]): FilingEvidence | undefined {
  const filed = entries.find(({ from, to }) => from === null && to !== null);
  return filed?.detail.kind === 'transition' ? filed.detail.evidence : undefined;
}

/** What whoever filed it saw that it would cost; null where that was not kept, by an earlier version or of what was put back. */
export function costAtFiling(entries: readonly Entry[]): ExpectedCost | null {
  const cost = filingEvidence(entries)?.cost;
  return cost ? expectedThen(cost) : null;
}

/** By whose word the order is kept, where nobody has asked for its renewal; null where somebody has. */
export function keptOf({ entries }: { readonly entries: readonly Entry[] }): Kept | null {
  return filingEvidence(entries)?.kept ?? null;
}

export interface Kept {
  readonly by: string;
  readonly endsAt: number;
  /** The ledger went back in time since it was said, and may have forgotten that it was renewed. */
  readonly wentBack?: true;
}

/** The bot itself, where a person's id would stand. */
export const THE_BOT = 'desk';

const OPERATOR = 'operator:';

/** Somebody at the machine that the bot runs on, by their name there, where a person's id would stand. */
export function operator(name: string): string {
  return `${OPERATOR}${name}`;
}

/** @returns null where it is not one of those. */
export function operatorName(by: string): string | null {
  return by.startsWith(OPERATOR) ? by.slice(OPERATOR.length) : null;
}
