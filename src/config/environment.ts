import { type DatabaseConfig, databaseSecrets, readDatabase, readSlackApiUrl, readVendorUrl } from './addresses.ts';
import type { Problem } from './problem.ts';
import { type Environment, type ReadFile, Variables } from './variables.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type SlackConfig =
  | { readonly mode: 'socket'; readonly botToken: string; readonly appToken: string }
  | { readonly mode: 'http'; readonly botToken: string; readonly signingSecret: string };

export interface Config {
  readonly slack: SlackConfig;
  /** Ends in a slash. */
  readonly slackApiUrl: string;
  /** `baseUrl` does not end in a slash. */
  readonly vendor: { readonly baseUrl: string; readonly token: string; readonly timeoutMs: number };
  readonly database: DatabaseConfig;
  /** 0 lets the system choose one. */
  readonly port: number;
  readonly logLevel: LogLevel;
  /** Every secret value there is, for the scrubber of logs and stored answers. */
  readonly secrets: readonly string[];
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The longest answer that was seen from vendors of this kind, three times over. */
const VENDOR_TIMEOUT_MS = { least: 100, most: 300_000, unset: 30_000 };
const PORT = { least: 0, most: 65_535, unset: 3_000 };

/** Reads all settings and reports all that is wrong with them at once. Values are never repeated in a message. */
export function readConfig(env: Environment, readFile: ReadFile): ConfigReading {
  const variables = new Variables(env, readFile);
  refuseOpenTls(variables);
  const slack = readSlack(variables);
  const slackApiUrl = readSlackApiUrl(variables);
  const baseUrl = readVendorUrl(variables);
  const token = readRequiredSecret(
    variables,
    'PROXY_API_TOKEN',
    "set the Master User Token of the vendor's My Account page",
  );
  const timeoutMs = variables.wholeNumber('PROXY_API_TIMEOUT_MS', VENDOR_TIMEOUT_MS);
  const database = readDatabase(variables);
  const port = variables.wholeNumber('PORT', PORT);
  const logLevel = readLogLevel(variables);

  const { problems, warnings } = variables;
  if (problems.length > 0 || !slack || !baseUrl || !token || !database) return { ok: false, problems };
  const secrets = [...slackSecrets(slack), token, ...databaseSecrets(database)];
  const vendor = { baseUrl, token, timeoutMs };
  return { ok: true, config: { slack, slackApiUrl, vendor, database, port, logLevel, secrets }, warnings };
}

/** Node would then accept any certificate, also for the request that carries the token. */
function refuseOpenTls(variables: Variables): void {
  const key = 'NODE_TLS_REJECT_UNAUTHORIZED';
  if (variables.text(key) === '0')
    variables.note(
      key,
      'is 0: anybody on the way could read the tokens',
      'remove it; for a private authority set NODE_EXTRA_CA_CERTS',
    );
}

function readSlack(variables: Variables): SlackConfig | undefined {
  const botToken = readRequiredSecret(
    variables,
    'SLACK_BOT_TOKEN',
    "set the xoxb-… token of the Slack app's OAuth page",
    'xoxb-',
  );
  const appToken = variables.secret('SLACK_APP_TOKEN', 'xapp-');
  const signingSecret = variables.secret('SLACK_SIGNING_SECRET');
  const [socket, http] = [variables.given('SLACK_APP_TOKEN'), variables.given('SLACK_SIGNING_SECRET')];
  if (socket === http)
    return variables.note(
      'SLACK_APP_TOKEN',
      socket ? 'is set, and so is SLACK_SIGNING_SECRET' : 'is not set, nor is SLACK_SIGNING_SECRET',
      'set SLACK_APP_TOKEN (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET for HTTP mode, and not the other',
    );
  if (botToken !== undefined && appToken !== undefined) return { mode: 'socket', botToken, appToken };
  if (botToken !== undefined && signingSecret !== undefined) return { mode: 'http', botToken, signingSecret };
  return undefined;
}

function readRequiredSecret(variables: Variables, key: string, remedy: string, prefix?: string): string | undefined {
  if (!variables.given(key)) return variables.note(key, 'is not set', `${remedy}, or name a file in ${key}_FILE`);
  return variables.secret(key, prefix);
}

function readLogLevel(variables: Variables): LogLevel {
  const text = variables.text('LOG_LEVEL') ?? 'info';
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) variables.note('LOG_LEVEL', 'is not a level', `set one of ${LOG_LEVELS.join(', ')}`);
  return level ?? 'info';
}

function slackSecrets(slack: SlackConfig): readonly string[] {
  switch (slack.mode) {
    case 'socket':
      return [slack.botToken, slack.appToken];
    case 'http':
      return [slack.botToken, slack.signingSecret];
  }
  return slack satisfies never;
}

/** The database alone, for looking into the ledger where the rest is not set. */
export function readDatabaseConfig(
  env: Environment,
  readFile: ReadFile,
):
  | { readonly ok: true; readonly database: DatabaseConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const variables = new Variables(env, readFile);
  const database = readDatabase(variables);
  return database ? { ok: true, database } : { ok: false, problems: variables.problems };
}

/** Where the policy stands; also when the rest cannot be read, so that all problems of both are reported at once. */
export function policyFile(env: Environment): string {
  return env['POLICY_FILE']?.trim() || 'policy.yml';
}
