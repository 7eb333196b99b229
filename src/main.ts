import { readFileSync, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { readDatabaseConfig } from './config/database.ts';
import { type EnvFileReading, readEnvFile } from './config/env-file.ts';
import type { ConfigReading } from './config/environment.ts';
import { type Environment, policyFile } from './config/given.ts';
import type { PolicyReading } from './config/policy.ts';
import { type Problem, problemLine } from './config/problem.ts';
import type { Settings } from './doctor/index.ts';
import { late } from './late.ts';
import { LedgerUnusable } from './ledger/errors.ts';

/** EX_CONFIG: what a restart cannot mend, so that a supervisor need not try again and again. Whatever may pass is a failure. */
const EXIT_CONFIG = 78;
const EXIT_FAILURE = 1;
const NOT_UNDERSTOOD = 2;

const COMMANDS = ['ledger', 'doctor', 'setup'];
const USAGE = `Usage: node src/proxy-desk.cjs [COMMAND]

  (none)     starts the bot
  ledger …   looks into the ledger, with the bot or without it
  doctor …   looks whether the bot could serve people
  setup …    asks for what the bot needs, and writes .env and the policy

Settings come from the environment and .env: see .env.example. A command tells more with --help.
`;

const EXIT_CODES = { stopped: 0, abandoned: EXIT_FAILURE, failed: EXIT_FAILURE } as const;

const [command, ...rest] = process.argv.slice(2);
// For setup alone, which tells what it may change: a bot that serves keeps no second copy of its secrets.
const outside: Environment = command === 'setup' ? { ...process.env } : {};
const envFile = readEnvFile(readFile);
if (envFile.ok) Object.assign(process.env, { ...envFile.values, ...process.env });

void obey();

// In a function, since what a build makes of it (deploy/build.ts) cannot wait at its top.
async function obey(): Promise<void> {
  // A slip of whoever wants a command must not start a second bot.
  if (command !== undefined && !COMMANDS.includes(command)) await tellUsage(command);
  else if (command === 'doctor') process.exitCode = await doctorCommand(rest, envFile, process.env);
  else if (command === 'setup') await setupCommand(rest);
  else if (!envFile.ok) refuse(envFile.problems);
  else await (command === 'ledger' ? ledgerCommand(rest) : serve());
}

async function tellUsage(asked: string): Promise<void> {
  if (asked === '--version') return writer(process.stdout)(`${readVersion()}\n`);
  if (['--help', '-h', 'help'].includes(asked)) return writer(process.stdout)(USAGE);
  process.exitCode = NOT_UNDERSTOOD;
  await writer(process.stderr)(`“${asked}” is no command. Nothing was started.\n\n${USAGE}`).catch(() => undefined);
}

async function serve(): Promise<void> {
  // Loaded only here: the ledger command needs none of it.
  const [
    { readConfig },
    { lookAtPolicyFile },
    { systemClock },
    { CannotListen },
    { createLog },
    { obeySignals },
    { start },
  ] = await Promise.all([
    import('./config/environment.ts'),
    import('./config/policy.ts'),
    import('./runtime/clock.ts'),
    import('./runtime/http.ts'),
    import('./runtime/log.ts'),
    import('./runtime/signals.ts'),
    import('./runtime/start.ts'),
  ]);
  const lookAtPolicy = () => lookAtPolicyFile(policyFile(process.env), readFile);
  const first = lookAtPolicy();
  const settings = readSettings(envFile, readConfig(process.env, readFile), first.read);
  if (!settings.ok) return refuse(settings.problems);
  const { config, policy } = settings;
  const instance = crypto.randomUUID().slice(0, 8);
  const version = readVersion();
  const log = createLog(config.logLevel, config.secrets, { instance });
  // Loaded only where somebody asks for traces; the exporter reads its variables itself, before they are hidden.
  const traces =
    config.traces &&
    (await import('./runtime/otel.ts')).startTraces(config.traces, { clock: systemClock, log, version, instance });
  hideSecrets(config.secrets);
  for (const warning of settings.warnings) log.warn({}, warning);
  // A library may reject where nobody listens. The ledger holds all that matters, so going on is safe; what broke is in the log.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a rejection that nobody handled'));

  try {
    const running = await start(config, policy, log, {
      instance,
      version,
      built: !import.meta.filename.endsWith('.ts'),
      policyFile: { first, look: lookAtPolicy },
      ...(traces && { traces }),
    });
    obeySignals({
      clock: systemClock,
      log,
      on: (signal, hear) => process.on(signal, hear),
      stop: () => running.stop(),
      abandon: () => running.abandon(),
      reload: () => running.reloadPolicy(),
      end: (how) => process.exit(EXIT_CODES[how]),
    });
    // Node would keep what it has compiled when it ends by itself, which a process that is killed never does.
    void running.ready.then(() => flushCompileCache());
  } catch (error) {
    if (error instanceof LedgerUnusable)
      return refuse(
        [{ key: 'DATABASE_URL', problem: `cannot be used (${error.message})`, remedy: error.remedy }],
        error.passing ? EXIT_FAILURE : EXIT_CONFIG,
      );
    if (error instanceof CannotListen) return refuse([error.problem], error.passing ? EXIT_FAILURE : EXIT_CONFIG);
    log.error({ err: error }, 'could not start');
    process.exit(EXIT_FAILURE);
  }
}

/** All that is wrong with `.env`, the environment and the policy, at once. */
function readSettings(env: EnvFileReading, environment: ConfigReading, readPolicy: () => PolicyReading): Settings {
  const parts = [env, environment, readPolicy()] as const;
  const [, reading, policyReading] = parts;
  if (!env.ok) return env;
  if (!reading.ok || !policyReading.ok)
    return { ok: false, problems: parts.flatMap((part) => (part.ok ? [] : part.problems)) };
  const warnings = parts.flatMap((part) => (part.ok ? part.warnings : []));
  return { ok: true, config: reading.config, policy: policyReading.policy, warnings };
}

async function doctorCommand(args: readonly string[], env: EnvFileReading, environment: Environment): Promise<number> {
  const [{ readConfig }, { readPolicyFile }, { systemClock }, { runDoctor }] = await Promise.all([
    import('./config/environment.ts'),
    import('./config/policy.ts'),
    import('./runtime/clock.ts'),
    import('./doctor/index.ts'),
  ]);
  const readPolicy = () => readPolicyFile(policyFile(environment), readFile);
  const settings = () => readSettings(env, readConfig(environment, readFile), readPolicy);
  const [stdout, stderr] = [writer(process.stdout), writer(process.stderr)];
  return runDoctor(args, { settings, clock: systemClock, stdout, stderr });
}

async function setupCommand(args: readonly string[]): Promise<void> {
  const [{ systemClock }, { runSetup }] = await Promise.all([import('./runtime/clock.ts'), import('./setup/index.ts')]);
  const code = await runSetup(args, {
    outside,
    readFile,
    templates: {
      env: readShipped('.env.example'),
      policy: readShipped('policy.example.yml'),
      manifest: readShipped('manifest.yml'),
    },
    terminal: process,
    clock: systemClock,
    async doctor() {
      const written = readEnvFile(readFile);
      return doctorCommand([], written, { ...(written.ok && written.values), ...outside });
    },
    stderr: writer(process.stderr),
  });
  // Whoever has ended it does not wait for an answer that is still to come.
  process.exit(code);
}

/** Of what the program is shipped with; an empty text where it came without, as into a container. */
function readShipped(name: string): string {
  try {
    return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  } catch {
    return '';
  }
}

async function ledgerCommand(args: readonly string[]): Promise<void> {
  const { runLedgerCommand } = await import('./ledger/cli/index.ts');
  const [print, complain] = [late(() => writer(process.stdout)), late(() => writer(process.stderr))];
  // Who does not hear what is wrong has the exit code.
  const say = (text: string) => complain()(text).catch(() => undefined);
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
    async timeZone() {
      const { readPolicyFile } = await import('./config/policy.ts');
      const reading = readPolicyFile(policyFile(process.env), readFile);
      if (reading.ok) return reading.policy.reports.timeZone;
      await say('ledger: the policy cannot be read, so months are those of UTC\n');
      return 'UTC';
    },
    async readPlans() {
      const { readPolicyFile } = await import('./config/policy.ts');
      const reading = readPolicyFile(policyFile(process.env), readFile);
      return reading.ok ? reading.policy.plans : refuse(reading.problems);
    },
    readStdin: async () => Buffer.concat(await Array.fromAsync(process.stdin)),
    async endingWithinMs() {
      const { readPolicyFile, usualEndingWithinMs } = await import('./config/policy.ts');
      const reading = readPolicyFile(policyFile(process.env), readFile);
      if (reading.ok) return reading.policy.reminders.endingWithinMs;
      // The ledger can be read without: only this one word rests on the policy.
      await say('ledger: the policy cannot be read, so an order is called ending by the usual time before its end\n');
      return usualEndingWithinMs();
    },
    async keeping() {
      const { readPolicyFile } = await import('./config/policy.ts');
      const reading = readPolicyFile(policyFile(process.env), readFile);
      return reading.ok ? reading.policy : null;
    },
    stdout: (text) => print()(text),
    stderr: say,
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
