import type { LocalVendor } from '../../sandbox/vendor-api/index.ts';
import type { State } from '../../src/purchasing/model/purchase.ts';

/** A line of `ledger list --json`, as far as tests look at it. */
export interface LedgerLine {
  readonly id: string;
  readonly kind: 'buy' | 'renew';
  readonly state: State;
  readonly requester: string;
  readonly approver: string | null;
  readonly basket: readonly { readonly country: string; readonly quantity: number }[];
  readonly orderId: string | null;
  readonly attempts: number;
  readonly declinedHow: 'vendor' | 'not_sent' | 'settled' | null;
  readonly why: string | null;
  readonly batch: string | null;
}

/** How many POSTs carried exactly this basket. Tests give each purchase a basket of its own. */
export function postsOf(vendor: LocalVendor, line: Pick<LedgerLine, 'basket'>): number {
  const wanted = JSON.stringify(line.basket.map(({ country, quantity }) => [country, quantity]));
  return vendor.requests.filter(({ raw }) => raw.startsWith('POST ') && basketIn(raw) === wanted).length;
}

/**
 * Where ledger and vendor disagree, in words; nothing where they agree. Whatever a test is about, this must hold: no purchase is
 * sent twice, none that was not approved is sent, and what the ledger says of money is what the vendor's books say.
 */
export function disagreements(lines: readonly LedgerLine[], vendor: LocalVendor): readonly string[] {
  const found: string[] = [];
  for (const line of lines.filter(({ kind }) => kind === 'buy')) {
    const posts = postsOf(vendor, line);
    const charged = vendor.orders.filter((order) => sameBasket(order.allocations, line)).length;
    if (posts > 1) found.push(`${line.id} was sent ${posts} times`);
    if (charged > 1) found.push(`${line.id} was charged ${charged} times`);
    if (posts > 0 && !SENT.has(line.state)) found.push(`${line.id} is ${line.state}, and was sent`);
    if (line.state === 'completed' && charged === 0) found.push(`${line.id} is completed, and the vendor has no order`);
    if (line.state === 'declined' && charged > 0) found.push(`${line.id} is declined, and the vendor has an order`);
    if (line.declinedHow === 'not_sent' && posts > 0) found.push(`${line.id} is said not to have been sent, and was`);
  }
  const known = lines.reduce((sum, line) => sum + postsOf(vendor, line), 0);
  const creates = vendor.requests.filter(
    ({ raw }) => raw.startsWith('POST ') && raw.includes('/orders/create '),
  ).length;
  if (creates > known) found.push(`${creates - known} POSTs belong to no purchase`);
  return found;
}

/** What a purchase can be only after its POST may have left. */
export const SENT: ReadonlySet<State> = new Set(['sending', 'completed', 'declined', 'unknown']);

function basketIn(raw: string): string | undefined {
  try {
    const body = JSON.parse(raw.split('\r\n\r\n')[1] ?? '') as {
      purchase_geo?: { allocations?: { country_iso: string; qty: number }[] };
    };
    return JSON.stringify(body.purchase_geo?.allocations?.map(({ country_iso, qty }) => [country_iso, qty]));
  } catch {
    return undefined;
  }
}

function sameBasket(allocations: readonly { country_iso: string; qty: number }[], line: LedgerLine): boolean {
  const bought = allocations.map(({ country_iso, qty }) => [country_iso, qty]);
  return JSON.stringify(bought) === JSON.stringify(line.basket.map(({ country, quantity }) => [country, quantity]));
}
