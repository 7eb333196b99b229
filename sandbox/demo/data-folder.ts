import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Everything that is kept between two runs, each in a file of its own. */
export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly policyFile: string;
  readonly secrets: Secrets;
  read(name: StoredName): unknown;
  write(name: StoredName, value: unknown): void;
}

export type StoredName = 'slack' | 'vendor' | 'clock';

const secretsSchema = z.object({ bot: z.string(), app: z.string(), signingSecret: z.string(), vendor: z.string() });
export type Secrets = z.infer<typeof secretsSchema>;

/** Opens or makes the folder. The policy in it is written at every start: it is the sandbox's, not the person's. */
export function openDataFolder(path: string, policy: string): DataFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(path, name);
  const store = (name: string, text: string) => {
    // Renamed into place: a run that is killed while it writes leaves the old file.
    writeFileSync(file(`${name}.new`), text, { mode: 0o600 });
    renameSync(file(`${name}.new`), file(name));
  };
  const secrets = readSecrets(file('secrets.json')) ?? newSecrets();
  store('secrets.json', JSON.stringify(secrets, null, 2));
  store('policy.yml', policy);
  return {
    path,
    database: file('desk.db'),
    policyFile: file('policy.yml'),
    secrets,
    read: (name) => readJson(file(`${name}.json`)),
    write: (name, value) => store(`${name}.json`, JSON.stringify(value)),
  };
}

/** The first command of README's "Look into the ledger", for a shell in this project, on the ledger of a data folder. */
export function ledgerCommand({ database }: Pick<DataFolder, 'database'>): string {
  const url = `sqlite:${database}`;
  const word = /^[\w@%+=:,./-]+$/.test(url) ? url : `'${url.replaceAll("'", "'\\''")}'`;
  return `DATABASE_URL=${word} npm run --silent ledger -- list`;
}

/** Only what is ours by name: somebody may have pointed `--data` at a folder with other things in it. */
export function emptyDataFolder(path: string): void {
  const isOurs = (name: string) =>
    name.startsWith('desk.db') ||
    ['secrets.json', 'policy.yml', 'slack.json', 'vendor.json', 'clock.json'].includes(name);
  for (const name of readdirSync(path).filter(isOurs)) rmSync(join(path, name), { force: true });
}

/** Whether no bot has run on it yet. */
export function isEmpty(path: string): boolean {
  return !existsSync(join(path, 'desk.db'));
}

function readSecrets(path: string): Secrets | undefined {
  const parsed = secretsSchema.safeParse(readJson(path));
  return parsed.success ? parsed.data : undefined;
}

function newSecrets(): Secrets {
  const random = () => randomBytes(12).toString('hex');
  return {
    bot: `xoxb-sandbox-${random()}`,
    app: `xapp-1-sandbox-${random()}`,
    signingSecret: random(),
    vendor: `sandbox-${random()}`,
  };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export type Hold = { readonly ok: true; release(): void } | { readonly ok: false; readonly why: string };

/** One run at a time on one folder: two would write over what the other keeps. */
export function holdFolder(path: string): Hold {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = join(path, 'running.pid');
  const other = readPid(file);
  if (other !== undefined && isAlive(other))
    return {
      ok: false,
      why: `A sandbox already runs on ${path} (process ${other}). End it, or choose another folder with --data.`,
    };
  writeFileSync(file, String(process.pid));
  return { ok: true, release: () => rmSync(file, { force: true }) };
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 && pid !== process.pid ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
