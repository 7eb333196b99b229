import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { BotProcess } from '../support/bot.ts';
import { BUYER, LEAD, policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, told } from '../support/site-steps.ts';

const NOBODY_BUYS = policyText().replace('buy: [S0BUYERS]', 'buy: [S0LEADS]');
const WRONG = `${NOBODY_BUYS}limit: {}\n`;
const READ_AGAIN = 'the policy was read again';

describe.concurrent('SIGHUP', () => {
  it('reads the policy again: who may buy, and how much, is as the file says now; what waits goes on', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const id = await file(site, 'US 51');
    writePolicy(site, NOBODY_BUYS.replace('500', '400'));
    bot.send('SIGHUP');
    await bot.line(READ_AGAIN);
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor(/not in a group that may buy/);

    writePolicy(site, policyText().replace('500', '400'));
    bot.send('SIGHUP');
    await readAgain(bot, 2);
    await buyer.command('/proxy', 'buy US 450');
    await buyer.waitFor((screen) => screen.modal?.submit);
    await buyer.type('Reason', 'a large one');
    await buyer.submit('Review');
    await buyer.waitFor(/400/);
    await approve(site, id);
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(bot.running).toBe(true);
  });

  it('with a policy that is wrong in one place changes nothing, and names the place', async ({ open }) => {
    const site = await open({ expected: /the policy stays as it was/ });
    const bot = await site.start();
    writePolicy(site, WRONG);
    bot.send('SIGHUP');
    const { msg } = await bot.line((line) => line.level === 'error');
    expect(msg).toMatch(/^the policy stays as it was: limit /);
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor((screen) => screen.modal?.submit);
    expect(bot.running).toBe(true);
  });

  it('tells the other processes on the ledger that the rules are others now, and that they are the same again', async ({
    open,
  }) => {
    const site = await open();
    writePolicy(site, policyText(), 'second.yml');
    const [first, second] = [await site.start(), await site.start({ POLICY_FILE: 'second.yml' })];
    await first.until('/metrics', 200, 'proxy_desk_instances_different 0');
    writePolicy(site, policyText('expire_after: 12h'), 'second.yml');
    second.send('SIGHUP');
    await first.until('/metrics', 200, 'proxy_desk_instances_different 1');
    writePolicy(site, policyText('expire_after: 12h'));
    first.send('SIGHUP');
    await first.until('/metrics', 200, 'proxy_desk_instances_different 0');
  });
});

describe.concurrent('a policy file that has changed', () => {
  it('holds without a restart and without a signal, and the card of what waits names it', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    await file(site, 'US 51');
    writePolicy(site, NOBODY_BUYS);
    const { policy } = await bot.line(READ_AGAIN);
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor(/not in a group that may buy/);
    await site.slack.as(LEAD).waitFor(new RegExp(`policy ${String(policy).slice(0, 7)}`));
  });

  it('is noticed also where an editor replaces it, and where Kubernetes swaps a link above it', async ({ open }) => {
    const site = await open();
    for (const [name, text] of [
      ['..1', policyText()],
      ['..2', NOBODY_BUYS],
    ] as const) {
      mkdirSync(join(site.folder, 'config', name), { recursive: true });
      writePolicy(site, text, 'config', name, 'policy.yml');
    }
    const link = (to: string) => {
      symlinkSync(to, join(site.folder, 'config', '..next'));
      renameSync(join(site.folder, 'config', '..next'), join(site.folder, 'config', '..data'));
    };
    link('..1');
    symlinkSync(join('..data', 'policy.yml'), join(site.folder, 'config', 'policy.yml'));
    const bot = await site.start({ POLICY_FILE: 'config/policy.yml' });
    link('..2');
    await readAgain(bot, 1);

    unlinkSync(join(site.folder, 'config', 'policy.yml'));
    writePolicy(site, policyText(), 'policy.new');
    renameSync(join(site.folder, 'policy.new'), join(site.folder, 'config', 'policy.yml'));
    await readAgain(bot, 2);
  });

  it('and is wrong leaves the old one in force, and those who approve are told once, with place and remedy', async ({
    open,
  }) => {
    const site = await open({ expected: /the policy stays as it was/ });
    writePolicy(site, policyText(), 'second.yml');
    await site.start();
    const second = await site.start({ POLICY_FILE: 'second.yml' });
    for (const name of ['policy.yml', 'second.yml']) writePolicy(site, WRONG, name);
    const approver = site.slack.as(LEAD);
    await approver.waitFor(/policy file was changed and is wrong.*limit is not known: did you mean limits\?/s);
    await second.line((line) => line.level === 'error');
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor((screen) => screen.modal?.submit);

    for (const name of ['policy.yml', 'second.yml']) writePolicy(site, NOBODY_BUYS, name);
    await readAgain(second, 1);
    const alerts = site.slack
      .callsTo('chat.postMessage')
      .filter(({ args }) => /policy file was changed/.test(JSON.stringify(args)));
    expect(alerts).toHaveLength(1);
  });

  it('is in the ledger once for each that came into force, however many processes and restarts', async ({ open }) => {
    const site = await open();
    const [first, second] = [await site.start(), await site.start()];
    writePolicy(site, NOBODY_BUYS);
    const { policy } = await first.line(READ_AGAIN);
    await second.line(READ_AGAIN);
    for (const bot of [first, second]) await bot.end('SIGTERM');
    await (await site.start()).end('SIGTERM');
    using database = new DatabaseSync(site.databaseFile, { readOnly: true });
    const recorded = database.prepare('SELECT digest FROM policies ORDER BY seq').all();
    expect(recorded).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{16}$/) }, { digest: policy }]);
  });
});

function writePolicy({ folder }: Site, text: string, ...path: string[]): void {
  writeFileSync(join(folder, ...(path.length === 0 ? ['policy.yml'] : path)), text);
}

function readAgain(bot: BotProcess, times: number) {
  return bot.line(() => bot.lines.filter(({ msg }) => msg === READ_AGAIN).length >= times);
}
