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

/** As the server's owner, outside of any transaction. */
export async function asAdmin(postgres: PostgresServer, statements: readonly string[], database?: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.admin(database) });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
