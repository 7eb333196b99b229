import { parseArgs } from 'node:util';
import { WebClient } from '@slack/web-api';
import { slackApiUrl } from '../config/addresses.ts';
import type { ReadFile } from '../config/files.ts';
import type { Environment } from '../config/given.ts';
import { problemLine } from '../config/problem.ts';
import { refusedBot, SILENT_SLACK } from '../doctor/workspace.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import { clientOptions } from '../slack/client.ts';
import { troubleOf } from '../slack/errors.ts';
import { whoAmI } from '../slack/startup.ts';
import { askAgain } from './again.ts';
import { askApprovals } from './approvals.ts';
import { type Ask, createAsk, GivenUp, type Terminal } from './ask.ts';
import { Draft } from './draft.ts';
import { askGroups } from './groups.ts';
import { askLimits } from './limits.ts';
import { askPlans } from './plans.ts';
import { findPresent, type Templates } from './present.ts';
import { sentence } from './sentence.ts';
import { askSlack, type Workspace } from './slack.ts';
import { askVendor } from './vendor.ts';
import { type Written, writeAll } from './write.ts';

export interface SetupDeps {
  /** What is set where it was started, without what `.env` says. */
  readonly outside: Environment;
  readonly readFile: ReadFile;
  readonly templates: Templates;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Runs it on what was written. @returns its exit code. */
  readonly doctor: () => Promise<number>;
  readonly stderr: (text: string) => void | Promise<void>;
}

const WELL = 0;
const NOT_WRITTEN = 1;
const NOT_UNDERSTOOD = 2;
/** EX_CONFIG, as at a start. */
const BAD_FILES = 78;
/** As a shell has it of a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

const USAGE = `Usage: npm run setup

Asks for what the bot needs, tries each secret where it belongs, and writes .env and policy.yml, after showing what it would change. What
is there already is offered as it is; only what you ask for is changed. Then it runs the doctor. Ctrl-C ends it, and nothing was written.

Exit codes: as the doctor has them (npm run doctor -- --help) where it came so far; 1 nothing was written; 2 not understood, or no terminal
to ask in; 78 a file cannot be used as it is; 130 ended by Ctrl-C.
`;

/** @returns the exit code. */
export async function runSetup(args: readonly string[], deps: SetupDeps): Promise<number> {
  const { terminal, stderr } = deps;
  const asked = understand(args);
  if (asked !== 'run') {
    if (asked !== 'help') await stderr(`setup: ${asked}\n\n`);
    await (asked === 'help' ? write(terminal.stdout, USAGE) : stderr(USAGE));
    return asked === 'help' ? WELL : NOT_UNDERSTOOD;
  }
  if (!terminal.stdin.isTTY || !terminal.stdout.isTTY) {
    await stderr(
      'setup: asks questions, and there is no terminal to ask in; docs/quick-start.md says how to do without.\n',
    );
    return NOT_UNDERSTOOD;
  }
  const looked = findPresent(deps.outside, deps.readFile, deps.templates);
  if (!looked.ok) {
    await stderr(looked.problems.map((problem) => `${problemLine(problem)}\n`).join(''));
    return BAD_FILES;
  }
  const { found } = looked;
  const ask = createAsk(terminal);
  const draft = new Draft(found.present);
  try {
    ask.begin('Proxy Desk: setup');
    ask.say(
      `Your answers go into .env and ${found.policyTarget.path}, after a last yes.\nUntil then Ctrl-C ends it, and nothing was written.`,
    );
    await askSections(ask, draft, deps);
    const written = await writeAll(ask, draft, found, deps.templates);
    return await finish(ask, written, draft.env.size > 0 && found.envTarget.text !== null, deps);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    ask.end('Ended. Nothing was written.');
    return INTERRUPTED;
  } finally {
    ask.close();
  }
}

type Section = 'slack' | 'vendor' | 'groups' | 'approvals' | 'plans' | 'limits';

const SECTIONS = {
  slack: 'Slack: the app and its tokens',
  vendor: 'Vendor: address and token',
  groups: 'Who may buy, renew, approve, see the balance',
  approvals: 'Approvals: the channel, and what needs none',
  plans: 'Plans that may be bought',
  limits: 'Limits',
} as const satisfies Record<Section, string>;
const ORDER = Object.keys(SECTIONS) as readonly Section[];

