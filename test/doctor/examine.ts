import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readConfig } from '../../src/config/environment.ts';
import { readPolicy } from '../../src/config/policy.ts';
import { runDoctor, type Settings } from '../../src/doctor/index.ts';
import type { Clock } from '../../src/purchasing/ports/clock.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Finding } from '../../src/slack/checks.ts';
import type { Environment } from '../support/bot.ts';
import type { Site } from '../support/site.ts';

export interface Examined {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly env?: Environment;
  readonly policy?: string;
  readonly clock?: Clock;
  /** Hears what is said to whoever runs it, as it is said. */
  readonly hear?: () => void;
}

/** The doctor, in this process, with the settings that the site's bot would have. Whatever it is asked, it shows no secret. */
export async function examine(site: Site, args: readonly string[] = [], given: Given = {}): Promise<Examined> {
  const { env = {}, policy = readFileSync(join(site.folder, 'policy.yml'), 'utf8'), clock = systemClock } = given;
  const said = { out: '', err: '' };
  const code = await runDoctor(args, {
    settings: () => readSettings({ DATABASE_URL: `sqlite:${site.databaseFile}`, ...site.env, ...env }, policy),
    clock,
    stdout: (text) => {
      said.out += text;
    },
    stderr: (text) => {
      said.err += text;
      given.hear?.();
    },
  });
  for (const secret of [...Object.values(site.slack.tokens), site.vendor.token, WRONG_SECRET])
    expect(said.out + said.err).not.toContain(secret);
  return { code, ...said };
}

/** What it finds, by the check. */
export async function findings(site: Site, given: Given = {}) {
  const { code, out } = await examine(site, ['--json'], given);
  const found = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Finding);
  return { code, found, wrong: found.filter(({ verdict }) => verdict === 'wrong') };
}

/** Fits wherever a secret does. */
export const WRONG_SECRET = 'wr0ng-secret-wr0ng-secret';

function readSettings(env: Environment, policyText: string): Settings {
  const reading = readConfig(env, () => {
    throw new Error('no file is named');
  });
  const policy = readPolicy(policyText);
  if (!reading.ok || !policy.ok)
    return { ok: false, problems: [reading, policy].flatMap((part) => (part.ok ? [] : part.problems)) };
  return {
    ok: true,
    config: reading.config,
    policy: policy.policy,
    warnings: [...reading.warnings, ...policy.warnings],
  };
}
