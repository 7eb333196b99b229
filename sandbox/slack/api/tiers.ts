import type { Core } from '../core.ts';
import { type Dict, textAt } from '../json.ts';
import { directOwner, findPerson } from '../people.ts';

/** Slack's rate limits: four tiers by the minute, and one for posting, which is by channel. */
export type Tier = 1 | 2 | 3 | 4 | 'post' | 'auth' | 'none';

interface Pace {
  /** At most so many in any window. */
  calls: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
/**
 * Slack writes "20+ a minute" and tolerates bursts of a size it does not tell; here a tier is what it guarantees. Of Tier 1
 * ("1+ a minute, a small amount of burst") the burst is five, of posting ("one a second a channel, short bursts") four.
 */
const PACES: Record<Exclude<Tier, 'none'>, Pace> = {
  1: { calls: 5, windowMs: 5 * MINUTE_MS },
  2: { calls: 20, windowMs: MINUTE_MS },
  3: { calls: 50, windowMs: MINUTE_MS },
  4: { calls: 100, windowMs: MINUTE_MS },
  auth: { calls: 600, windowMs: MINUTE_MS },
  post: { calls: 4, windowMs: 4_000 },
};

/** Counts a call; the seconds to wait where it is one too many, which then does not count. */
export type Meter = (method: string, tier: Tier, args: Dict) => number | null;

export function createMeter(core: Core): Meter {
  const counted = new Map<string, number[]>();
  return (method, tier, args) => {
    if (!core.settings.enforceTiers || tier === 'none') return null;
    const { calls, windowMs } = PACES[tier];
    const now = core.paceNow();
    const key = tier === 'post' ? `${method} ${channelOf(core, args)}` : method;
    const recent = (counted.get(key) ?? []).filter((at) => at > now - windowMs);
    const oldest = recent.at(-calls);
    if (oldest !== undefined) return Math.max(1, Math.ceil((oldest + windowMs - now) / 1000));
    counted.set(key, [...recent, now]);
    return null;
  };
}

/** A person's direct messages are one channel, by whichever id it is named. */
function channelOf({ state }: Core, args: Dict): string {
  const name = textAt(args, 'channel') ?? '';
  return findPerson(state, name)?.id ?? directOwner(state, name) ?? name;
}