/** All that is missing, and of the rest what is asked for. */
async function askSections(ask: Ask, draft: Draft, deps: SetupDeps): Promise<void> {
  const missing = ORDER.filter((section) => isMissing(draft, section));
  const there = ORDER.filter((section) => !missing.includes(section));
  const chosen =
    there.length === 0
      ? []
      : await ask.chooseSeveral(
          missing.length === 0 ? 'What do you want to change?' : 'What else do you want to change?',
          there.map((value) => ({ value, label: SECTIONS[value] })),
          [],
          0,
        );
  const wanted = ORDER.filter((section) => missing.includes(section) || chosen.includes(section));
  let workspace: Workspace | undefined;
  for (const section of wanted) {
    ask.say(`— ${SECTIONS[section]} —`);
    if (section === 'slack')
      workspace = await askSlack({ ask, draft, slackApiUrl: apiUrl(draft), manifest: deps.templates.manifest });
    else if (section === 'vendor') await askVendor(ask, draft, deps.clock);
    else if (section === 'plans') await askPlans(ask, draft);
    else if (section === 'limits') await askLimits(ask, draft);
    else {
      workspace ??= await connect(ask, draft);
      await (section === 'groups' ? askGroups(ask, draft, workspace, deps.clock) : askApprovals(ask, draft, workspace));
    }
  }
}

function isMissing(draft: Draft, section: Section): boolean {
  const unset = (name: string) => draft.setting(name) === '';
  switch (section) {
    case 'slack':
      return unset('SLACK_BOT_TOKEN') || (unset('SLACK_APP_TOKEN') && unset('SLACK_SIGNING_SECRET'));
    case 'vendor':
      return unset('PROXY_API_BASE_URL') || unset('PROXY_API_TOKEN');
    case 'groups':
      return draft.present.policy?.['access'] === undefined;
    case 'approvals':
    case 'plans':
      return draft.present.policy?.[section] === undefined;
    case 'limits':
      return draft.present.policy === null;
    default:
      return section satisfies never;
  }
}

function apiUrl(draft: Draft): string {
  const given = slackApiUrl().safeParse(draft.setting('SLACK_API_URL') || undefined);
  return given.success ? given.data : slackApiUrl().parse(undefined);
}

/** With the token that is there. */
async function connect(ask: Ask, draft: Draft): Promise<Workspace> {
  const client = new WebClient(draft.setting('SLACK_BOT_TOKEN'), {
    ...clientOptions(apiUrl(draft)),
    logger: SILENT_SLACK,
  });
  return askAgain(ask, 'Asking Slack for the workspace', async () => {
    const identity = await whoAmI(client).catch(troubleOf);
    if ('kind' in identity) return { ok: false, problem: sentence(refusedBot(identity)) };
    return { ok: true, seen: { client, identity } };
  });
}

/** @param restart a bot that runs already knows other settings */
async function finish(ask: Ask, written: Written, restart: boolean, { doctor, terminal }: SetupDeps): Promise<number> {
  if (written === 'declined' || written === 'failed') {
    ask.end(written === 'declined' ? 'Nothing was written.' : 'Ended.');
    return NOT_WRITTEN;
  }
  if (written === 'nothing to write') ask.say('Nothing is changed.');
  ask.end('The doctor looks at it all (npm run doctor):');
  ask.close();
  const code = await doctor();
  await write(terminal.stdout, nextSteps(code, restart));
  return code;
}

function nextSteps(code: number, restart: boolean): string {
  const running = restart
    ? 'A bot that runs already reads .env when it is started again; policy.yml it takes over by itself.\n'
    : '';
  if (code !== WELL)
    return `\nMend what is wrong, and look again: npm run doctor. To answer anew: npm run setup.\n${running}`;
  return `\nNext: npm start, and in Slack /proxy balance. To stay, with systemd or Docker: docs/deploy.md.\n${running}`;
}

function understand(args: readonly string[]): string {
  try {
    const { help = false } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } }).values;
    return help ? 'help' : 'run';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function write(stdout: NodeJS.WriteStream, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stdout.write(text, () => resolve());
  return promise;
}
