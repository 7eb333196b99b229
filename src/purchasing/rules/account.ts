import { alert, type NewNotice } from '../model/outbox.ts';

/** How the vendor refuses the account: it does not accept the token (401), or does not allow the call (403). */
export type AccountRefusal = 'unauthorized' | 'forbidden';

/** Why spending freezes by itself. */
export const TOKEN_REFUSED = 'the vendor does not accept the account token (401)';

/** Told once a day for each call, by the ledger's clock. */
export function forbiddenCall(call: 'balance' | 'order', now: number): NewNotice {
  const day = new Date(now).toISOString().slice(0, 10);
  const what = call === 'balance' ? 'read its balance' : 'place or renew orders';
  const text = `The vendor does not allow this account to ${what} (403). Whoever asked did nothing wrong.`;
  return alert(`forbidden:${call}:${day}`, text);
}
