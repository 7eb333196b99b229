import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findLeaks } from '../process/leaks.ts';
import type { Environment } from '../support/bot.ts';
import type { Site } from '../support/site.ts';
import { it as siteTest } from '../support/site-fixture.ts';
import { KEY, openTerminal, type Session } from './terminal.ts';

const { enter, space, down } = KEY;

/** Setup in the site's folder, where nothing is set yet but where its Slack is; ended after the test. Fit for concurrent tests. */
export const it = siteTest.extend<{ setup: (site: Site, env?: Environment, before?: string) => Session }>({
  setup: async ({ task }, use) => {
    const sessions: Session[] = [];
    await use((site, env = {}, before = 'exec') => {
      const session = openTerminal(site.folder, { SLACK_API_URL: site.slack.apiUrl, PORT: '0', ...env }, before);
      sessions.push(session);
      return session;
    });
    const left = sessions.filter(({ running }) => running);
    await Promise.all(left.map((session) => session.close()));
    if (left.length > 0) throw new Error(`"${task.name}" has left ${left.length} at the terminal`);
  },
});

/** Nothing at all is there. */
export function bare(site: Site): Site {
  rmSync(join(site.folder, 'policy.yml'));
  return site;
}

export function fileOf(site: Site, name: string): string {
  return readFileSync(join(site.folder, name), 'utf8');
}

/** Every file with its bytes and mode. */
export function filesOf({ folder }: Site): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [
        name,
        `${(statSync(join(folder, name)).mode & 0o777).toString(8)} ${readFileSync(join(folder, name), 'utf8')}`,
      ]),
  );
}

export function isThere(site: Site, name: string): boolean {
  return existsSync(join(site.folder, name));
}

/** Whatever was typed: no secret was ever written to the terminal. */
export function expectNoSecret({ slack, vendor }: Site, session: Session, more: readonly string[] = []): void {
  const values = [slack.tokens.bot, slack.tokens.app, slack.tokens.signingSecret, vendor.token, ...more];
  const secrets = values.map((value, index) => ({ name: `secret ${index}`, value }));
  expect(findLeaks(secrets, [{ name: 'the terminal', bytes: session.written }])).toEqual([]);
}

export async function answerSlack(session: Session, { slack }: Site): Promise<void> {
  await session.answer('How is Slack to reach the bot?', enter);
  await session.answer('Is the Slack app there already?', enter);
  await session.answer('SLACK_BOT_TOKEN: paste it here', slack.tokens.bot, enter);
  await session.answer('SLACK_APP_TOKEN: paste it here', slack.tokens.app, enter);
}

export async function answerVendor(session: Session, { vendor }: Site): Promise<void> {
  await session.answer('PROXY_API_BASE_URL', vendor.baseUrl, enter);
  await session.answer('PROXY_API_TOKEN: paste it here', vendor.token, enter);
}

/** Buyers buy and renew, leads approve, the team sees the balance. The list is by name: @buyers, @leads, @team. */
export async function answerGroups(session: Session): Promise<void> {
  await session.answer('Who may buy?', space, enter);
  await session.answer('Who may renew orders?', enter);
  await session.answer('Who approves requests', down, space, enter);
  await session.answer('Who may see the balance?', space, down, space, down, space, enter);
}

export async function answerApprovals(session: Session): Promise<void> {
  await session.answer('Does spending need the yes', enter);
  await session.answer('In which channel', enter);
  await session.answer('How many IPs may a person buy in 24 h without', enter);
  await session.answer('Do renewals need approval too?', enter);
}

export async function answerPlan(session: Session): Promise<void> {
  for (const field of ['product_id', 'name', 'type', 'network_type', 'term']) await session.answer(`${field}:`, enter);
  await session.answer('Add another plan?', enter);
}

export async function answerLimits(session: Session): Promise<void> {
  await session.answer('How many IPs may one order have', enter);
  await session.answer('How many IPs may one person buy in 24 h at most', enter);
}

/** From nothing to the last question. */
export async function answerAll(session: Session, site: Site): Promise<void> {
  await answerSlack(session, site);
  await answerVendor(session, site);
  await answerGroups(session);
  await answerApprovals(session);
  await answerPlan(session);
  await answerLimits(session);
}
