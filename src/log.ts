import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { pino } from 'pino';
import type { Log } from './purchasing/ports.ts';

export type LeveledLog = Log & { readonly level: string };

/**
 * Structured lines on standard output. Whatever a library or an error carries into a line, the secrets are cut out of the finished
 * text, in each form in which they travel.
 */
export function createLog(level: string, secrets: readonly string[], fields: object): LeveledLog {
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  return pino({
    level,
    base: fields,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      streamWrite: (line) => forms.reduce((text, form) => text.replaceAll(form, '[secret]'), line),
    },
  });
}

/** Bolt and Slack's clients log through this. Their debug lines hold whole payloads, so they stay out unless asked for. */
export function slackLogger(log: LeveledLog): SlackLogger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...parts: unknown[]) =>
      log[level]({ from: 'slack' }, parts.map(String).join(' '));
  return {
    debug: write('debug'),
    info: write('debug'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    setName: () => undefined,
    getLevel: () => (log.level === 'debug' ? LogLevel.DEBUG : LogLevel.INFO),
  };
}

function formsOf(secret: string): string[] {
  // In base64 a text looks different by where it starts; the characters at either end depend on its neighbours.
  const aligned = [0, 1, 2].map((offset) =>
    Buffer.from('\0'.repeat(offset) + secret)
      .toString('base64')
      .slice(offset === 0 ? 0 : offset + 1)
      .replace(/.?=*$/, ''),
  );
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    ...aligned,
  ].filter((form) => form.length >= 8);
}
