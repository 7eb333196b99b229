import { setTimeout as sleep } from 'node:timers/promises';
import type { BotProcess, Environment, Exit } from '../../support/bot.ts';
import type { Site } from '../../support/site.ts';
import type { Storage } from './storage.ts';

/** The processes of one round. */
export interface Fleet {
  readonly size: number;
  /** Whether one of them has died, of whatever. */
  readonly harmed: boolean;
  /** Kills what is left, lets time pass, and starts anew. */
  restart(): Promise<void>;
  /** Starts one in the place of each that is dead. */
  fill(): Promise<void>;
  /** The same under fire: until each is ready, or has died of what strikes meanwhile. */
  fillWhileStruck(): Promise<void>;
  end(victim: number, signal: NodeJS.Signals): Promise<Exit | undefined>;
  send(victim: number, signal: NodeJS.Signals): void;
  endAll(): Promise<void>;
  /** Launches one and kills it so much later, whatever it is at. */
  killWhileStarting(afterMs: number): Promise<void>;
}

/** A process that gets no end of itself is a fault of its own. */
const ENDS_WITHIN_MS = 25_000;

/** None of them runs yet. */
export function createFleet(site: Site, storage: Storage, size: number, env: Environment): Fleet {
  let bots: BotProcess[] = [];
  const dead: BotProcess[] = [];
  const bury = () => {
    dead.push(...bots.filter(({ running }) => !running));
    bots = bots.filter(({ running }) => running);
  };
  const launchMissing = () => {
    bury();
    const launched = Array.from({ length: size - bots.length }, () => site.launch(env));
    bots.push(...launched);
    return launched;
  };
  const fill = async () => {
    await Promise.all(launchMissing().map((bot) => bot.ready()));
  };

  const fleet: Fleet = {
    size,
    get harmed() {
      return dead.length > 0 || bots.some(({ running }) => !running);
    },
    async restart() {
      await fleet.endAll();
      await storage.letTimePass();
      await fill();
    },
    async fill() {
      bury();
      const attempts = dead.flatMap(attemptsOf);
      // Nobody waits for those any more; kill.test.ts shows that the deadline is real.
      if (attempts.length > 0) await storage.letAttemptsEnd(attempts);
      await fill();
    },
    async fillWhileStruck() {
      await Promise.allSettled(launchMissing().map((bot) => bot.ready()));
    },
    async end(victim, signal) {
      const bot = bots[victim % size];
      if (!bot?.running) return undefined;
      bot.send(signal);
      const late = sleep(ENDS_WITHIN_MS, undefined, { ref: false }).then(() => {
        throw new Error(`${signal} did not end it within ${ENDS_WITHIN_MS} ms: ${bot.lines.at(-1)?.msg}`);
      });
      return Promise.race([bot.exited, late]);
    },
    send(victim, signal) {
      const bot = bots[victim % size];
      if (bot?.running) bot.send(signal);
    },
    async endAll() {
      await Promise.all(bots.filter(({ running }) => running).map((bot) => bot.end('SIGKILL')));
      bury();
    },
    async killWhileStarting(afterMs) {
      const bot = site.launch(env);
      await sleep(afterMs);
      await bot.end('SIGKILL');
      dead.push(bot);
    },
  };
  return fleet;
}

function attemptsOf(bot: BotProcess): readonly string[] {
  return bot.lines.filter(({ msg }) => msg === 'sending').map((line) => String(line['attemptId']));
}
