import { pricedOf } from './model/account.ts';
import { isUnderWay, type Request, rowsOf } from './model/batch.ts';
import type { ExpectedCost } from './model/cost.ts';
import { isKept } from './model/filing.ts';
import type { OrderFacts } from './model/order.ts';
import type { Purchase } from './model/purchase.ts';
import type { LedgerReads } from './ports/ledger.ts';
import { waitsFor } from './rules/decisions.ts';
import type { Allowed } from './rules/rights.ts';

/** When something of it moved last. */
export function changedAtOf(request: Request): number {
  return Math.max(...rowsOf(request).map(({ changedAt }) => changedAt));
}

export function isOpenRequest(request: Request): boolean {
  return rowsOf(request).some(isUnderWay);
}

/** In the order of these purchases, a batch where its first stands. */
export async function requestsOf(
  ledger: Pick<LedgerReads, 'batch'>,
  purchases: readonly Purchase[],
): Promise<readonly Request[]> {
  const ids = [...new Set(purchases.flatMap(({ batch }) => batch?.id ?? []))];
  const found = await Promise.all(ids.map((id) => ledger.batch(id)));
  const batches = new Map(found.flatMap((batch) => (batch ? [[batch.id, batch] as const] : [])));
  const requests = purchases.map((purchase) => batches.get(purchase.batch?.id ?? '') ?? purchase);
  return [...new Set(requests)];
}

/** Those of them that wait for a decision or a settlement of this person. */
export async function waitingFor(
  ledger: Pick<LedgerReads, 'sides'>,
  purchases: readonly Purchase[],
  allowed: Allowed,
): Promise<readonly Purchase[]> {
  const theirs = await Promise.all(
    purchases.map(async (purchase) => {
      // What nobody has kept is on no third person's word: the ledger is not asked.
      const sides = isKept(purchase) ? await ledger.sides(purchase.id) : undefined;
      return waitsFor(purchase, allowed, sides?.keptBy ?? null);
    }),
  );
  return purchases.filter((_, index) => theirs[index]);
}

/** What each of these costs as of now, by its id. */
export async function costsNow(
  ledger: Pick<LedgerReads, 'expectedCost'>,
  purchases: readonly Purchase[],
): Promise<ReadonlyMap<string, ExpectedCost>> {
  const costs = purchases.map(async (of) => [of.id, await ledger.expectedCost(pricedOf(of))] as const);
  return new Map(await Promise.all(costs));
}

/** What the ledger knows of the orders that these renew. */
export function ordersRenewed(
  ledger: Pick<LedgerReads, 'order'>,
  renewals: readonly Purchase[],
): Promise<readonly OrderFacts[]> {
  return Promise.all(renewals.flatMap(({ orderId }) => (orderId === null ? [] : [ledger.order(orderId)])));
}
