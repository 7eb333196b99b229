import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type BotProcess, type Environment, launch } from '../support/bot.ts';
import { openSite, type Site, type SiteOptions } from '../support/site.ts';
import type { Side } from './figures.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const BARE_BOLT = join(import.meta.dirname, 'bare/bolt.mjs');
const BARE_SQLITE = join(import.meta.dirname, 'bare/sqlite.mjs');

/** As an operator starts it: without what tests add to their own starts. */
const PLAIN = { NODE_COMPILE_CACHE: '', NODE_OPTIONS: '' };

/** Whatever stands in package.json after `exec`. */
function commandOf(script: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const line = scripts[script]?.split('exec ').at(-1) ?? '';
  return line
    .split(' ')
    .slice(1)
    .map((word) => (word.includes('src/') ? join(ROOT, word) : word));
}

const PROGRAMS: Readonly<Record<Side, readonly string[]>> = { ours: commandOf('start'), bare: [BARE_BOLT] };

/** What is measured is as it is installed. */
export function build(): void {
  execFileSync(process.execPath, [join(ROOT, 'deploy/build.ts')]);
}

const { builtMain } = createRequire(import.meta.url)('../../src/built.cjs') as { builtMain: () => string | undefined };

/** @throws where a source was changed meanwhile: from then on the sources ran, and were measured. */
export function refuseUnbuilt(): void {
  if (builtMain() === undefined) throw new Error('a source has changed since it was built: measure again');
}

/** A local Slack and vendor, and everybody's office in it. */
export function openPlace(mode: 'socket' | 'http', options: SiteOptions = {}): Promise<Site> {
  return openSite({ expected: /./, ...options, env: { LOG_LEVEL: 'warn', ...modeOf(mode), ...options.env } });
}

function modeOf(mode: 'socket' | 'http'): Environment {
  return mode === 'socket' ? {} : { SLACK_APP_TOKEN: '' };
}

export function launchSide(site: Site, side: Side, env: Environment = {}): BotProcess {
  return site.launch({ ...PLAIN, LOG_LEVEL: 'info', ...env }, { command: [process.execPath, ...PROGRAMS[side]] });
}

export function launchLedger(site: Site, side: Side, ...args: readonly string[]): BotProcess {
  const script = side === 'ours' ? [...commandOf('ledger'), ...args] : [BARE_SQLITE];
  return launch({
    cwd: site.folder,
    env: { ...PLAIN, DATABASE: site.databaseFile },
    command: [process.execPath, ...script],
  });
}

/** @returns milliseconds from its launch until it answers commands. */
export async function msToReady(
  launching: () => BotProcess,
): Promise<{ readonly bot: BotProcess; readonly ms: number }> {
  const before = performance.now();
  const bot = launching();
  await bot.line('ready to serve');
  return { bot, ms: performance.now() - before };
}

/** What the process has taken of the processor so far, in milliseconds; and its memory, in megabytes. */
export function costsOf({ pid }: BotProcess): { readonly cpuMs: number; readonly rssMb: number } {
  const TICK_MS = 10;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  const [, pages = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
  return { cpuMs: (user + system) * TICK_MS, rssMb: (pages * 4_096) / 1e6 };
}
