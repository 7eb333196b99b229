import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Environment, SOURCES } from './bot.ts';
import type { Site } from './site.ts';

/** For `node --import`. */
export const RECORDER = new URL('loaded-modules.ts', import.meta.url).href;

/** The addresses of all modules that the bot has loaded from its start to its end, a line each. */
export async function loadedByBot(
  site: Site,
  { env = {}, program = SOURCES }: { env?: Environment; program?: string } = {},
) {
  const file = join(site.folder, 'loaded');
  const bot = site.launch({ LOADED: file, ...env }, { command: [process.execPath, '--import', RECORDER, program] });
  await bot.ready();
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  return readFileSync(file, 'utf8');
}
