import { AsyncLocalStorage } from 'node:async_hooks';
import { fstatSync, writeSync } from 'node:fs';
import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { type Logger, pino } from 'pino';
import type { Log } from '../purchasing/ports/log.ts';
import { createScrub } from '../scrub.ts';

/**
 * Structured lines on standard output. Whatever a library or an error carries into a line, the secrets are cut out of the
 * finished text, in each form in which they travel.
 */
export function createLog(level: string, secrets: readonly string[], fields: object, output = standardOutput()): Log {
  const scrubs = secrets.map(createScrub);
  return neverThrowing(
    pino(
      {
        level,
        base: fields,
        timestamp: pino.stdTimeFunctions.isoTime,
        mixin: scopeFields,
        formatters: { level: (label) => ({ level: label }) },
        hooks: { streamWrite: (line) => scrubs.reduce((text, scrub) => scrub(text), line) },
      },
      output,
    ),
  );
}

/** An error that cannot be written down must not become a second one. */
function neverThrowing(log: Logger): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    try {
      log[level](fields, message);
    } catch {
      // Nothing is left to tell it to.
    }
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

/** Whoever has called says what was under it, once and not at each try: `watch.ts`, `socket.ts`. */
const SAID_BY_CALLER = /^http request failed/;

/** What Bolt says of a request whose signature is not the one that SLACK_SIGNING_SECRET makes. */
const NOT_OURS = /signature mismatch/;
const WHOSE_SECRET =
  "(is SLACK_SIGNING_SECRET the one of this app's Basic Information page? If it is, the request is not Slack's)";

/**
 * Bolt and Slack's clients log through this. Their debug lines hold whole payloads, with what people typed and the vendor's raw
 * answer where somebody looks at it: they are never written, at no level.
 */
export function slackLogger(log: Log): SlackLogger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...parts: unknown[]) =>
      log[level]({ from: 'slack' }, parts.map(String).join(' '));
  return {
    debug: () => undefined,
    info: write('debug'),
    warn: (...parts) => {
      const [said] = parts.map(String);
      write(SAID_BY_CALLER.test(said ?? '') ? 'debug' : 'warn')(
        ...parts,
        ...(NOT_OURS.test(said ?? '') ? [WHOSE_SECRET] : []),
      );
    },
    error: write('error'),
    setLevel: () => undefined,
    setName: () => undefined,
    getLevel: () => LogLevel.INFO,
  };
}

const scopes = new AsyncLocalStorage<object>();

/** Adds these fields to every line that is logged during `work`. */
export function inScope<T>(fields: object, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

export function scopeFields(): object {
  return scopes.getStore() ?? {};
}

export interface Output {
  write(line: string): void;
}

const STDOUT = 1;

/** Bytes kept for a slow reader; beyond that, lines are dropped. */
const WAITING_AT_MOST = 1_000_000;

/** Standard output that never throws and never blocks, on a full disk, a closed pipe, or a pipe that nobody reads. */
function standardOutput(): Output {
  return fstatSync(STDOUT).isFIFO() || fstatSync(STDOUT).isSocket() ? intoPipe() : intoFile();
}

/** Node writes what the pipe has room for, and buffers the rest. */
function intoPipe(): Output {
  const { stdout } = process;
  stdout.on('error', () => {});
  return {
    write(line) {
      if (stdout.writableLength < WAITING_AT_MOST) stdout.write(line);
    },
  };
}

/** Node's own stream would write nothing more after one failed write. */
function intoFile(): Output {
  return {
    write(line) {
      try {
        writeSync(STDOUT, line);
      } catch {
        // This line is lost; the next one is tried again.
      }
    },
  };
}
