import type { Refusal } from '../model/refusals.ts';
import type { Right } from '../model/right.ts';
import type { Directory } from '../ports/directory.ts';

/** Slack wants an ack within 3 s of the click; 1 s of that is kept for the commit and the way back. */
export const FRESH_RIGHTS_WITHIN_MS = 2_000;

/** A right that was found, or why not. */
export type Allowed =
  | { readonly person: string; readonly ids: ReadonlySet<string>; readonly rights: ReadonlySet<Right> }
  | Refusal;

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
  if (standing.barred) return { refused: 'barred', standing: standing.barred };
  if (rights.some((right) => standing.rights.has(right))) {
    const { person, ids, rights: held } = standing;
    return { person, ids, rights: held };
  }
  return rights.every((right) => standing.nobodyHas.has(right))
    ? { refused: 'nobody_in_group', right: rights[0] }
    : { refused: 'not_in_group', right: rights[0] };
}
