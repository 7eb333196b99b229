import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { PATIENCE_MS } from '../../sandbox/slack/index.ts';
import { type Environment, MAIN } from '../support/bot.ts';

export const KEY = {
  enter: '\r',
  tab: '\t',
  space: ' ',
  down: '\u001B[B',
  left: '\u001B[D',
  clear: '\u0015',
  interrupt: '\u0003',
} as const;

/** A program at a terminal, and somebody who reads and types. */
export interface Session {
  /** All that was ever written, also what is no longer to be seen. */
  readonly written: string;
  /** Resolves when this is to be read in what was written since something was last typed. */
  see(text: string | RegExp): Promise<void>;
  type(...keys: readonly string[]): void;
  /** Waits for the question, then types. */
  answer(question: string, ...keys: readonly string[]): Promise<void>;
  readonly exited: Promise<number | null>;
  readonly running: boolean;
  /** Ends it, whatever it does. */
  close(): Promise<unknown>;
}

/**
 * Setup; `script` of util-linux gives it a real pseudo-terminal, wide enough for every line.
 * @param before how the shell is to run it
 */
export function openTerminal(cwd: string, env: Environment, before = 'exec'): Session {
  const command = `stty cols 250 rows 60; ${before} '${process.execPath}' '${MAIN}' setup`;
  const { PATH = '', HOME = cwd } = process.env;
  const child = spawn('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
    cwd,
    env: { PATH, HOME, SHELL: '/bin/sh', TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let written = '';
  let mark = 0;
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
    for (const watcher of watchers) watcher();
  });
  let running = true;
  const exited = once(child, 'close').then(([code]) => {
    running = false;
    for (const watcher of watchers) watcher();
    return code as number | null;
  });
  const session: Session = {
    get written() {
      return written;
    },
    exited,
    get running() {
      return running;
    },
    close() {
      child.kill();
      return exited;
    },
    see(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const given = () => stripVTControlCharacters(written.slice(mark));
      const fail = (why: string) => reject(new Error(`${why}: ${String(text)}\n--- written\n${given()}`));
      const timer = setTimeout(() => fail(`not seen in ${PATIENCE_MS} ms`), PATIENCE_MS);
      const look = () => {
        const found = typeof text === 'string' ? given().includes(text) : text.test(given());
        if (found) resolve();
        else if (!running) fail('it ended before this was seen');
      };
      watchers.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(look);
      });
    },
    type(...keys) {
      mark = written.length;
      child.stdin.write(keys.join(''));
    },
    async answer(question, ...keys) {
      // The sign before a question that waits; it is another one once it is answered.
      await session.see(`◆  ${question}`);
      session.type(...keys);
    },
  };
  return session;
}
