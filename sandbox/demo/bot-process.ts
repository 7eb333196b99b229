import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDict, parseJson, shown } from '../slack/json.ts';
import { atExit } from './at-exit.ts';
import { HOST } from './ports.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface BotProcess {
  readonly pid: number;
  /** Both streams, line by line, oldest first; the newest {@link LINES_KEPT}. */
  readonly output: readonly string[];
  /** What it ended with, once it has. */
  readonly exited: Promise<Exit>;
  readonly running: boolean;
  /** Where its /healthz, /readyz and /metrics are, once it listens. */
  readonly url: string | undefined;
  onLine(listener: (line: string) => void): () => void;
  /** Resolves once its date is ahead of the real one by so much, or it has ended. */
  setAhead(aheadMs: number): Promise<void>;
  /** SIGTERM, and SIGKILL for one that does not end in time. */
  stop(): Promise<Exit>;
  /** SIGKILL: as a crash would end it. */
  kill(): Promise<Exit>;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SHIFTED_TIME = new URL('shifted-time.ts', import.meta.url).href;
const LINES_KEPT = 500;
/** Longer than a purchase that is being sent may take: the bot finishes and records it first. */
const STOP_WITHIN_MS = 15_000;

/** The product as it is, in a process of its own, with an environment that holds nothing of ours. */
export function startBot(environment: Readonly<Record<string, string>>, cwd: string, aheadMs: number): BotProcess {
  const kept = Object.fromEntries(
    ['PATH', 'HOME', 'TZ'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const child = spawn(process.execPath, ['--import', SHIFTED_TIME, MAIN], {
    cwd,
    env: { ...kept, ...environment, SANDBOX_CLOCK_AHEAD_MS: String(aheadMs) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own: Ctrl-C in the terminal would reach it besides our SIGTERM, and two signals mean "at once".
    detached: true,
  });
  const output: string[] = [];
  const listeners = new Set<(line: string) => void>();
  // Always there, by `stdio` above; the types know it only of three streams.
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream as Readable }).on('line', (line) => {
      output.push(line);
      if (output.length > LINES_KEPT) output.shift();
      url ??= addressIn(line);
      for (const listener of listeners) listener(line);
    });
  let running = true;
  let url: string | undefined;
  // Whatever ends us, an error included, ends it too.
  const forget = atExit(() => child.kill('SIGKILL'));
  const exited = new Promise<Exit>((resolve) => {
    // `close` comes after the last line of output, `exit` may come before it.
    child.once('close', (code, signal) => {
      running = false;
      forget();
      resolve({ code, signal });
    });
    child.once('error', (error) => {
      running = false;
      output.push(String(error));
      resolve({ code: null, signal: null });
    });
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit> => {
    if (running) child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    const exit = await exited;
    clearTimeout(timer);
    return exit;
  };
  return {
    pid: child.pid ?? 0,
    output,
    exited,
    get running() {
      return running;
    },
    get url() {
      return url;
    },
    onLine(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async setAhead(ahead) {
      if (!child.connected) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const heard = (message: unknown) => {
        if (isDict(message) && message['aheadMs'] === ahead) resolve();
      };
      child.on('message', heard);
      // It may end meanwhile; the next one begins with the new time.
      child.send({ aheadMs: ahead }, () => {});
      await Promise.race([promise, exited]);
      child.off('message', heard);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** In the line that says on which port it listens: it takes a free one by itself, so that nobody can take that one meanwhile. */
function addressIn(line: string): string | undefined {
  const entry = parseJson(line);
  if (!entry.ok || !isDict(entry.value) || entry.value['msg'] !== 'listening') return undefined;
  return `http://${HOST}:${shown(entry.value['port'])}`;
}

/** Of use only where the bot neither ends nor gets ready; a loaded machine is given its time. */
const READY_WITHIN_MS = 45_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** undefined where nobody answers. */
export async function askReady(
  bot: BotProcess,
  withinMs: number,
): Promise<{ isReady: boolean; said: string } | undefined> {
  if (bot.url === undefined) return undefined;
  try {
    const answer = await fetch(`${bot.url}/readyz`, { signal: AbortSignal.timeout(withinMs) });
    return { isReady: answer.ok, said: (await answer.text()).trim() };
  } catch {
    return undefined;
  }
}

/** Asks /readyz until it says yes. @throws when the bot ends first, or takes too long; with its last words. */
export async function untilReady(bot: BotProcess): Promise<void> {
  const giveUp = Date.now() + READY_WITHIN_MS;
  let last = 'nothing listens there';
  let ended = false;
  void bot.exited.then(() => {
    ended = true;
  });
  for (let pause = FIRST_PAUSE_MS; Date.now() < giveUp; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (ended) break;
    const answer = await askReady(bot, 2_000);
    last = answer?.said ?? last;
    if (answer?.isReady) return;
    await Promise.race([sleep(pause), bot.exited]);
  }
  const why = ended
    ? 'The bot ended before it was ready'
    : `The bot was not ready in ${READY_WITHIN_MS / 1000} s (${last})`;
  throw new Error(`${why}. Its last words:\n${bot.output.slice(-15).join('\n')}`);
}
