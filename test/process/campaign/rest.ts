import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';

/** By survivors, and by what is left of those that healed. Then everything is started anew, and has its last chance. */
const REST_BY_ITSELF_MS = 12_000;
const REST_AT_LAST_MS = 40_000;
const LOOK_AGAIN_AFTER_MS = 50;

/** Waits until nothing is missing. @returns what still is, where it never came to rest */
export async function comeToRest(fleet: Fleet, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let missing: readonly string[] = [];
  const atRest = async () => {
    missing = await look();
    return missing.length === 0;
  };
  if (await soon(atRest, REST_BY_ITSELF_MS)) return [];
  if (fleet.harmed) await fleet.restart();
  await soon(atRest, REST_AT_LAST_MS);
  return missing;
}

export async function soon(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(LOOK_AGAIN_AFTER_MS);
  }
  return true;
}
