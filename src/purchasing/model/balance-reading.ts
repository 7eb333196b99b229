import type { Money } from './money.ts';

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
