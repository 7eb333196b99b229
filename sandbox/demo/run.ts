import { bundlePage } from './bundle.ts';
import { emptyDataFolder, holdFolder, isEmpty } from './data-folder.ts';
import { servePage } from './page-server.ts';
import { beginningOfPast, liveThroughPast } from './past.ts';
import { startSandbox } from './start-sandbox.ts';

export interface DemoOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly fresh: boolean;
  /** Without a past. */
  readonly empty: boolean;
}

/** A second signal within this time is the first one's echo: npm passes on what the terminal has sent to everybody. */
const ECHO_MS = 1_000;

/** Starts everything, says where it is, and stays until SIGINT, SIGTERM or SIGHUP. */
export async function runDemo({ port, dataDir, fresh, empty }: DemoOptions): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const hold = holdFolder(dataDir);
  if (!hold.ok) {
    process.stderr.write(`${hold.why}\n`);
    process.exitCode = 1;
    return;
  }
  if (fresh) emptyDataFolder(dataDir);
  say('Starting a local Slack, a local vendor and the bot …');
  const bundle = bundlePage();
  // Looked at when somebody asks for it; a failure must not end the process before.
  bundle.catch(() => {});
  let stop: (() => Promise<void>) | undefined;
  let isAsked = false;
  let askedAt = 0;
  const ask = () => {
    if (isAsked && Date.now() - askedAt > ECHO_MS) process.exit(1);
    if (isAsked) return;
    isAsked = true;
    askedAt = Date.now();
    say('Stopping: the bot finishes first what it is sending …');
    void stop?.();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  const forget = whenNpmIsGone(ask);

  const beginsAnew = !empty && isEmpty(dataDir);
  const past = beginsAnew ? { aheadMs: beginningOfPast(Date.now()) - Date.now() } : {};
  const sandbox = await startSandbox({ dataDir, ...past }).catch((error: unknown) => {
    hold.release();
    throw error;
  });
  if (beginsAnew) {
    say('People buy for some weeks, so that there is something to see (npm run demo -- --empty does without) …');
    await liveThroughPast(sandbox, () => isAsked).catch((error: unknown) => {
      say(`Not all of it could be made: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    });
  }
  const page = await servePage(sandbox, bundle, {
    port,
    taken: (number) => say(`Port ${number} is taken; trying another one.`),
  });
  stop = async () => {
    forget();
    await page.close();
    await sandbox.close();
    hold.release();
    say('Stopped.');
  };
  if (isAsked) return stop();
  await bundle;
  say(
    `\n  Open ${page.url}\n\n  Its ledger, in another terminal:\n  ${sandbox.ledgerCommand}\n\n  What is kept is in ${dataDir} (npm run demo -- --fresh begins anew). Ctrl-C ends all of it.`,
  );
}

const LOOK_EVERY_MS = 300;

/**
 * npm starts a script through a shell, and a shell that is ended by a signal does not pass it on: `kill` on npm would leave us
 * behind. So when it was npm, and what started us is gone, we end too.
 */
function whenNpmIsGone(gone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] !== 'demo') return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
