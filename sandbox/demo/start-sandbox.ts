import { type LocalSlack, type SlackOptions, startSlack } from '../slack/index.ts';
import { type LocalVendor, startLocalVendor } from '../vendor-api/index.ts';
import { installedAs } from './app-listing.ts';
import { type BotProcess, startBot, untilReady } from './bot-process.ts';
import { createClock, type SandboxClock } from './clock.ts';
import { ledgerCommand, openDataFolder } from './data-folder.ts';
import { keep, readAhead, restoreSlack, restoreVendor, vendorOptions } from './keeper.ts';
import { POLICY, WORLD } from './world.ts';

export interface SandboxOptions {
  /** Holds the ledger, the tokens and what was said; made if it is not there. */
  readonly dataDir: string;
  /** The text of policy.yml; the sandbox's own unless given. */
  readonly policy?: string;
  /** People, groups, channels and settings of the local Slack, instead of the sandbox's own. */
  readonly slack?: SlackOptions;
  /** How far its time is ahead of the real one at first (less than 0: behind); what the folder has kept unless given. */
  readonly aheadMs?: number;
  /** How long the bot waits for the vendor; short, so that a time-out is seen soon. */
  readonly vendorTimeoutMs?: number;
  /** More environment for the bot. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Sandbox {
  readonly slack: LocalSlack;
  readonly vendor: LocalVendor;
  /** The one that runs now; after `restartBot` another one. */
  readonly bot: BotProcess;
  readonly dataDir: string;
  /** Lists the bot's ledger, in a shell. */
  readonly ledgerCommand: string;
  /** Ends the bot if it runs (`crash`: by SIGKILL) and starts it anew; resolves when it is ready. */
  readonly restartBot: (how?: 'stop' | 'crash') => Promise<void>;
  /** Puts the time of the bot, of Slack and of the vendor forward; resolves when all three have it. */
  readonly putForward: (ms: number) => Promise<void>;
  readonly onPutForward: (listener: (aheadMs: number) => void) => () => void;
  readonly clock: Pick<SandboxClock, 'now' | 'aheadMs'>;
  readonly onBot: (listener: (bot: BotProcess) => void) => () => void;
  /** The bot first, since it finishes what it is sending; then Slack and the vendor. */
  readonly close: () => Promise<void>;
}

const VENDOR_TIMEOUT_MS = 8_000;

/** The whole product with nothing outside this machine: a local Slack, a local vendor, and the bot as a child process. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = openDataFolder(options.dataDir, options.policy ?? POLICY);
  const { bot: botToken, app, signingSecret } = folder.secrets;
  const clock = createClock(options.aheadMs ?? readAhead(folder));
  const slack = await startSlack({
    ...WORLD,
    now: clock.now,
    ...options.slack,
    settings: { ...installedAs(), ...options.slack?.settings },
    tokens: { bot: botToken, app, signingSecret },
  });
  const vendor = await startLocalVendor({ ...vendorOptions(folder), now: clock.now });
  restoreSlack(slack, folder);
  restoreVendor(vendor, folder);
  const keeper = keep(slack, vendor, folder);

  const environment = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: app,
    SLACK_API_URL: slack.apiUrl,
    PROXY_API_BASE_URL: vendor.baseUrl,
    PROXY_API_TOKEN: vendor.token,
    PROXY_API_TIMEOUT_MS: String(options.vendorTimeoutMs ?? VENDOR_TIMEOUT_MS),
    DATABASE_URL: `sqlite:${folder.database}`,
    POLICY_FILE: folder.policyFile,
    PORT: '0',
    ...options.environment,
  };
  const putForwardListeners = new Set<(aheadMs: number) => void>();
  const listeners = new Set<(bot: BotProcess) => void>();
  const launch = () => startBot(environment, folder.path, clock.aheadMs);
  let bot = launch();
  let closed: Promise<void> | undefined;
  let restarting = Promise.resolve();

  const restart = async (how: 'stop' | 'crash') => {
    await (how === 'crash' ? bot.kill() : bot.stop());
    if (closed) return;
    bot = launch();
    for (const listener of listeners) listener(bot);
    await untilReady(bot);
  };
  const close = async () => {
    await bot.stop();
    keeper.close();
    await Promise.all([slack.close(), vendor.close()]);
  };
  const sandbox: Sandbox = {
    slack,
    vendor,
    get bot() {
      return bot;
    },
    dataDir: folder.path,
    ledgerCommand: ledgerCommand(folder),
    restartBot(how = 'stop') {
      // Restarts run one after the other, so that there is one bot at a time.
      restarting = restarting.catch(() => {}).then(() => restart(how));
      return restarting;
    },
    async putForward(ms) {
      clock.forward(ms);
      folder.write('clock', { aheadMs: clock.aheadMs });
      await bot.setAhead(clock.aheadMs);
      for (const listener of putForwardListeners) listener(clock.aheadMs);
    },
    onPutForward(listener) {
      putForwardListeners.add(listener);
      return () => putForwardListeners.delete(listener);
    },
    clock,
    onBot(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
  try {
    await untilReady(bot);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return sandbox;
}
