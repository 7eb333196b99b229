import type { VendorOrder } from '../../src/purchasing/ports/vendor.ts';

/** What the vendor did with the order of one POST. `later`: it books when nobody waits any more. */
export type Charging = 'at once' | 'later' | 'never';

/** One POST that the vendor has received: it may have charged for it. */
export interface Post {
  readonly n: number;
  readonly at: number;
  readonly order: VendorOrder;
  /** Found by the auditor when it arrived. */
  readonly purchase: string;
  readonly attempt: string;
  /** In cents. */
  readonly price: number;
  readonly charging: Charging;
  chargedAt: number | null;
  /** The whole answer as the vendor meant it, where it meant one. */
  readonly said: 'yes' | 'no' | 'nothing clear';
  /** Whether a whole answer reached the process that asked. */
  answered: boolean;
}

/** The vendor's own books: the truth about the money, which the product never sees. */
export class Books {
  /** In cents. */
  balance: number;
  readonly posts: Post[] = [];

  constructor(balance: number) {
    this.balance = balance;
  }

  charge(post: Post, at: number): void {
    this.balance -= post.price;
    post.chargedAt = at;
  }

  postsOf(purchase: string): readonly Post[] {
    return this.posts.filter((post) => post.purchase === purchase);
  }

  /** It has taken money for it, or is going to. */
  takesMoneyFor(purchase: string): boolean {
    return this.postsOf(purchase).some((post) => post.charging !== 'never');
  }
}

export function priceOf(order: VendorOrder): number {
  return order.kind === 'renew' ? 500 : 100 * order.basket.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function dollars(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  return `${cents < 0 ? '-' : ''}${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}
