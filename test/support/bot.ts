import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../../sandbox/slack/index.ts';

export const MAIN = fileURLToPath(new URL('../../src/proxy-desk.cjs', import.meta.url));
/** The same from its sources, also where it was built: modules that are built have no addresses of their own. */
export const SOURCES = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const BOT = fileURLToPath(new URL('../../src/runtime/start.ts', import.meta.url));
const ENDS_WITH_PARENT = new URL('./ends-with-parent.ts', import.meta.url).href;
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

const ASK_AGAIN_FIRST_MS = 5;
const ASK_AGAIN_AT_MOST_MS = 150;

export type Environment = Readonly<Record<string, string>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LogLine {
  /** `none` where it is no line of the log at all. */
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The program itself, as an operator starts it, with an environment of its own and nothing of ours. */
export interface BotProcess {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: readonly LogLine[];
  readonly exited: Promise<Exit>;
  readonly running: boolean;
  /** Resolves with the first line of the log that fits; rejects when the process ends before. */
  line(fits: string | ((line: LogLine) => boolean)): Promise<LogLine>;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Asks until it is answered as said, ever more slowly. */
  until(path: string, status: number, text?: string): Promise<void>;
  ready(): Promise<void>;
  send(signal: NodeJS.Signals): void;
  /** Closes the pipe that its log goes into. */
  stopReading(): void;
  /** Sends the signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Exit>;
}

export interface LaunchOptions {
  readonly env: Environment;
  /** Where `.env` and relative paths are looked for. */
  readonly cwd: string;
  readonly args?: readonly string[];
  /** Instead of node itself: what else an operator may type. */
  readonly command?: readonly [string, ...string[]];
}

/** What every start needs; a cache of compiled code halves the time of a start and changes nothing else. */
function baseEnvironment(): Environment {
  const { PATH = '', HOME = tmpdir() } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, NODE_OPTIONS: `--import=${ENDS_WITH_PARENT}` };
}

let cacheFilled: Promise<unknown> | undefined;

/** Node writes that cache when it ends by itself, which a killed process never does: one that only loads the bot goes first. */
export function fillCompileCache(): Promise<unknown> {
  cacheFilled ??= run({ env: {}, cwd: tmpdir(), command: [process.execPath, BOT] });
  return cacheFilled;
}

export function launch({ env, cwd, args = [], command }: LaunchOptions): BotProcess {
  const [file, ...parameters] = command ?? [process.execPath, MAIN, ...args];
  const child = spawn(file, parameters, {
    cwd,
    env: { ...baseEnvironment(), ...env },
    // The first pipe is only there to close; see ENDS_WITH_PARENT.
    stdio: 'pipe',
    // A group of its own, so that what the command has started can be ended even where the command is gone.
    detached: command !== undefined,
  });
  return watch(child, command !== undefined);
}

/** Runs it to its end. */
export async function run(
  options: LaunchOptions,
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const bot = launch(options);
  const exit = await bot.exited;
  return { ...exit, stdout: bot.stdout, stderr: bot.stderr };
}

function watch(child: ChildProcess, ownGroup: boolean): BotProcess {
  const { pid } = child;
  if (pid === undefined) throw new Error('the process could not be started');
  let stdout = '';
  let stderr = '';
  let rest = '';
  let running = true;
  const lines: LogLine[] = [];
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(readLine(part));
    tell();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  // 'close' rather than 'exit': then all that it wrote has been read.
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    running = false;
    tell();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const report = () => `--- stdout\n${stdout.slice(-4_000)}\n--- stderr\n${stderr.slice(-4_000)}`;

  const bot: BotProcess = {
    pid,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    lines,
    exited,
    get running() {
      return running;
    },
    line(fits) {
      const found = () => lines.find((line) => (typeof fits === 'string' ? line.msg === fits : fits(line)));
      const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
      const timer = setTimeout(
        () => reject(new Error(`no such line in ${PATIENCE_MS} ms: ${String(fits)}\n${report()}`)),
        PATIENCE_MS,
      );
      const look = () => {
        const line = found();
        if (line) resolve(line);
        else if (!running) reject(new Error(`it ended before the line came: ${String(fits)}\n${report()}`));
      };
      watchers.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(look);
      });
    },
    async get(path) {
      const { port } = await bot.line('listening');
      const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers: { connection: 'close' } });
      return { status: response.status, text: await response.text() };
    },
    async until(path, status, text = '') {
      const giveUpAt = performance.now() + PATIENCE_MS;
      let last = 'nothing';
      for (
        let wait = ASK_AGAIN_FIRST_MS;
        performance.now() < giveUpAt;
        wait = Math.min(wait * 2, ASK_AGAIN_AT_MOST_MS)
      ) {
        const answer = await bot.get(path);
        if (answer.status === status && answer.text.includes(text)) return;
        last = `${answer.status} ${answer.text}`;
        if (!running) break;
        await sleep(wait);
      }
      throw new Error(`${path} never answered ${status} ${text}, but ${last}\n${report()}`);
    },
    ready: () => bot.until('/readyz', 200),
    send(signal) {
      process.kill(pid, signal);
    },
    stopReading() {
      child.stdout?.destroy();
    },
    async end(signal = 'SIGKILL') {
      if (running) process.kill(ownGroup && signal === 'SIGKILL' ? -pid : pid, signal);
      return exited;
    },
  };
  return bot;
}

/** What is no JSON line is a line all the same: the program must not print such, and a test can see that it did. */
function readLine(text: string): LogLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'msg' in value && 'level' in value) return value as LogLine;
  } catch {
    // below
  }
  return { level: 'none', msg: text };
}
