import type { Freeze, FreezeChange, FreezeFacts } from '../model/freeze.ts';
import { alert, freezeNotice, type NewNotice } from '../model/outbox.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { clickResult } from './clicks.ts';
import type { Clicker } from './rights.ts';

export type FreezeDecided = FreezeChange<Freeze | Refusal>;

/** Freezes at a person's command. @param occasion tells two notices apart. */
export function decideFreeze(facts: FreezeFacts, by: Clicker, reason: string, occasion: string): FreezeDecided {
  return ifAllowed(facts, by, () => freezeNow(facts, by.user, reason, occasion));
}

/** Ends whatever freeze there is. */
export function decideUnfreeze(facts: FreezeFacts, by: Clicker, occasion: string): FreezeDecided {
  return ifAllowed(facts, by, () => unfreezeNow(facts, by.user, occasion));
}

function ifAllowed(facts: FreezeFacts, { user, allowed }: Clicker, decide: () => FreezeDecided): FreezeDecided {
  return countOnce(facts, isRefusal(allowed) ? { result: allowed, by: user } : decide());
}

/** Freezes once: the first reason stands. */
export function freezeNow(
  { now, freeze: was }: FreezeFacts,
  by: string,
  reason: string,
  occasion: string,
): FreezeDecided {
  if (was?.by === by && was.reason === reason) return { result: was, by };
  if (was) return { result: { refused: 'already_frozen', by: was.by, reason: was.reason }, by };
  const freeze = { by, reason, at: now };
  return { result: freeze, by, to: freeze, notice: freezeNotice(occasion, reason, by) };
}

/** Ends whatever freeze there is, for whoever is allowed to. */
export function unfreezeNow({ freeze: was }: FreezeFacts, by: string, occasion: string): FreezeDecided {
  if (!was) return { result: { refused: 'not_frozen' }, by };
  return { result: was, by, to: null, notice: freezeNotice(occasion, null, by) };
}

/** A command that Slack delivers again is told how things stand, and changes nothing. */
function countOnce({ deliveredBefore, freeze }: FreezeFacts, decided: FreezeDecided): FreezeDecided {
  if (deliveredBefore === null) return { ...decided, click: clickResult(decided.result) };
  const { result, by, to } = decided;
  // The freeze of this very command still stands, or it is refused now as it was then.
  if (to === undefined) return { result, by };
  return { result: { refused: 'command_delivered_again', freeze }, by };
}

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
