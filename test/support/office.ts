import { expect } from 'vitest';
import { installedAs } from '../../sandbox/demo/app-listing.ts';
import { type LocalSlack, startSlack } from '../../sandbox/slack/index.ts';
import { type LocalVendor, type LocalVendorOptions, startLocalVendor } from '../../sandbox/vendor-api/index.ts';
import type { Config } from '../../src/config/environment.ts';
import { readPolicy } from '../../src/config/policy.ts';
import { type OpenLedger, openLedger } from '../../src/ledger/open.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import { scopeFields } from '../../src/runtime/log.ts';
import { type Running, start } from '../../src/runtime/start.ts';
import { freshDatabase } from '../postgres/databases.ts';
import { afterwards, closeAfterwards } from './afterwards.ts';
import { livedTime, type MovableClock, movableClock } from './clock.ts';
import { BUYER, BUYER2, CHANNEL, GUEST, LEAD, LEAD2, STRANGER, VIEWER } from './people.ts';
import { type PolicyLines, policyYaml } from './policy.ts';
import { scratchFile } from './scratch.ts';
import { unhurriedTime } from './unhurried.ts';

export * from './people.ts';

type DatabaseKind = Config['database']['kind'];
let usualDatabase: DatabaseKind = 'sqlite';

/** For running the same tests on another database. */
export function everyOfficeOn(kind: DatabaseKind): void {
  usualDatabase = kind;
}

export interface OfficeOptions extends PolicyLines {
  /** Slack does not tell the members of all groups at once. */
  readonly groupsOneByOne?: boolean;
  readonly transport?: 'socket' | 'http';
  readonly database?: DatabaseKind;
  readonly vendor?: LocalVendorOptions;
  readonly timeoutMs?: number;
  readonly metricsPort?: number;
  /** How Slack's state reports presets that came by an update; see the local Slack's settings. */
  readonly presets?: 'reported' | 'missing' | 'null';
  /** Triggers run out after 3 s, and the bot's acks come in time: only where a test is about that. */
  readonly hurried?: boolean;
  /** Where the bot looks for the vendor, given where the vendor is. */
  readonly vendorAt?: (baseUrl: string) => string;
}

/** A whole office: Slack, vendor and ledger are real servers and a real file on this machine, the bot is the product itself. */
export interface Office {
  readonly slack: LocalSlack;
  readonly vendor: LocalVendor;
  readonly clock: MovableClock;
  readonly bot: Running;
  /** A look at the ledger from beside the bot. */
  readonly books: OpenLedger;
  readonly config: Config;
  readonly policy: Policy;
  readonly lines: readonly LogLine[];
  /** Hears every line of the bot's log as it is written: the one way to act in the middle of a step. */
  hear(hearer: Hearer): void;
  /** Another process's worth of bot on the same ledger and the same Slack. */
  another(policy?: Policy): Promise<Running>;
  /** The bot stops and starts again. */
  restart(policy?: Policy): Promise<void>;
  records(): Promise<readonly PurchaseRecord[]>;
}

type Hearer = (line: LogLine) => void;

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

export function policyOf(lines: PolicyLines = {}): Policy {
  const reading = readPolicy(policyYaml(lines));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.policy;
}

/** In a test that is about something else nobody is late with an ack. */
const UNHURRIED_ACK_MS = 10_000;

