import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { type Logger, pino } from 'pino';
import type { Log } from '../purchasing/ports/log.ts';
import { createScrub } from '../scrub.ts';
import { standardOutput } from './output.ts';
import { scopeFields } from './scope.ts';

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
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    setName: () => undefined,
    getLevel: () => LogLevel.INFO,
  };
}
