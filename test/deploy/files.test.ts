import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeFile, dockerStages, execForm, ROOT, SETTINGS, textOf, unitSettings } from './files.ts';

const { scripts, engines } = JSON.parse(textOf('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

/** What is being sent is waited for: the vendor's whole time-out, by default 30 s, and 15 s. */
const STOPS_WITHIN_S = 45;

describe('the image', () => {
  const [program = [], bot = []] = dockerStages();
  const all = (name: string) => bot.filter((found) => found.name === name).map(({ rest }) => rest);

  it('is built on the Node that the program needs, pinned by its major', () => {
    const major = /\d+/.exec(engines.node)?.[0];
    for (const [from] of [program, bot]) expect(from?.rest).toMatch(new RegExp(`^node:${major}-slim\\b`));
  });

  it('holds the libraries of production alone, and is built', () => {
    const ran = program.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
    expect(ran.slice(0, 2)).toEqual(['npm ci --omit=dev --ignore-scripts', 'npm run build']);
  });

  it('is made of what is there and is let in, and of no secret, policy or ledger', () => {
    const [everything, ...letIn] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).toBe('*');
    const copied = [...program, ...bot]
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(letIn.map((line) => line.replace(/^!/, '')))).toEqual(new Set(copied));
  });

  it('starts the program as npm start does, without a shell or npm that would keep signals from it', () => {
    const [node, ...flags] = execForm(all('ENTRYPOINT')[0] ?? '');
    expect(node).toBe('node');
    expect(scripts['start']).toBe(`node src/node-version.cjs && exec node ${flags.slice(2).join(' ')}`);
    expect(flags.slice(0, 2)).toEqual(['--require', './src/node-version.cjs']);
  });

  it('runs as somebody who may do nothing, and names no database: a ledger in the container would go with it', () => {
    expect(all('USER')).toEqual(['node']);
    expect(all('ENV').join(' ')).not.toMatch(/DATABASE_URL|TOKEN|SECRET/);
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = composeFile();
  const bots = Object.entries(services).filter(([, { build }]) => build !== undefined);

  it('sets only what the program reads', () => {
    const set = bots.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(set.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  it('never starts two ledgers by itself: SQLite and PostgreSQL are profiles, and nothing that buys is without one', () => {
    const kinds = bots.map(([, { profiles, environment }]) => [profiles, environment?.['DATABASE_URL']?.split(':')[0]]);
    expect(kinds).toEqual([
      [['sqlite'], 'sqlite'],
      [['postgres'], 'postgres'],
      [['postgres'], 'postgres'],
    ]);
  });

  it('keeps the ledger outside of the container', () => {
    const { environment, volumes: mounted } = services['bot'] ?? {};
    expect(environment?.['DATABASE_URL']).toBe('sqlite:/var/lib/proxy-desk/desk.db');
    expect(mounted).toContain('ledger:/var/lib/proxy-desk');
    expect(Object.keys(volumes)).toContain('ledger');
  });

  it('gives the bot nothing that it does not need, and time to end', () => {
    for (const [, bot] of bots) {
      expect(bot).toMatchObject({ user: 'node', read_only: true, init: true, cap_drop: ['ALL'] });
      expect(Number.parseInt(bot.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(STOPS_WITHIN_S);
    }
  });

  it('mounts files that are there, or that the quick start makes', () => {
    const made = ['./policy.yml'];
    const mounted = Object.values(services)
      .flatMap((service) => service.volumes ?? [])
      .map((mount) => mount.split(':')[0] ?? '')
      .filter((source) => source.startsWith('.') && !made.includes(source));
    expect(mounted.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  });

  it('has a proxy that knows each replica by name and port, asks whether it is ready, and keeps connections shorter than it', () => {
    const caddy = textOf('deploy/Caddyfile');
    const replicas = bots.filter(([, { profiles }]) => profiles?.includes('postgres'));
    const upstreams = replicas.map(([name, { environment }]) => `${name}:${environment?.['PORT']}`).join(' ');
    expect(caddy.match(/reverse_proxy .*(?= \{)/g)).toEqual(Array(2).fill(`reverse_proxy ${upstreams}`));
    expect(caddy).toContain('handle /slack/events {');
    expect(caddy).toContain('health_uri /readyz');
    const kept = Number(/keepalive (\d+)s/.exec(caddy)?.[1]) * 1_000;
    const [, ours = ''] = /KEPT_ALIVE_MS = ([\d_]+)/.exec(textOf('src/runtime/http.ts')) ?? [];
    expect(kept).toBeLessThan(Number(ours.replaceAll('_', '')));
  });
});

describe('the systemd unit', () => {
  const unit = unitSettings();
  const one = (name: string) => unit.get(name)?.[0];

  it('starts what npm start runs', () => {
    const commands = [one('ExecStartPre'), one('ExecStart')].map((command) => command?.replace('/usr/bin/', ''));
    expect(scripts['start']).toBe(commands.join(' && exec '));
  });

  it('sets only what the program reads, and gives each secret as a credential', () => {
    const set = unit.get('Environment')?.map((pair) => pair.split('=') as [string, string]) ?? [];
    expect(set.map(([name]) => name).filter((name) => !SETTINGS.includes(name))).toEqual([]);
    const named = set.filter(([name]) => name.endsWith('_FILE') && name !== 'POLICY_FILE');
    const credentials = unit.get('LoadCredential')?.map((pair) => `%d/${pair.split(':')[0]}`);
    expect(named.map(([, path]) => path)).toEqual(credentials);
    expect(set.filter(([name]) => /TOKEN$|SECRET$/.test(name))).toEqual([]);
  });

  it('restarts it but where a person has to look, gives it time to end, and starts with the machine', () => {
    expect([one('Restart'), one('RestartPreventExitStatus')]).toEqual(['on-failure', '78']);
    expect(Number(one('TimeoutStopSec'))).toBeGreaterThanOrEqual(STOPS_WITHIN_S);
    expect(one('WantedBy')).toBe('multi-user.target');
    expect(one('User')).not.toBe('root');
  });

  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { cwd: ROOT, encoding: 'utf8' });
  it.skipIf(analyze('--version').status !== 0)('is exposed below 3 of 10, as systemd measures it', () => {
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=29', 'deploy/proxy-desk.service');
    expect({ status, stdout }).toMatchObject({ status: 0 });
  });
});