export async function openOffice(options: OfficeOptions = {}): Promise<Office> {
  const {
    transport = 'socket',
    groupsOneByOne = false,
    timeoutMs = 30_000,
    vendor: vendorOptions = {},
    vendorAt,
    hurried = false,
    presets = 'missing',
    metricsPort = null,
    ...rest
  } = options;
  const { database = usualDatabase, ...lines } = rest;
  const lived = livedTime();
  const clock = movableClock(lived);
  const slacks = movableClock(lived);
  const slack = await startSlack({
    now: hurried ? () => slacks.now() : unhurriedTime(),
    // A person waits as long as the process lives, wherever the bot's clock is moved to.
    clock: slacks,
    paceNow: () => clock.now(),
    settings: {
      ...installedAs(),
      ackLimitMs: UNHURRIED_ACK_MS,
      omitGroupUsers: groupsOneByOne,
      presetsByUpdate: presets,
    },
    people: [
      { id: BUYER, name: 'bea' },
      { id: BUYER2, name: 'bob' },
      { id: LEAD, name: 'lea' },
      { id: LEAD2, name: 'lou' },
      { id: VIEWER, name: 'vic' },
      { id: STRANGER, name: 'sue' },
      { id: GUEST, name: 'gus', isRestricted: true },
    ],
    groups: [
      { id: 'S0TEAM', handle: 'team', members: [BUYER, BUYER2, LEAD, LEAD2, VIEWER] },
      { id: 'S0BUYERS', handle: 'buyers', members: [BUYER, BUYER2, LEAD2, GUEST] },
      { id: 'S0LEADS', handle: 'leads', members: [LEAD, LEAD2] },
    ],
    channels: [
      { id: CHANNEL, name: 'approvals', members: [LEAD, LEAD2, BUYER, BUYER2] },
      { id: 'C0GENERAL', name: 'general', members: [BUYER, BUYER2, LEAD, LEAD2, VIEWER, STRANGER, GUEST] },
    ],
  });
  // Whatever a test is about: nothing that the product sends, to its last moment, may break a limit of Slack's.
  afterwards(() => expect(slack.violations).toEqual([]));
  closeAfterwards(slack);
  const vendor = closeAfterwards(await startLocalVendor(vendorOptions));

  const config: Config = {
    slack:
      transport === 'socket'
        ? { mode: 'socket', botToken: slack.tokens.bot, appToken: slack.tokens.app }
        : { mode: 'http', botToken: slack.tokens.bot, signingSecret: slack.tokens.signingSecret },
    slackApiUrl: slack.apiUrl,
    vendor: { baseUrl: vendorAt?.(vendor.baseUrl) ?? vendor.baseUrl, token: vendor.token, timeoutMs },
    database:
      database === 'sqlite'
        ? { kind: 'sqlite', path: scratchFile() }
        : { kind: 'postgres', url: await freshDatabase() },
    host: null,
    port: 0,
    metricsPort,
    logLevel: 'debug',
    traces: null,
    secrets: [],
  };
  const policy = policyOf(lines);
  const written: LogLine[] = [];
  const hearers = new Set<Hearer>();
  const launch = async (with_: Policy) => {
    const bot = await start(config, with_, logInto(written, hearers), {
      clock,
      ledgerNow: () => clock.now(),
      ...(!hurried && { ackWithinMs: UNHURRIED_ACK_MS }),
    });
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= bot.stop();
      return stopping;
    };
    const once = { ...bot, stop };
    afterwards(once.stop);
    await bot.ready;
    if (transport === 'http') slack.deliverTo(`http://127.0.0.1:${bot.port}/slack/events`);
    return once;
  };
  let bot = await launch(policy);
  const books = closeAfterwards(await openLedger(config.database, () => clock.now()));

  return {
    slack,
    vendor,
    clock,
    books,
    config,
    policy,
    lines: written,
    hear: (hearer) => void hearers.add(hearer),
    get bot() {
      return bot;
    },
    another: (other = policy) => launch(other),
    async restart(other = policy) {
      await bot.stop();
      bot = await launch(other);
    },
    async records() {
      const rows = await books.database.read((sql) => sql.all('SELECT id FROM purchases ORDER BY seq'));
      const found = await Promise.all(rows.map(({ id }) => books.ledger.record(String(id))));
      return found.flatMap((record) => record ?? []);
    },
  };
}

function logInto(lines: LogLine[], hearers: ReadonlySet<Hearer>): Log {
  const write = (level: string) => (fields: object, message: string) => {
    const line = { level, fields: { ...scopeFields(), ...fields }, message };
    lines.push(line);
    for (const hear of hearers) hear(line);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
