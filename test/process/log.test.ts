import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { MAIN } from '../support/bot.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, lineOf, told } from '../support/site-steps.ts';

const COMPLETED = { directs: [/Bought/, /Bought/], cards: [/Bought/] };

describe.concurrent('a log that cannot be written', () => {
  it('(a full disk) keeps nobody from buying, and loses no answer', async ({ open }) => {
    const site = await open();
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    site.slack.on(({ type }) => type === 'socket_opened' && resolve());
    const node = [process.execPath, MAIN] as const;
    const bot = site.launch({ LOG_LEVEL: 'debug' }, { command: ['sh', '-c', 'exec "$0" "$@" > /dev/full', ...node] });
    await Promise.race([connected, bot.exited.then(({ code }) => expect.fail(`it ended with ${code}`))]);
    const id = await file(site, 'US 41');
    await approve(site, id);
    await told(site, id, COMPLETED);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('(nobody reads it any more) loses no answer of the vendor, nor does the end', async ({ open }) => {
    const site = await open();
    const bot = await site.start({ LOG_LEVEL: 'debug' });
    const id = await file(site, 'US 42');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.held === 1);
    bot.stopReading();
    site.vendor.release();
    await told(site, id, COMPLETED);
    expect((await lineOf(site, id)).state).toBe('completed');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('(its reader has stopped) holds up nothing, not even the end', async () => {
    const talker = fileURLToPath(new URL('./talker.ts', import.meta.url));
    const child = spawn(process.execPath, [talker], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pause();
    const said = once(child.stderr.setEncoding('utf8'), 'data');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await said).toEqual(['done']);
    child.stdout.destroy();
  });
});
