import type { Money } from './money.ts';
import type { OrderId } from './order-id.ts';

export const OUTCOMES = ['completed', 'declined', 'not_sent', 'unknown'] as const;

/**
 * What the vendor's answer proves, as src/vendor-api/outcome.ts decides it.
 * - `completed`: the vendor said yes.
 * - `declined`: the vendor said no. The balance has still to agree.
 * - `not_sent`: not one byte of the request left. The only outcome after which another attempt may be made.
 * - `unknown`: nobody can tell. Only a person settles it.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Everything worth keeping about one attempt. Every text in it is free of the token. */
export type Answer = {
  readonly outcome: Outcome;
  /** One plain clause for people, in our own words: "the vendor refused it with code 402". */
  readonly why: string;
  /** `null` when no status line arrived. */
  readonly httpStatus: number | null;
  /** The vendor's `code` as it stood in the source: `200`, or `"200"` with its quotes when it came as a string. */
  readonly code: string | null;
  /**
   * The vendor's own message, 500 characters at most, without control, invisible or direction characters. It is still
   * foreign text: escape it for where it is shown.
   */
  readonly vendorText: string | null;
  /**
   * The distinct values found under the name `order_id`, with every digit. Only exactly one counts as found. A renewal may
   * name another order than the one renewed.
   */
  readonly orderIds: readonly OrderId[];
  /**
   * The body as it came, 64 KiB at most; also a part of one that never came to its end. It may hold proxy logins: private.
   * `null` when no byte of a body arrived.
   */
  readonly rawBody: string | null;
  /** `rawBody` is not the whole body: cut here, or it never arrived whole. */
  readonly rawBodyTruncated: boolean;
  /** When the request started to leave, ms since 1970; `null` means that nothing left. */
  readonly startedAt: number | null;
  readonly endedAt: number;
  /** Status 401 or `code` 401, whatever the outcome: spending freezes. */
  readonly unauthorized: boolean;
};

/** What one reading of the account's balance gave. Never a guess: a balance that could not be read is not zero. */
export type BalanceReading =
  | {
      readonly ok: true;
      readonly balance: Money;
      /** When the answer had arrived, ms since 1970. */
      readonly at: number;
    }
  | {
      readonly ok: false;
      readonly at: number;
      /** One plain clause for people, without secrets: "the vendor answered with status 502". */
      readonly why: string;
      /** The vendor does not accept the token (401, in the status or as `code`) or does not allow the call (403). */
      readonly refused?: 'unauthorized' | 'forbidden';
      /** The vendor asked to wait this long. It may be hours: it is told to people, never slept. */
      readonly retryAfterSeconds?: number;
    };
