import type { Asker } from '../model/account.ts';
import type { Answer, BalanceReading } from '../model/answer.ts';
import type { Basket } from '../model/basket.ts';
import type { OrderId } from '../model/order-id.ts';
import type { Plan } from '../model/policy.ts';

/** What is to be paid for, complete: sent exactly as it stands here. */
export type VendorOrder =
  | {
      readonly kind: 'buy';
      readonly plan: Product;
      /** In the order in which it was shown to people. */
      readonly basket: Basket;
    }
  | {
      readonly kind: 'renew';
      readonly orderId: OrderId;
      readonly plan: Product;
    };

type Product = Pick<Plan, 'productId' | 'type' | 'networkType'>;

/** Asked at the very moment the request would start, with the connection already standing. */
export type SendGuard = {
  /** `false`, or a throw, stops the request before a byte is written: the outcome is `not_sent`. */
  mayStart(): boolean;
};

/** The vendor's account. One of these is the only way in which money leaves. */
export interface Vendor {
  /** Never rejects. At most two tries, within one deadline. A reading for a purchase is never shared, and none is cached. */
  readBalance(asker: Asker): Promise<BalanceReading>;
  /** One attempt: at most one request, never repeated by any layer, whatever the answer. Never rejects. */
  send(order: VendorOrder, guard: SendGuard): Promise<Answer>;
  /** Takes nothing new; ends when everything under way has its answer or its deadline has passed. */
  close(): Promise<void>;
}
