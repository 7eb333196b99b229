import type { Change } from '../model/change.ts';
import { DESK } from '../model/entries.ts';
import { move } from '../model/move.ts';
import type { Purchase } from '../model/purchase.ts';

/**
 * What becomes of a purchase on a ledger that may have gone back in time. If it was open it may have been approved, sent and paid for
 * since, by a process that is gone: sent now, it could be sent twice; expired, it would be asked for again. So nobody can tell, and the
 * same content is not taken until a person has looked in the vendor's console.
 */
export function decideGoneBack(purchase: Purchase): Change<null> {
  const { state } = purchase;
  if (state !== 'requested' && state !== 'approved' && state !== 'sending') return { result: null, by: DESK };
  const why = 'the ledger may have gone back in time, and have forgotten that it was sent';
  return { ...move(purchase, 'unknown', DESK, { why }, 'gone back'), result: null, set: { why } };
}
