import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { pino } from 'pino';
import type { Log } from '../purchasing/ports/log.ts';
import { createScrub } from '../scrub.ts';

export type LeveledLog = Log & { readonly level: string };

/**
 * Structured lines on standard output. Whatever a library or an error carries into a line, the secrets are cut out of the
 * finished text, in each form in which they travel.
 */
export function createLog(level: string, secrets: readonly string[], fields: object): LeveledLog {
  const scrubs = secrets.map(createScrub);
  return pino({
    level,
    base: fields,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      streamWrite: (line) => scrubs.reduce((text, scrub) => scrub(text), line),
    },
  });
}

/**
 * Bolt and Slack's clients log through this. Their debug lines hold whole payloads, with what people typed and the vendor's raw
 * answer where somebody looks at it: they are never written, at no level.
 */
export function slackLogger(log: LeveledLog): SlackLogger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...parts: unknown[]) =>
      log[level]({ from: 'slack' }, parts.map(String).join(' '));
  return {
    debug: () => undefined,
    info: write('debug'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    setName: () => undefined,
    getLevel: () => LogLevel.INFO,
  };
}
