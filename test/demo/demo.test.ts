import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/demo/start-sandbox.ts';

const DEMO = fileURLToPath(new URL('../../sandbox/demo.ts', import.meta.url));
const TEST_MS = 60_000;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'proxy-desk-demo-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function demo(...args: string[]) {
  const child = spawn(process.execPath, [DEMO, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  ends.push(() => child.kill('SIGKILL'));
  let output = '';
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
      for (const listener of heard) listener();
    });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    exited,
    get output() {
      return output;
    },
    says: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output);
          if (!found) return;
          heard.delete(look);
          resolve(found);
        };
        heard.add(look);
        look();
        void exited.then(() => reject(new Error(`It ended without saying ${pattern}:\n${output}`)));
      }),
  };
}

test('says one address, takes another port when one is taken, and ends whole on SIGTERM', {
  timeout: TEST_MS,
}, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  ends.push(() => other.close());
  const { port } = other.address() as AddressInfo;
  const dataDir = folder();
  const running = demo('--data', dataDir, '--port', String(port));
  const [, url = ''] = await running.says(/Open (\S+)/);
  expect(running.output).toContain(`Port ${port} is taken`);
  expect((await fetch(url)).status).toBe(200);

  const second = demo('--data', dataDir);
  expect(await second.exited).toBe(1);
  expect(second.output).toContain('already runs');

  running.child.kill('SIGTERM');
  expect(await running.exited).toBe(0);
  expect(running.output).toContain('Stopped.');
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(dataDir, 'running.pid'))).toBe(false);
  expect(existsSync(join(dataDir, 'desk.db'))).toBe(true);
});

test('ends when npm is ended, whose shell passes no signal on', { timeout: TEST_MS }, async () => {
  const dataDir = folder();
  const child = spawn('npm', ['run', 'demo', '--', '--data', dataDir, '--port', '0'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => child.kill('SIGKILL'));
  // Kept open by whoever is left: it ends with the last of them.
  const output = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  let said = '';
  while (!said.includes('Open')) said += String((await output.next()).value);
  child.kill('SIGTERM');
  for (let part = await output.next(); !part.done; part = await output.next()) said += String(part.value);
  expect(said).toContain('Stopped.');
  expect(existsSync(join(dataDir, 'running.pid'))).toBe(false);
});

test('what was said and bought is there again in the next run, unless it begins anew', {
  timeout: TEST_MS,
}, async () => {
  const dataDir = folder();
  const first = await startSandbox({ dataDir });
  ends.push(first.close);
  await first.slack.as('U0ADA').command('/proxy', 'balance');
  await first.slack.as('U0ADA').waitFor(/\$1,000\.00/);
  first.vendor.balance = '12.50';
  const order = first.vendor.addOrder();
  await first.close();
  expect(first.bot.running).toBe(false);

  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const second = await startSandbox({ dataDir });
  ends.push(second.close);
  expect(second.slack.as('U0ADA').screen.text()).toContain('$1,000.00');
  expect(second.vendor.balance).toBe('12.50');
  expect(second.vendor.orders.map(({ id }) => id)).toEqual([order.id]);
  expect(second.vendor.addOrder().id).toBe(String(BigInt(order.id) + 1n));
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  await second.close();

  const anew = demo('--data', dataDir, '--fresh', '--port', '0');
  await anew.says(/Open/);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toBe(secrets);
  anew.child.kill('SIGINT');
  expect(await anew.exited).toBe(0);
});

test('a bot that cannot start is told with its own words, and nothing is left running', {
  timeout: TEST_MS,
}, async () => {
  await expect(startSandbox({ dataDir: folder(), policy: 'access: {}' })).rejects.toThrow(
    /ended before it was ready[\s\S]*approvals is missing/,
  );
});

test('a crashed bot is started anew, and answers again', { timeout: TEST_MS }, async () => {
  const sandbox = await startSandbox({ dataDir: folder() });
  ends.push(sandbox.close);
  const before = sandbox.bot;
  await sandbox.restartBot('crash');
  expect(await before.exited).toMatchObject({ signal: 'SIGKILL' });
  const ada = sandbox.slack.as('U0ADA');
  await ada.command('/proxy', 'balance');
  await ada.waitFor(/\$1,000\.00/);
});
