import pg from 'pg';
import { afterAll } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { CREATE_USER, type PostgresServer, startPostgres, USER } from './server.ts';

let server: Promise<PostgresServer> | undefined;
let made = 0;
let template: Promise<string> | undefined;

/** One server for a test file, started when the first test wants it. */
export function theServer(): Promise<PostgresServer> {
  server ??= startPostgres().then(async (started) => {
    await asAdmin(started, [CREATE_USER]);
    return started;
  });
  return server;
}

afterAll(async () => {
  await (await server)?.close();
  server = undefined;
});

/** A database with nothing in it, owned by the bot's user. @returns its address. */
export async function emptyDatabase(template = 'template1'): Promise<string> {
  const postgres = await theServer();
  made += 1;
  const name = `desk_${made}`;
  await asAdmin(postgres, [`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${USER}`]);
  return postgres.url(name);
}

/** A database with a ledger that nobody has used yet. */
export async function freshDatabase(): Promise<string> {
  template ??= makeTemplate();
  return emptyDatabase(await template);
}

/** Made once a file. It must not know where it was made, or each copy would take itself for a restored backup. */
async function makeTemplate(): Promise<string> {
  const url = await emptyDatabase();
  const { close } = await openLedger({ kind: 'postgres', url });
  await close();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(await theServer(), ['DELETE FROM home', 'DELETE FROM commits'], name);
  return name;
}

/** As it is now; nobody may have it open. @returns its address. */
export async function copyOf(url: string): Promise<string> {
  const server = await theServer();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(server, [`CREATE DATABASE ${name}_copy TEMPLATE ${name} OWNER ${USER}`]);
  return server.url(`${name}_copy`);
}

/** As the server's owner, outside of any transaction. */
export async function asAdmin(server: PostgresServer, statements: readonly string[], database?: string): Promise<void> {
  await connected(server.admin(database), async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** What the bot's database holds there; nothing while it cannot be asked. */
export function rowsAt(server: PostgresServer, statement: string): Promise<readonly unknown[]> {
  return connected(server.admin('desk'), async (client) => (await client.query<object>(statement)).rows).catch(
    () => [],
  );
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
