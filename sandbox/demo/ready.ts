import { setTimeout as sleep } from 'node:timers/promises';
import type { BotProcess } from './bot-process.ts';

/** Of use only where the bot neither ends nor gets ready; a loaded machine is given its time. */
const READY_WITHIN_MS = 45_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** Asks /readyz until it says yes. @throws when the bot ends first, or takes too long; with its last words. */
export async function untilReady(url: string, bot: BotProcess): Promise<void> {
  const giveUp = Date.now() + READY_WITHIN_MS;
  let last = 'nothing listens there';
  let ended = false;
  void bot.exited.then(() => {
    ended = true;
  });
  for (let pause = FIRST_PAUSE_MS; Date.now() < giveUp; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (ended) break;
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      last = (await answer.text()).trim();
      if (answer.ok) return;
    } catch {
      // Not listening yet.
    }
    await Promise.race([sleep(pause), bot.exited]);
  }
  const why = ended
    ? 'The bot ended before it was ready'
    : `The bot was not ready in ${READY_WITHIN_MS / 1000} s (${last})`;
  throw new Error(`${why}. Its last words:\n${bot.output.slice(-15).join('\n')}`);
}
