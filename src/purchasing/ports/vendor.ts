import type { Answer } from '../model/answer.ts';
import type { BalanceReading } from '../model/balance-reading.ts';

/** What is to be paid for, complete: sent exactly as it stands here. */
export type Order =
  | {
      readonly kind: 'buy';
      readonly plan: { readonly product_id: string; readonly type: string; readonly network_type: string };
      /** In the order in which it was shown to people; one entry a country. */
      readonly basket: readonly { readonly country: string; readonly quantity: number }[];
    }
  | {
      readonly kind: 'renew';
      /** Digits, without leading zeros; may exceed 2^53. */
      readonly orderId: string;
      readonly product_id: string;
    };

/** Asked at the very moment the request would start, with the connection already standing. */
export type SendGuard = {
  /** `false`, or a throw, stops the request before a byte is written: the outcome is `not_sent`. */
  mayStart(): boolean;
};

/** The vendor's account. One of these is the only way in which money leaves. */
export interface Vendor {
  /** Never rejects. At most two tries, within one deadline. Readings are never shared or cached. */
  readBalance(): Promise<BalanceReading>;
  /** One attempt: at most one request, never repeated by any layer, whatever the answer. Never rejects. */
  send(order: Order, guard: SendGuard): Promise<Answer>;
  /** Takes nothing new; ends when everything under way has its answer or its deadline has passed. */
  close(): Promise<void>;
}
