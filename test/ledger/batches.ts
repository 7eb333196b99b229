import type { NewBatch } from '../../src/purchasing/model/batch-change.ts';
import type { NewPurchase } from '../../src/purchasing/model/filing.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { owedAtBatchFiling } from '../../src/purchasing/model/outbox.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import { ANN, aPurchase, START, subjectOf } from './fixture.ts';

let made = 0;

/** Of so many renewals, each of an order of its own. */
export function aBatch(
  size: number,
  overrides: Partial<NewBatch> & { readonly row?: Partial<NewPurchase> } = {},
): NewBatch {
  made += 1;
  const { row = {}, ...given } = overrides;
  const id = given.id ?? `b${made}`;
  const rows = Array.from({ length: size }, (_, place) =>
    aPurchase({ kind: 'renew', orderId: String(place + 1) as OrderId, batch: { id, place }, ...row }),
  );
  return {
    id,
    submission: `batch submission ${made}`,
    requester: ANN,
    requesterPerson: ANN,
    createdAt: START,
    rows,
    notices: owedAtBatchFiling(id, 'requested'),
    ...given,
  };
}

export const subjectOfBatch = ({ submission, rows }: NewBatch) => ({
  submission,
  rows: rows.map((row) => subjectOf(row)),
});

export async function filedBatch(ledger: Ledger, batch: NewBatch): Promise<readonly string[]> {
  await ledger.fileBatch(subjectOfBatch(batch), () => ({ result: null, file: batch }));
  return batch.rows.map(({ id }) => id);
}
