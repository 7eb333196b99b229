import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/demo/start-sandbox.ts';
import { temporaryFolder } from '../../sandbox/demo/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEMO = join(ROOT, 'sandbox/demo.ts');
/** Only how soon a test gives up: a loaded machine can stand still for seconds. */
const TEST_MS = 180_000;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

function folder(): string {
  const { path, [Symbol.dispose]: remove } = temporaryFolder('demo');
  ends.push(remove);
  return path;
}

function demo(...args: string[]) {
  return start({ TMPDIR: folder() }, ...args);
}

function start(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [DEMO, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
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

/** Rejects unless it ends with code 0. */
async function inShell(command: string): Promise<string> {
  const { stdout } = await promisify(exec)(command, { cwd: ROOT });
  return stdout;
}

/** Without approval, as the policy lets small ones pass. */
async function buy({ slack, vendor }: Sandbox, rows: string): Promise<void> {
  const ada = slack.as('U0ADA');
  await ada.command('/proxy', `buy ${rows}`);
  await ada.waitFor(({ modal }) => modal);
  await ada.pick('Plan', 'Static residential, monthly');
  await ada.type('Reason', 'A test');
  await ada.submit('Review');
  await ada.submit('Buy now');
  await ada.waitFor(({ dm }) => vendor.posts === 1 && dm.some((message) => ada.read(message).includes('Order 9')));
}

test('says one address, takes another port when one is taken, and ends whole on SIGTERM', {
  timeout: TEST_MS,
}, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  ends.push(() => other.close());
  const { port } = other.address() as AddressInfo;
  const dataDir = folder();
  const running = demo('--data', dataDir, '--port', String(port), '--empty');
  const [, url = ''] = await running.says(/Open (\S+)/);
  expect(running.output).toContain(`Port ${port} is taken`);
  expect((await fetch(url)).status).toBe(200);
  const [ledger = ''] = await running.says(/DATABASE_URL=.*/);
  expect(await inShell(ledger)).not.toMatch(/completed/);

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

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a walk that is ended by %s leaves nothing behind',
  {
    timeout: TEST_MS,
  },
  async (signal) => {
    const temporary = folder();
    const walk = start({ TMPDIR: temporary }, '--walk');
    await walk.says(/The balance/);
    expect(readdirSync(temporary)).toHaveLength(1);
    walk.child.kill(signal);
    await walk.exited;
    expect(walk.child.signalCode).toBe(signal);
    expect(readdirSync(temporary)).toEqual([]);
  },
);

test('ends when npm is ended, whose shell passes no signal on', { timeout: TEST_MS }, async () => {
  const dataDir = folder();
  const child = spawn('npm', ['run', 'demo', '--', '--data', dataDir, '--port', '0', '--empty'], {
    cwd: ROOT,
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
  const ada = first.slack.as('U0ADA');
  await ada.command('/proxy', 'balance');
  await ada.waitFor(/\$1,000\.00/);
  await buy(first, 'US 3');
  first.vendor.balance = '12.50';
  first.slack.settings.homeTabEnabled = true;
  const published = await fetch(`${first.slack.apiUrl}views.publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.slack.tokens.bot}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'U0ADA', view: { type: 'home', private_metadata: 'kept', blocks: [] } }),
  });
  expect(await published.json()).toMatchObject({ ok: true });
  const { home } = ada.screen;
  const order = first.vendor.addOrder();
  await first.close();
  expect(first.bot.running).toBe(false);
  expect(await inShell(first.ledgerCommand)).toMatch(/completed .* U0ADA/);

  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const second = await startSandbox({ dataDir });
  ends.push(second.close);
  // Their ids alone: the second bot may already have edited one, or added another.
  const directs = ({ slack }: Sandbox) => slack.as('U0ADA').screen.dm.map(({ ts }) => ts);
  expect(directs(second)).toEqual(expect.arrayContaining(directs(first)));
  expect(second.slack.as('U0ADA').screen.ephemerals).toEqual([]);
  expect(second.slack.as('U0ADA').screen.home).toEqual(home);
  expect(second.vendor.balance).toBe('12.50');
  expect(second.vendor.orders.map(({ id }) => id)).toContain(order.id);
  expect(second.vendor.addOrder().id).toBe(String(BigInt(order.id) + 1n));
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  await second.close();

  // As the first run of all, it begins with a past.
  const anew = demo('--data', dataDir, '--fresh', '--port', '0');
  await anew.says(/Open/);
  const [ledger = ''] = await anew.says(/DATABASE_URL=.*/);
  const listed = await inShell(ledger);
  expect(listed.match(/completed/g)).toHaveLength(3);
  expect(listed.match(/unknown/g)).toHaveLength(1);
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
