import { setTimeout as sleep } from 'node:timers/promises';
import { askReady, type BotProcess } from './bot-process.ts';
import type { Sandbox } from './start-sandbox.ts';
import type { BotStatus } from './wire.ts';

const ASK_EVERY_MS = 2_000;

export interface StatusWatch {
  readonly now: BotStatus;
  close(): void;
}

/** What /readyz says, whether the process runs, and its lines. */
export function watchBot(
  sandbox: Sandbox,
  heard: { status: (status: BotStatus) => void; line: (line: string) => void },
): StatusWatch {
  const closing = new AbortController();
  let now: BotStatus = { state: 'ready', pid: sandbox.bot.pid, detail: 'ready' };
  const set = (status: BotStatus) => {
    if (status.state === now.state && status.detail === now.detail && status.pid === now.pid) return;
    now = status;
    heard.status(status);
  };
  let unlisten = () => {};
  const follow = (bot: BotProcess) => {
    unlisten();
    unlisten = bot.onLine(heard.line);
    void bot.exited.then(({ code, signal }) => {
      if (sandbox.bot === bot)
        set({ state: 'stopped', pid: bot.pid, detail: `ended with ${signal ?? `code ${code}`}` });
    });
  };
  const ask = async () => {
    const { bot } = sandbox;
    if (!bot.running) return;
    const answer = await askReady(bot, ASK_EVERY_MS);
    if (!bot.running || sandbox.bot !== bot) return;
    set({ state: answer?.isReady ? 'ready' : 'starting', pid: bot.pid, detail: answer?.said ?? 'does not answer' });
  };
  const loop = async () => {
    while (!closing.signal.aborted) {
      await ask();
      await sleep(now.state === 'ready' ? ASK_EVERY_MS : 200, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  follow(sandbox.bot);
  const stop = sandbox.onBot((bot) => {
    follow(bot);
    set({ state: 'starting', pid: bot.pid, detail: 'starting' });
  });
  void loop();
  return {
    get now() {
      return now;
    },
    close() {
      closing.abort();
      stop();
      unlisten();
    },
  };
}
