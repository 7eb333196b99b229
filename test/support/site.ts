import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../sandbox/demo/data-folder.ts';
import { type LocalSlack, PATIENCE_MS, type SlackOptions, startSlack } from '../../sandbox/slack/index.ts';
import { type LocalVendor, type LocalVendorOptions, startLocalVendor } from '../../sandbox/vendor-api/index.ts';
import { EVERYTHING } from '../../src/ledger/cli/filter.ts';
import { purchaseFields } from '../../src/ledger/cli/output.ts';
import { selectPurchases } from '../../src/ledger/cli/select.ts';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import type { DatabaseConfig } from '../../src/ledger/place.ts';
import type { Row, Sql } from '../../src/ledger/sql.ts';
import { viewLedger } from '../../src/ledger/view.ts';
import { disagreements, type LedgerLine } from './books.ts';
import { type BotProcess, type Environment, fillCompileCache, type LaunchOptions, launch, run } from './bot.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, LEAD3 } from './people.ts';
import { policyYaml } from './policy.ts';
import { makeScratch } from './scratch-root.ts';
import { unhurriedSlack } from './unhurried.ts';

export * from './people.ts';

const LOOK_AGAIN_AFTER_MS = 25;

const LEADS = [LEAD, LEAD2, LEAD3];
const BUYERS = [BUYER, BUYER2];

export interface SiteOptions {
  /** Below `approvals:`, beside the channel. */
  readonly approvals?: string;
  /** The whole file, instead. */
  readonly policy?: string;
  readonly vendor?: LocalVendorOptions;
  readonly slack?: Pick<SlackOptions, 'tokens' | 'settings' | 'port' | 'now'>;
  readonly env?: Environment;
  /** An address of PostgreSQL, instead of a file. */
  readonly postgres?: string;
  /** What a test provokes on purpose: lines of the log that are otherwise a failure. */
  readonly expected?: RegExp;
}

/** A folder, a Slack and a vendor of their own, and processes of the bot on them. */
export interface Site {
  readonly folder: string;
  readonly databaseFile: string;
  readonly slack: LocalSlack;
  readonly vendor: LocalVendor;
  readonly env: Environment;
  /** Launches the program; it may not be ready, or never become so. */
  launch(env?: Environment, options?: Partial<LaunchOptions>): BotProcess;
  /** Launches the program and waits until it is ready. */
  start(env?: Environment): Promise<BotProcess>;
  /** Through the command that operators have: `ledger list --json`. */
  ledgerCommand(...args: readonly string[]): Promise<string>;
  /** The same lines, read beside the bot without a process of its own. */
  ledger(): Promise<readonly LedgerLine[]>;
  /** What the ledger's tables hold, read likewise: for what no command shows. */
  rows(query: string): Promise<readonly Row[]>;
  /** Waits until the ledger holds what is looked for. */
  untilLedger(fits: (lines: readonly LedgerLine[]) => boolean): Promise<readonly LedgerLine[]>;
  /**
   * Another connection changes the file, as time would have: every deadline and lease has just passed. The bot must be down; a
   * test that uses it does not wait the 15 s and 30 s that it would otherwise (one test does, to show that they are real).
   */
  letTimePass(): void;
  /** Holds the write lock of the ledger, as a backup tool might, until the returned function is called. */
  lockLedger(): () => void;
  close(): Promise<void>;
}

