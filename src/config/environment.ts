import { z } from 'zod';
import { late } from '../late.ts';
import { database, slackApiUrl, vendorUrl } from './addresses.ts';
import { type DatabaseConfig, databaseSecrets, travelsReadable } from './database.ts';
import type { ReadFile } from './files.ts';
import { type Environment, gather, suggestOf } from './given.ts';
import { fault, type Problem, wrong } from './problem.ts';
import { section, toProblems } from './schema.ts';
import { readTraces, type TracesConfig } from './traces.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type SlackConfig =
  | { readonly mode: 'socket'; readonly botToken: string; readonly appToken: string }
  | { readonly mode: 'http'; readonly botToken: string; readonly signingSecret: string };

export interface HttpConfig {
  /** The address to listen on; null: all of them. */
  readonly host: string | null;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Where the metrics are served alone; null: beside everything else. */
  readonly metricsPort: number | null;
}

export interface Config extends HttpConfig {
  readonly slack: SlackConfig;
  /** Ends in a slash. */
  readonly slackApiUrl: string;
  /** `baseUrl` does not end in a slash. */
  readonly vendor: { readonly baseUrl: string; readonly token: string; readonly timeoutMs: number };
  readonly database: DatabaseConfig;
  readonly logLevel: LogLevel;
  /** Null where no traces are asked for. */
  readonly traces: TracesConfig | null;
  /** Every secret value there is, for the scrubber of logs and stored answers. */
  readonly secrets: readonly string[];
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What a secret may look like: a control character or blank in a header's value would be printed with the error. */
const SECRET_FORM = /^[\x21-\x7e]{8,}$/;

function secret(prefix = '', unset = '') {
  return (
    z
      .string(fault('is not set', unset))
      .regex(
        SECRET_FORM,
        fault(
          'is not a usable secret (shorter than 8 characters, or with a blank, line break or non-ASCII character in it)',
          'copy it again, alone, without quotes or blanks around it',
        ),
      )
      // Docker's --env-file takes them for a part of it.
      .refine((text) => !/^(?:".*"|'.*')$/.test(text), { abort: true, error: fault('is in quotes', 'leave them out') })
      .startsWith(prefix, fault(`does not begin with ${prefix}`, `copy the token that begins with ${prefix}`))
  );
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function wholeNumber({ unset, ...range }: Range & { readonly unset: number }) {
  return numberIn(range, `leave it out for ${unset}`).prefault(String(unset)).transform(Number);
}

function numberIn({ least, most }: Range, otherwise: string) {
  return z
    .string()
    .refine(
      (text) => /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least && Number(text) <= most,
      wrong(`not a whole number from ${least} to ${most}`, `set one, or ${otherwise}`),
    );
}

const PORTS: Range = { least: 0, most: 65_535 };

const variables = late(() => ({
  SLACK_BOT_TOKEN: secret(
    'xoxb-',
    "set the xoxb-… token of the Slack app's OAuth page, or name a file in SLACK_BOT_TOKEN_FILE",
  ),
  SLACK_APP_TOKEN: secret('xapp-').optional(),
  SLACK_SIGNING_SECRET: secret().optional(),
  SLACK_API_URL: slackApiUrl(),
  PROXY_API_BASE_URL: vendorUrl(),
  PROXY_API_TOKEN: secret(
    '',
    "set the Master User Token of the vendor's My Account page, or name a file in PROXY_API_TOKEN_FILE",
  ),
  // The longest answer that was seen from vendors of this kind, three times over.
  PROXY_API_TIMEOUT_MS: wholeNumber({ least: 100, most: 300_000, unset: 30_000 }),
  DATABASE_URL: database(),
  POLICY_FILE: z.string().optional(),
  PORT: wholeNumber({ ...PORTS, unset: 3_000 }),
  METRICS_PORT: numberIn(PORTS, 'leave it out to have the metrics on PORT').transform(Number).optional(),
  HOST: z
    .string()
    .refine(
      (text) => [z.ipv4(), z.ipv6()].some((kind) => kind.safeParse(text).success),
      wrong('not an IP address', 'set one of this machine, like 127.0.0.1 or ::, or leave it out to listen on all'),
    )
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, wrong('not a level', `set one of ${LOG_LEVELS.join(', ')}`)).default('info'),
  // Node would accept any certificate, also for the request that carries the token.
  NODE_TLS_REJECT_UNAUTHORIZED: z
    .string()
    .refine(
      (text) => text !== '0',
      fault(
        'is 0, so that anybody on the way could read the tokens',
        'remove it; for a private authority set NODE_EXTRA_CA_CERTS',
      ),
    )
    .optional(),
}));

/** All settings. Exactly one way of talking to Slack is chosen. */
const settings = late(() =>
  section(variables(), suggestOf(Object.keys(variables()))).superRefine(
    (given, ctx) => {
      if (given.METRICS_PORT !== 0 && given.METRICS_PORT === given.PORT) {
        const taken = fault(
          `is ${given.PORT}, and so is PORT`,
          'set another, or leave it out to have the metrics on PORT',
        );
        ctx.addIssue({ code: 'custom', path: ['METRICS_PORT'], message: taken });
      }
      const [socket, http] = ['SLACK_APP_TOKEN' in given, 'SLACK_SIGNING_SECRET' in given];
      if (socket !== http) return;
      const problem = socket ? 'is set, and so is SLACK_SIGNING_SECRET' : 'is not set, nor is SLACK_SIGNING_SECRET';
      const remedy =
        'set SLACK_APP_TOKEN (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET for HTTP mode, and not the other';
      ctx.addIssue({ code: 'custom', path: ['SLACK_APP_TOKEN'], message: fault(problem, remedy) });
    },
    // Also where another setting is wrong: all problems are reported at once.
    { when: () => true },
  ),
);

/** Reads all settings and reports all that is wrong with them at once. */
export function readConfig(env: Environment, readFile: ReadFile): ConfigReading {
  const given = gather(Object.keys(variables()), env, readFile);
  const parsed = settings().safeParse(given.values);
  const slack = parsed.success ? slackConfig(parsed.data) : undefined;
  if (given.problems.length > 0 || !parsed.success || slack === undefined)
    return { ok: false, problems: toProblems(parsed.error, given) };
  const { data } = parsed;
  const { mode: _, ...slackSecrets } = slack;
  const { traces, ...ofTraces } = readTraces(env);
  const secrets = [
    ...Object.values(slackSecrets),
    data.PROXY_API_TOKEN,
    ...databaseSecrets(data.DATABASE_URL),
    ...ofTraces.secrets,
  ];
  const warnings = [...given.warnings, ...ofTraces.warnings];
  if (travelsReadable(data.DATABASE_URL))
    warnings.push(
      `${given.nameOf('DATABASE_URL')}: the way to the database is not encrypted, or its server is not checked, and the vendor's answers with ` +
        'proxy logins travel on it; ?sslmode=verify-full (and &sslrootcert=… for an authority of your own) mends that',
    );
  const config: Config = {
    slack,
    slackApiUrl: data.SLACK_API_URL,
    vendor: { baseUrl: data.PROXY_API_BASE_URL, token: data.PROXY_API_TOKEN, timeoutMs: data.PROXY_API_TIMEOUT_MS },
    database: data.DATABASE_URL,
    host: data.HOST ?? null,
    port: data.PORT,
    metricsPort: data.METRICS_PORT ?? null,
    logLevel: data.LOG_LEVEL,
    traces,
    secrets,
  };
  return { ok: true, config, warnings };
}

function slackConfig(data: z.output<ReturnType<typeof settings>>): SlackConfig | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = data;
  if (appToken !== undefined) return { mode: 'socket', botToken, appToken };
  if (signingSecret !== undefined) return { mode: 'http', botToken, signingSecret };
  return undefined;
}

/** What is wrong with one setting by itself; undefined: nothing. */
export function settingProblem(key: keyof ReturnType<typeof variables>, value: string): Problem | undefined {
  return toProblems(section({ [key]: variables()[key] }).safeParse({ [key]: value }).error)[0];
}
