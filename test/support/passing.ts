import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import type { LocalVendor } from '../../sandbox/vendor-api/index.ts';
import type { MovableClock } from './clock.ts';

/** So many turns of the event loop without anything new, and nobody is at work. */
const CALM_TURNS = 50;

interface Place {
  readonly slack: Pick<LocalSlack, 'on' | 'inFlight'>;
  readonly vendor?: Pick<LocalVendor, 'requests'>;
}

/**
 * Resolves when nobody is at work: whoever is not done waits for time to pass, or for the test. All run in this process: what one of
 * them does, the next turns of the event loop bring to the others.
 */
export async function allWait({ slack, vendor }: Place): Promise<void> {
  let happened = 0;
  const unlisten = slack.on(() => {
    happened += 1;
  });
  const sum = () => happened + (vendor?.requests.length ?? 0);
  for (let calm = 0, seen = sum(); calm < CALM_TURNS; seen = sum()) {
    await nextTurn();
    calm = slack.inFlight() > 0 || sum() !== seen ? 0 : calm + 1;
  }
  unlisten();
}

/**
 * Lets time go on until `work` is done, from one moment that somebody waits for to the next, and only while nobody is at work: who
 * waits for Slack's rate limits waits, and nobody is late because this machine is. @returns how long it took.
 */
export async function whileTimePasses(
  place: Place & { readonly clock: MovableClock },
  work: Promise<unknown>,
): Promise<number> {
  const { clock } = place;
  const began = clock.monotonic();
  let done = false;
  const end = () => {
    done = true;
  };
  void work.then(end, end);
  while (!done) {
    await allWait(place);
    clock.skip();
  }
  await work;
  return clock.monotonic() - began;
}
