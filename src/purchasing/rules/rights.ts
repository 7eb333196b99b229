import { RIGHTS, type Right } from '../model/policy.ts';
import type { Purchase, PurchaseAction } from '../model/purchase.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import type { Directory } from '../ports/directory.ts';

/** Slack wants an ack within 3 s of the click; 1 s of that is kept for the commit and the way back. */
export const FRESH_RIGHTS_WITHIN_MS = 2_000;

/** Any one of these will do. To withdraw, nudge or answer needs none, only to be the requester; to take back a yes, only to have said it. */
export const RIGHTS_TO = {
  approve: ['approve'],
  reject: ['approve'],
  ask: ['approve'],
  settle: ['approve'],
  freeze: ['approve'],
  'look into a fall': ['approve'],
  'enter order id': ['buy', 'renew', 'approve'],
  'show the answer': RIGHTS,
} as const satisfies Record<
  Exclude<PurchaseAction, 'withdraw' | 'take back' | 'nudge' | 'answer'> | 'freeze',
  readonly [Right, ...Right[]]
>;

/** Who somebody is, with every id of theirs, and which of the rights asked about they have; or why they may not. */
export type Allowed =
  | { readonly person: string; readonly ids: ReadonlySet<string>; readonly rights: ReadonlySet<Right> }
  | Refusal;

/** Who clicks, and what Slack says of them, asked just before. */
export interface Clicker {
  /** Slack user id, as received. */
  readonly user: string;
  readonly allowed: Allowed;
}

/** Slack does not tell whether it is their own: then it is taken for that. */
const CANNOT_TELL_WHO = { refused: 'rights_unreadable', retryAfterSeconds: 5 } as const;

/**
 * Has this person one of these rights? Unreadable means no.
 * @param rights any one of them will do.
 */
export async function checkRights(
  directory: Directory,
  user: string,
  rights: readonly [Right, ...Right[]],
  freshness: 'cached' | 'fresh',
  withinMs = FRESH_RIGHTS_WITHIN_MS,
): Promise<Allowed> {
  const standing = await directory.standing(user, rights, freshness, withinMs);
  if (!standing.readable) return { refused: 'rights_unreadable', retryAfterSeconds: standing.retryAfterSeconds };
  if (standing.barred) return { refused: 'barred', as: standing.barred };
  if (rights.some((right) => standing.rights.has(right))) {
    const { person, ids, rights: held } = standing;
    return { person, ids, rights: held };
  }
  return rights.every((right) => standing.nobodyHas.has(right))
    ? { refused: 'nobody_in_group', right: rights[0] }
    : { refused: 'not_in_group', right: rights[0] };
}

/** Somebody of whom nothing is asked but who they are. @param ids undefined: Slack does not tell. */
export function asThemselves(user: string, ids: ReadonlySet<string> | undefined): Allowed {
  return ids ? { person: user, ids, rights: new Set() } : CANNOT_TELL_WHO;
}

/** Who asks, also where they may not: then no more is known of them than who they are. */
export function whoAsks(user: string, allowed: Allowed): Exclude<Allowed, Refusal> {
  return isRefusal(allowed) ? { person: user, ids: new Set([user]), rights: new Set() } : allowed;
}

/**
 * The same person, seen beside the requester of what they decide on, or beside who said yes before: who share an id are one human, with
 * the ids of both.
 * @param otherIds undefined: Slack does not tell.
 */
export function besides(allowed: Allowed, otherIds: ReadonlySet<string> | undefined): Allowed {
  if (isRefusal(allowed)) return allowed;
  if (!otherIds) return CANNOT_TELL_WHO;
  const { ids } = allowed;
  return ids.isDisjointFrom(otherIds) ? allowed : { ...allowed, ids: ids.union(otherIds) };
}

/** By any id: Slack may use the one of the workspace here and the one of the organisation there. */
export function isRequester(
  { requester, requesterPerson }: Pick<Purchase, 'requester' | 'requesterPerson'>,
  { ids }: { readonly ids: ReadonlySet<string> },
): boolean {
  return ids.has(requester) || ids.has(requesterPerson);
}
