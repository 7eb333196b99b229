import type { FoundOwner, ListedOwner } from '../model/import.ts';

/** Finds people by what a list calls them. Never throws. */
export interface People {
  /** @param withinMs gives up (unreadable) after so long. */
  find(owner: ListedOwner, withinMs: number): Promise<FoundOwner>;
}
