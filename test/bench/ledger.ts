import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createLedger } from '../../src/ledger/ledger.ts';
import { type OpenLedger, openLedger } from '../../src/ledger/open.ts';
import type { Database } from '../../src/ledger/sql.ts';
import { filed, WAY_TO, walked } from '../ledger/purchases.ts';
import { CREATE_USER, type PostgresServer, startPostgres, USER } from '../postgres/server.ts';
import { makeScratch } from '../support/scratch-root.ts';
import { askFor } from '../support/site-steps.ts';
import { inParallel } from './acks.ts';
import { invite, quiet } from './clicks.ts';
import { alternate, type Figure, tableOf } from './figures.ts';
import { launchSide, openPlace } from './sides.ts';

const ROUNDS = 7;
const PURCHASES = 300;
const COMMITS = 1_200;
/** So many are asked for and decided at once; they are sent one after the other. */
const AT_ONCE = 50;
/** Who buy, none of whom has bought much of late. */
const BUYERS = 1_000;

/** Of a database, bare: commits of one row, and of as many pages as a commit of the product's writes. */
interface Bare {
  readonly one: () => unknown;
  readonly several?: () => unknown;
}

/** So many tables, a page each, are written by a commit of the ledger in SQLite: the purchase, its entry, and their indexes. */
const PAGES = 10;

/** @returns tables in Markdown */
export async function ledgerTable(): Promise<string> {
  const sqlite = await onSqlite();
  const { figures, costs } = await onPostgres();
  return [tableOf([...sqlite, ...figures]), '', costs].join('\n');
}

async function onSqlite(): Promise<readonly Figure[]> {
  using folder = makeScratch();
  const opened = await openLedger({ kind: 'sqlite', path: join(folder.path, 'desk.db') });
  const bare = new DatabaseSync(join(folder.path, 'bare.db'));
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const tables = Array.from({ length: PAGES }, (_, n) => `t${n}`);
  bare.exec(tables.map((table) => `CREATE TABLE ${table} (at INTEGER) STRICT`).join(';'));
  const inserts = tables.map((table) => bare.prepare(`INSERT INTO ${table} VALUES (?)`));
  const several = () => {
    bare.exec('BEGIN IMMEDIATE');
    for (const insert of inserts) insert.run(1);
    bare.exec('COMMIT');
  };
  try {
    return await figuresOf('SQLite', opened, { one: () => inserts[0]?.run(1), several });
  } finally {
    bare.close();
    await opened.close();
  }
}

async function onPostgres(): Promise<{ readonly figures: readonly Figure[]; readonly costs: string }> {
  const server = await startPostgres({ onDisk: true });
  try {
    const url = await databaseOn(server, 'desk');
    const client = new pg.Client({ connectionString: await databaseOn(server, 'bare') });
    await client.connect();
    await client.query('CREATE TABLE commits (at BIGINT)');
    const opened = await openLedger({ kind: 'postgres', url });
    try {
      const one = () => client.query({ name: 'one', text: 'INSERT INTO commits VALUES ($1)', values: [1] });
      const figures = await figuresOf('PostgreSQL', opened, { one });
      return { figures, costs: await lifeCosts(await databaseOn(server, 'life')) };
    } finally {
      await opened.close();
      await client.end();
    }
  } finally {
    await server.close();
  }
}

async function databaseOn(server: PostgresServer, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server.admin() });
  await admin.connect();
  await admin.query(CREATE_USER).catch(() => undefined);
  await admin.query(`CREATE DATABASE ${name} OWNER ${USER}`);
  await admin.end();
  return server.url(name);
}