export async function openSite(options: SiteOptions = {}): Promise<Site> {
  await fillCompileCache();
  const scratch = makeScratch();
  const folder = scratch.path;
  const slack = await startSlack({ ...office(), ...unhurriedSlack(options.slack) });
  const vendor = await startLocalVendor(options.vendor);
  const databaseFile = join(folder, 'data', 'desk.db');
  const { postgres } = options;
  const database: DatabaseConfig = postgres
    ? { kind: 'postgres', url: postgres }
    : { kind: 'sqlite', path: databaseFile };
  const databaseEnv: Environment = postgres ? { DATABASE_URL: postgres } : {};
  writeFileSync(join(folder, 'policy.yml'), options.policy ?? policyText(options.approvals));
  const env: Environment = {
    SLACK_BOT_TOKEN: slack.tokens.bot,
    SLACK_APP_TOKEN: slack.tokens.app,
    SLACK_API_URL: slack.apiUrl,
    PROXY_API_BASE_URL: vendor.baseUrl,
    PROXY_API_TOKEN: vendor.token,
    PROXY_API_TIMEOUT_MS: '5000',
    PORT: '0',
    LOG_LEVEL: 'info',
    ...databaseEnv,
    ...options.env,
  };
  const bots: BotProcess[] = [];

  const site: Site = {
    folder,
    databaseFile,
    slack,
    vendor,
    env,
    launch(more = {}, other = {}) {
      const bot = launch({ cwd: folder, ...other, env: { ...env, ...more } });
      bots.push(bot);
      return bot;
    },
    async start(more = {}) {
      const bot = site.launch(more);
      await bot.ready();
      return bot;
    },
    async ledgerCommand(...args) {
      const { code, stdout, stderr } = await run({ env: databaseEnv, cwd: folder, args: ['ledger', ...args] });
      if (code !== 0) throw new Error(`ledger ${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    ledger: () =>
      look(database, async (sql) =>
        (await Array.fromAsync(selectPurchases(sql, EVERYTHING))).flat().map(purchaseFields),
      ),
    rows: (query) => look(database, (sql) => sql.all(query)),
    async untilLedger(fits) {
      const giveUpAt = performance.now() + PATIENCE_MS;
      for (;;) {
        const lines = await site.ledger();
        if (fits(lines)) return lines;
        if (performance.now() > giveUpAt) throw new Error(`the ledger never held it: ${JSON.stringify(lines)}`);
        // Another process writes it, and tells nobody.
        await sleep(LOOK_AGAIN_AFTER_MS);
      }
    },
    letTimePass() {
      withDatabase(databaseFile, (database) => {
        database.exec(`UPDATE notices SET claimed_until = 0, due_at = 0 WHERE pending = 1;
          UPDATE readings SET due_at = 0, claimed_until = 0;
          UPDATE desk SET head_until = 0;
          UPDATE purchases SET attempt_deadline = attempt_deadline - 600000,
            attempt = json_set(attempt, '$.deadline', json_extract(attempt, '$.deadline') - 600000) WHERE state = 'sending'`);
      });
    },
    lockLedger() {
      const database = new DatabaseSync(databaseFile, { timeout: 2_000 });
      database.exec('BEGIN IMMEDIATE');
      return () => {
        database.exec('ROLLBACK');
        database.close();
      };
    },
    async close() {
      // Goes also where something cannot be closed.
      using _ = scratch;
      const left = bots.filter(({ running }) => running);
      await Promise.all(left.map((bot) => bot.end('SIGKILL')));
      const lines = await site.ledger().catch(() => []);
      await slack.close();
      await vendor.close();
      const alive = bots.filter(({ pid }) => isAlive(pid)).map(({ pid }) => `process ${pid} is still there`);
      const wrong = [
        ...alive,
        ...slack.violations.map(({ what, where, excerpt }) => `Slack: ${what} (${where}) ${excerpt}`),
        ...disagreements(lines, vendor),
        ...bots.flatMap((bot) => complaints(bot, options.expected)),
      ];
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    },
  };
  return site;
}

/** Nothing is free, and nobody meets the limit of a day. */
export function policyText(approvals = 'expire_after: 24h'): string {
  return policyYaml({
    approvals: `approvals: { channel: ${CHANNEL}, ${approvals} }`,
    limits: 'limits: { ips_per_order: 500, ips_per_person_per_day: 100000 }',
  });
}

function office(): SlackOptions {
  const everybody = [...BUYERS, ...LEADS];
  return {
    people: everybody.map((id) => ({ id, name: id.toLowerCase().slice(2) })),
    groups: [
      { id: 'S0TEAM', handle: 'team', members: everybody },
      { id: 'S0BUYERS', handle: 'buyers', members: BUYERS },
      { id: 'S0LEADS', handle: 'leads', members: LEADS },
    ],
    channels: [{ id: CHANNEL, name: 'approvals', members: everybody }],
  };
}

/** A broken promise of any kind that the program itself has noticed; also what is no line of the log at all. */
function complaints(bot: BotProcess, expected = /(?!)/): readonly string[] {
  const bad = bot.lines
    .filter(({ level, msg }) => level === 'none' || level === 'error' || /nobody handled/.test(msg))
    .map((line) => JSON.stringify(line));
  const errors = bot.stderr.split('\n').filter((line) => line !== '');
  return [...bad, ...errors].filter((line) => !expected.test(line)).map((line) => `the bot said: ${line}`);
}

async function look<T>(database: DatabaseConfig, read: (sql: Sql) => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; )
    try {
      const view = await viewLedger(database);
      try {
        return await read(view.sql);
      } finally {
        await view.close();
      }
    } catch (error) {
      if (!(error instanceof LedgerUnusable && error.passing) || performance.now() > giveUpAt) throw error;
      await sleep(LOOK_AGAIN_AFTER_MS);
    }
}

function withDatabase(file: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file, { timeout: 2_000 });
  try {
    work(database);
  } finally {
    database.close();
  }
}
