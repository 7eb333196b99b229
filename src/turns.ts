import { setImmediate } from 'node:timers/promises';

/** So long at most is anybody's work done on end: whoever waits meanwhile has acks that are due. */
const TURN_MS = 5;

/** Since when there is work on end, however many do it, and in however many steps; undefined where somebody else may have gone. */
let began: number | undefined;

/** Of those that wait, each goes on in a turn of its own: together they would hold up the others as one does that takes no turns. */
let queue: Promise<void> = Promise.resolve();

/** To be awaited before each step of something that may be long: others go first where it has taken a while. Short work is never held up. */
export function turn(): Promise<void> | undefined {
  const now = performance.now();
  if (began === undefined) {
    began = now;
    // Comes when nobody has anything left that they could go on with at once.
    process.nextTick(() => {
      began = undefined;
    });
  }
  if (now - began < TURN_MS) return undefined;
  queue = queue.then(() => setImmediate());
  return queue;
}

/** So many turns of the event loop a crowd is waited for, at most. */
const CROWD_TURNS = 20;

/** Everybody goes first who can go on at this moment; and so on, as long as somebody comes. @param come how many have, so far */
export async function afterCrowd(come: () => number): Promise<void> {
  for (let turns = 0, before = -1; before !== come() && turns < CROWD_TURNS; turns += 1) {
    before = come();
    await setImmediate();
  }
}

/** All of them, one after the other; others go first between two. */
export async function* inTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  for (const one of all) {
    const others = turn();
    if (others) await others;
    yield one;
  }
}