/** A purchase through its states, each of which is one durable commit, beside commits that do nothing else. */
async function figuresOf(kind: string, opened: OpenLedger, bare: Bare): Promise<readonly Figure[]> {
  let commits = 0;
  const counting: Database = {
    ...opened.database,
    write(work) {
      commits += 1;
      return opened.database.write(work);
    },
  };
  const ledger = createLedger(counting);
  let made = 0;
  let lane: Promise<unknown> = Promise.resolve();
  const live = async () => {
    made += 1;
    const requester = `U0P${made % BUYERS}`;
    const id = await filed(ledger, { requester, requesterPerson: requester });
    const [decided = 'approved', ...sent] = WAY_TO.completed;
    await walked(ledger, id, decided);
    lane = lane.then(() => walked(ledger, id, ...sent));
    await lane;
  };
  const ours = async () => {
    commits = 0;
    const before = performance.now();
    await inParallel(PURCHASES, AT_ONCE, live);
    return (commits / (performance.now() - before)) * 1_000;
  };
  const side = (commit: () => unknown) => async () => {
    const before = performance.now();
    for (let n = 0; n < COMMITS; n += 1) await commit();
    return (COMMITS / (performance.now() - before)) * 1_000;
  };
  const figures: Figure[] = [];
  const against = async (what: string, commit: () => unknown, target?: number) => {
    const found = await alternate(ROUNDS, (which) => (which === 'ours' ? ours() : side(commit)()));
    figures.push({ what, unit: '/s', ...found, moreIsBetter: true, ...(target !== undefined && { target }) });
  };
  const life = `${kind}: durable commits a second, of which a purchase takes 4 (filed, approved, sending, completed)`;
  await against(life, bare.one, 0.7);
  if (bare.several) await against(`– beside commits of ${PAGES} pages, as the product’s are`, bare.several, 0.7);
  return figures;
}

const LIVES = 10;
/** The last reading of the balance is a minute after an answer. */
const SETTLED_MS = 75_000;
const IDLE_MS = 20_000;

/** What purchases of the real bot cost, with all that goes with them. */
async function lifeCosts(url: string): Promise<string> {
  const site = await openPlace('socket', { postgres: url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await invite(site);
    const bot = launchSide(site, 'ours');
    await bot.line('ready to serve');
    // Each writing transaction of a process has the next number.
    const commits = async () => Number((await client.query('SELECT SUM(nth) AS nth FROM commits')).rows[0]?.nth ?? 0);
    await sleep(1_000);
    const atRest = await commits();
    await sleep(IDLE_MS);
    const idle = ((await commits()) - atRest) / IDLE_MS;
    const [before, began] = [await commits(), performance.now()];
    site.slack.calls.length = 0;
    await inParallel(LIVES, 1, (nth) => live(site, nth));
    await sleep(SETTLED_MS);
    await quiet(site);
    const made = (await commits()) - before - idle * (performance.now() - began);
    const methods = Map.groupBy(site.slack.calls, ({ method }) => method);
    const slack = Array.from(methods, ([method, calls]) => `\`${method}\` ${(calls.length / LIVES).toFixed(1)}`);
    await bot.end('SIGTERM');
    return [
      `A purchase that is asked for, approved and completed costs ${(made / LIVES).toFixed(1)} durable commits and`,
      `${(site.slack.calls.length / LIVES).toFixed(1)} calls to Slack (${slack.join(', ')}); at rest a process commits ${(idle * 60_000).toFixed(0)} times a minute.`,
    ].join(' ');
  } finally {
    await client.end();
    site.slack.takeViolations();
    await site.close();
  }
}

async function live(site: Awaited<ReturnType<typeof openPlace>>, nth: number): Promise<void> {
  const lead = site.slack.as(`U0L${nth}`);
  const person = await askFor(site, `US ${nth + 1}`, `U0P${nth}`);
  await person.submit('Ask for approval');
  const card = await lead.waitFor((screen) =>
    screen.channels['approvals']?.find((message) => JSON.stringify(message.blocks).includes(person.user)),
  );
  await lead.pressOn(card, 'Approve');
  await lead.waitFor((screen) => screen.modal?.submit);
  await lead.submit('Approve');
  await person.waitFor(/Bought: /);
}
