import { within } from '../purchasing/within.ts';
import { SlackSocket } from '../slack/socket.ts';
import type { Bot } from './assemble.ts';
import type { HttpServer } from './http.ts';
import type { Parts } from './parts.ts';

/** Messages that are still owed are sent before the end if Slack takes them in time, else at the next start. */
const LAST_NEWS_WITHIN_MS = 5_000;

/** The balance after the last answer. If the vendor hangs, the reading is taken at the next start. */
const LAST_READING_WITHIN_MS = 5_000;

/** Takes nothing new, finishes and records what is being sent, tells what can be told, and closes everything. */
export async function stop(parts: Parts, http: HttpServer, bot: Bot | undefined): Promise<void> {
  const { log, clock, opened, vendor, receiver, workers, instances } = parts;
  // First, so that nothing new is sent from here on.
  const sent = bot?.lane.stop();
  if (receiver instanceof SlackSocket) await receiver.stop();
  await Promise.all([bot?.listenersEnded(), sent, workers.stop()]);
  // Again: the pass that was under way may have begun an attempt, or leased the next purchase.
  await bot?.lane.stop();
  // A refusal by the vendor becomes final only with the reading that follows it.
  const lastReading = ending(parts, bot?.lane.read(), 'the last reading could not be taken; it is at the next start');
  await within(clock, LAST_READING_WITHIN_MS, lastReading, undefined);
  const lastNews = ending(
    parts,
    bot && deliverAll(bot),
    'the last news could not be told; they go out at the next start',
  );
  await within(clock, LAST_NEWS_WITHIN_MS, lastNews, undefined);
  // Not needed: the row of a process that does not leave expires by itself.
  await instances.leave().catch(() => undefined);
  await http.close();
  // Ends a reading that hangs; that it failed is still recorded.
  await vendor.close();
  await lastReading;
  await opened.close();
  log.info({}, 'stopped');
}

async function deliverAll({ delivery }: Bot): Promise<void> {
  while (await delivery.deliver());
}

async function ending({ log }: Parts, work: Promise<unknown> | undefined, failed: string): Promise<void> {
  try {
    await work;
  } catch (err) {
    log.warn({ err }, failed);
  }
}
