import { parseArgs } from 'node:util';
import type { Config } from '../config/environment.ts';
import { type Problem, problemLine } from '../config/problem.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import { createScrub } from '../scrub.ts';
import type { Finding } from '../slack/checks.ts';
import { lookAtDatabase, lookAtVendor } from './behind.ts';
import { tryLive } from './live.ts';
import { lookAtSlack } from './workspace.ts';

export type Settings =
  | { readonly ok: true; readonly config: Config; readonly policy: Policy; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface DoctorDeps {
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly stdout: (text: string) => void | Promise<void>;
  readonly stderr: (text: string) => void | Promise<void>;
}

const ALL_RIGHT = 0;
const SOMETHING_WRONG = 1;
const NOT_UNDERSTOOD = 2;
/** EX_CONFIG, as at a start. */
const BAD_SETTINGS = 78;

const USAGE = `Usage: npm run doctor [-- --json] [-- --live U…]

Looks whether the bot could serve people: settings and policy, tokens and scopes, groups, channel, vendor, database, disk and clock.
It changes nothing, and may run beside the bot.

  --json       one JSON line a check: check, verdict (right, wrong, note, skipped), found, remedy
  --live U…    also posts, edits and deletes a message in the approvals channel, and sends a button to the person with this Slack user
               id, who has two minutes to press it; the bot must not run meanwhile, since Slack would give it the press

Exit codes: 0 all is right; 1 something is wrong; 2 not understood; 78 settings or policy are wrong, nothing else was looked at.
`;

/** @returns the exit code. */
export async function runDoctor(args: readonly string[], deps: DoctorDeps): Promise<number> {
  const asked = understand(args);
  if ('problem' in asked) {
    await deps.stderr(`doctor: ${asked.problem}\n\n${USAGE}`);
    return NOT_UNDERSTOOD;
  }
  if (asked.help) {
    await deps.stdout(USAGE);
    return ALL_RIGHT;
  }
  const settings = deps.settings();
  if (!settings.ok) {
    const findings = settings.problems.map(
      ({ key, problem, remedy }): Finding => ({ check: key, verdict: 'wrong', found: problem, remedy }),
    );
    // Told as at a start, so that the two can be compared.
    const text = asked.json ? jsonLines(findings) : settings.problems.map((each) => `${problemLine(each)}\n`).join('');
    await deps.stdout(text);
    return BAD_SETTINGS;
  }
  const scrubs = settings.config.secrets.map(createScrub);
  const clean = (text: string) => scrubs.reduce((cleaned, scrub) => scrub(cleaned), text);
  const findings = (await look(settings, asked.live, deps)).map((finding) => ({
    ...finding,
    found: clean(finding.found),
  }));
  await deps.stdout(asked.json ? jsonLines(findings) : table(findings));
  return findings.some(({ verdict }) => verdict === 'wrong') ? SOMETHING_WRONG : ALL_RIGHT;
}

async function look(
  { config, policy, warnings }: Extract<Settings, { ok: true }>,
  live: string | undefined,
  { clock, stderr }: DoctorDeps,
): Promise<readonly Finding[]> {
  const noted = warnings.map((warning): Finding => ({ check: 'settings', verdict: 'note', found: warning }));
  const [slack, vendor, database] = await Promise.all([
    lookAtSlack(config, policy, clock),
    lookAtVendor(config, clock),
    lookAtDatabase(config.database),
  ]);
  const found: readonly Finding[] = [
    { check: 'settings and policy', verdict: 'right', found: 'can be read, and fit together' },
    ...noted,
    ...slack.findings,
    vendor,
    ...database,
  ];
  if (live === undefined) return found;
  if (!slack.identity)
    return [...found, { check: 'live', verdict: 'skipped', found: 'not before Slack takes the tokens' }];
  return [...found, ...(await tryLive({ config, policy, clock, identity: slack.identity, person: live, say: stderr }))];
}

type Asked = { readonly help: boolean; readonly json: boolean; readonly live: string | undefined };

function understand(args: readonly string[]): Asked | { readonly problem: string } {
  try {
    const options = {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      live: { type: 'string' },
    } as const;
    const { help = false, json = false, live } = parseArgs({ args: [...args], options }).values;
    if (live !== undefined && !/^[UW][A-Z0-9]{2,}$/.test(live))
      return {
        problem: '--live wants the Slack user id of whoever runs it (U…): in Slack, your profile, ⋮, Copy member ID',
      };
    return { help, json, live };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function jsonLines(findings: readonly Finding[]): string {
  return findings.map((finding) => `${JSON.stringify(finding)}\n`).join('');
}

const WORDS = { right: 'right', wrong: 'WRONG', note: 'note', skipped: 'not seen' } as const satisfies Record<
  Finding['verdict'],
  string
>;

/** A line each, and the sum. */
function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ check, verdict, found, remedy }) =>
      `${WORDS[verdict].padEnd(8)}  ${check.padEnd(width)}  ${found}${remedy === undefined ? '' : `: ${remedy}`}\n`,
  );
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length;
  const sum = wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} ${wrong === 1 ? 'is' : 'are'} wrong.`;
  return `${lines.join('')}\n${sum}\n`;
}
