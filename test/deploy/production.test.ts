import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { run } from '../support/bot.ts';
import { makeScratch } from '../support/scratch-root.ts';
import { BUYER, CHANNEL, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, lineOf } from '../support/site-steps.ts';
import { dockerStages, execForm, ROOT } from './files.ts';

/** What the image holds, without a container around it: its copies and its libraries. */
let image: { readonly path: string; remove(): void };

const STAGES = dockerStages();
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
const CLEAN = { code: 0, signal: null };

beforeAll(async () => {
  image = makeScratch();
  const [program = [], bot = []] = STAGES;
  for (const { name, rest } of [...program, ...bot.filter(({ name }) => name === 'COPY')])
    if (name === 'COPY' && !rest.startsWith('--')) copy(rest.split(/\s+/));
    else if (name === 'RUN')
      expect(await inImage(rest.replace(/^npm ci/, '$& --prefer-offline --no-audit'))).toMatchObject(CLEAN);
});

function copy(paths: readonly string[]): void {
  const target = paths.at(-1) ?? '';
  for (const source of paths.slice(0, -1))
    cpSync(join(ROOT, source), join(image.path, target.endsWith('/') ? `${target}${source}` : target), {
      recursive: true,
    });
}

function inImage(command: string) {
  return run({ env: { PATH }, cwd: image.path, command: ['sh', '-c', command] });
}

afterAll(() => image.remove());

function settings(site: Site) {
  return { DATABASE_URL: `sqlite:${site.databaseFile}`, POLICY_FILE: join(site.folder, 'policy.yml') };
}

async function answers(site: Site): Promise<void> {
  const buyer = site.slack.as(BUYER);
  await buyer.command('/proxy', 'balance');
  await buyer.waitFor('$1,000.00');
}

describe('what the image holds', () => {
  const [, bot = []] = STAGES;
  const rest = (name: string) => bot.find((found) => found.name === name)?.rest ?? '';
  const command = (text: string): [string, ...string[]] => [process.execPath, ...execForm(text).slice(1)];

  it('answers people, is found healthy by its own check, and stops when it is asked to', async ({ open }) => {
    const site = await open();
    const running = site.launch(settings(site), { command: command(rest('ENTRYPOINT')), cwd: image.path });
    await running.ready();
    expect(await running.line('starting')).toMatchObject({ built: true });
    await answers(site);
    const { port } = await running.line('listening');
    const healthy = (env: Record<string, string>) =>
      run({ env, cwd: image.path, command: command(rest('HEALTHCHECK')) }).then(({ code }) => code);
    expect(await healthy({ PORT: String(port) })).toBe(0);
    expect(await running.end('SIGTERM')).toEqual(CLEAN);
    expect(await healthy({ PORT: String(port) })).toBe(1);
  });

  it('buys, and draws a chart of what was spent', async ({ open }) => {
    const site = await open();
    site.slack.settings.takesCharts = false;
    const env = { ...settings(site), NODE_OPTIONS: '' };
    const running = site.launch(env, { command: command(rest('ENTRYPOINT')), cwd: image.path });
    await running.ready();
    const id = await file(site, 'US 10');
    await approve(site, id);
    await expect.poll(async () => (await lineOf(site, id)).state).toBe('completed');
    await expect.poll(() => site.ledgerCommand('movements', '--json')).toContain(id);
    await site.slack.as(BUYER).command('/proxy', 'spend');
    await expect
      .poll(() => [...site.slack.files.values()].map(({ name }) => name))
      .toEqual([expect.stringMatching(/\.png$/)]);
    expect(await running.end('SIGTERM')).toEqual(CLEAN);
  });

  it('was made of all that it runs, under the rules that the sources run under', () => {
    const dist = join(image.path, 'dist');
    const made = JSON.parse(readFileSync(join(dist, 'made-of.json'), 'utf8')) as [string, number][];
    expect(made.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'src/main.ts',
        'commands/index.ts',
        'views/home.ts',
        'node_modules/.package-lock.json',
        'deploy/build.ts',
      ]),
    );
    const files = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
    const lax = files.filter((name) => !readFileSync(join(dist, name), 'utf8').startsWith('"use strict";'));
    expect([files.length > 1, lax]).toEqual([true, []]);
  });

  it('runs its sources at once where one of them has changed', async ({ open }) => {
    const site = await open();
    appendFileSync(join(image.path, 'views/home.ts'), '\n');
    const running = site.launch(settings(site), { command: command(rest('ENTRYPOINT')), cwd: image.path });
    expect(await running.line('starting')).toMatchObject({ built: false });
    await running.ready();
    expect(await running.end('SIGTERM')).toEqual(CLEAN);
  });

  it('has the ledger command', async () => {
    const { code, stdout } = await run({
      env: {},
      cwd: image.path,
      command: [...command(rest('ENTRYPOINT')), 'ledger', 'help'],
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Usage') });
  });
});

describe('the quick start', () => {
  it('leads from the two examples, filled in, to a bot that answers', async ({ open }) => {
    const site = await open();
    const folder = join(site.folder, 'quick');
    mkdirSync(folder);
    for (const part of ['src', 'views', 'commands', 'package.json', 'node_modules'])
      cpSync(join(image.path, part), join(folder, part), { recursive: true });
    const filled = (file: string, values: Readonly<Record<string, string>>) =>
      Object.entries(values).reduce(
        (text, [from, to]) => {
          expect(text).toContain(from);
          return text.replaceAll(from, to);
        },
        readFileSync(join(ROOT, file), 'utf8'),
      );
    const values = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PROXY_API_BASE_URL', 'PROXY_API_TOKEN'];
    const env = filled(
      '.env.example',
      Object.fromEntries(values.map((name) => [`\n${name}=\n`, `\n${name}=${site.env[name]}\n`])),
    );
    writeFileSync(join(folder, '.env'), env);
    chmodSync(join(folder, '.env'), 0o600);
    writeFileSync(join(folder, 'policy.yml'), filled('policy.example.yml', { C0APPROVALS: CHANNEL }));
    const none = Object.fromEntries(values.map((name) => [name, undefined])) as unknown as Record<string, string>;
    const bot = site.launch({ ...none, PATH }, { command: ['npm', '--silent', 'start'], cwd: folder });
    await bot.ready();
    await answers(site);
    const warnings = bot.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
    expect(warnings).toEqual([expect.stringContaining('a new, empty ledger was begun')]);
    expect(await bot.end('SIGTERM')).toEqual(CLEAN);
  });
});
