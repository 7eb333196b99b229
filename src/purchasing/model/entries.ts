import type { Answer } from './answer.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';
import type { PurchaseAction, State, Twin } from './purchase.ts';

/** One append-only line of the ledger: who, when, from → to, evidence. */
export interface Entry {
  readonly seq: number;
  /** Milliseconds since 1970, by the ledger's clock. */
  readonly at: number;
  /** Slack user id, or `desk` for the bot itself. */
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
  /** A person's decision that was refused. */
  | { readonly kind: 'refused'; readonly action: PurchaseAction; readonly refused: string }
  | { readonly kind: 'order_id'; readonly orderId: OrderId; readonly before: OrderId | null }
  | { readonly kind: 'answer_opened' };

/** The answer that the attempt got, late or not. */
export function answerOf({ entries }: { readonly entries: readonly Entry[] }): Answer | undefined {
  return entries.flatMap(({ detail }) => (detail.kind === 'answer' ? [detail.answer] : [])).at(-1);
}

/** What is kept with the filing of a purchase. */
export interface FilingEvidence {
  /** The same content, completed in the 24 h before: the requester confirmed that this is a separate purchase. */
  readonly repeats?: Twin;
  /** Nobody has asked for it: the order is kept. Who said so, and the end before which it is renewed. */
  readonly kept?: Kept;
}

export interface Kept {
  readonly by: string;
  readonly endsAt: number;
}

/** The bot itself, where a person's id would stand. */
export const THE_BOT = 'desk';
