import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readEnvFile } from './config/env-file.ts';
import { policyFile, readConfig, readDatabaseConfig } from './config/environment.ts';
import { type Problem, problemLine } from './config/problem.ts';
import { LedgerUnusable } from './ledger/errors.ts';

/** EX_CONFIG: a supervisor can tell it apart from a crash, and need not try again and again. */
const EXIT_CONFIG = 78;
const EXIT_FAILURE = 1;

const envFile = readEnvFile(readFile);
if (!envFile.ok) refuse(envFile.problems);
Object.assign(process.env, { ...envFile.values, ...process.env });

await (process.argv[2] === 'ledger' ? ledgerCommand(process.argv.slice(3)) : serve(envFile.warnings));

async function serve(envWarnings: readonly string[]): Promise<void> {
  // Loaded only here, as the rest of the bot is: the ledger command needs none of it.
  const { readPolicyFile } = await import('./config/policy.ts');
  const reading = readConfig(process.env, readFile);
  const policyReading = readPolicyFile(policyFile(process.env), readFile);
  if (!reading.ok || !policyReading.ok)
    return refuse([reading, policyReading].flatMap((part) => (part.ok ? [] : part.problems)));
  const { config } = reading;
  hideSecrets(config.secrets);

  const [{ createLog }, { start }] = await Promise.all([import('./runtime/log.ts'), import('./runtime/start.ts')]);
  const instance = randomUUID().slice(0, 8);
  const log = createLog(config.logLevel, config.secrets, { instance });
  for (const warning of [...envWarnings, ...reading.warnings, ...policyReading.warnings]) log.warn({}, warning);
  // Slack's socket client rejects where nobody listens (a frame without an event is enough). The ledger holds all that matters,
  // so going on is safe; what broke is in the log.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a rejection that nobody handled'));

  try {
    const running = await start(config, policyReading.policy, log, { instance, version: readVersion() });
    let asked = 0;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        asked += 1;
        log.info(
          { signal, asked },
          asked === 1 ? 'stopping: what is being sent is finished first' : 'stopping at once',
        );
        const ended = asked === 1 ? running.stop().then(() => 0) : running.abandon().then(() => EXIT_FAILURE);
        ended.then(
          (code) => process.exit(code),
          (err: unknown) => {
            log.error({ err }, 'could not stop cleanly');
            process.exit(EXIT_FAILURE);
          },
        );
      });
  } catch (error) {
    if (error instanceof LedgerUnusable)
      return refuse(
        [{ key: 'DATABASE_URL', problem: `cannot be used (${error.message})`, remedy: error.remedy }],
        error.passing ? EXIT_FAILURE : EXIT_CONFIG,
      );
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return refuse([
        {
          key: 'PORT',
          problem: `is ${config.port}, which is taken`,
          remedy: 'choose another port, or end what listens there',
        },
      ]);
    log.error({ err: error }, 'could not start');
    process.exit(EXIT_FAILURE);
  }
}

async function ledgerCommand(args: readonly string[]): Promise<void> {
  const { runLedgerCommand } = await import('./ledger/cli/index.ts');
  const say = writer(process.stderr);
  process.exitCode = await runLedgerCommand(args, {
    get config() {
      const reading = readDatabaseConfig(process.env, readFile);
      return reading.ok ? reading.database : refuse(reading.problems);
    },
    readAddress(text) {
      const reading = readDatabaseConfig({ DATABASE_URL: text }, readFile);
      if (reading.ok && text.trim() !== '') return reading.database;
      const problems = reading.ok
        ? [{ problem: 'is empty', remedy: 'give an address, or leave it out' }]
        : reading.problems;
      throw new Error(problems.map(({ problem, remedy }) => `${problem}: ${remedy}`).join('; '));
    },
    stdout: writer(process.stdout),
    // Who does not hear what is wrong has the exit code.
    stderr: (text) => say(text).catch(() => undefined),
  });
}

function writer(stream: NodeJS.WriteStream): (text: string) => Promise<void> {
  // What is wrong with it is heard by whoever writes.
  stream.on('error', () => undefined);
  return (text) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.write(text, (error) => (error ? reject(error) : resolve()));
    return promise;
  };
}

function readFile(path: string): { text: string; readableByOthers: boolean } {
  return { text: readFileSync(path, 'utf8'), readableByOthers: (statSync(path).mode & 0o004) !== 0 };
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/** Children inherit the environment, and a diagnostic report prints it. */
function hideSecrets(secrets: readonly string[]): void {
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && secrets.some((secret) => value.includes(secret))) delete process.env[name];
  process.report.excludeEnv = true;
}

function refuse(problems: readonly Problem[], code = EXIT_CONFIG): never {
  for (const problem of problems) process.stderr.write(`${problemLine(problem)}\n`);
  process.exit(code);
}
