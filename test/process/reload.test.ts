import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { BUYER, policyText, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, told } from '../support/site-steps.ts';

describe.concurrent('SIGHUP', () => {
  it('reads the policy again: who may buy, and how much, is as the file says now; what waits goes on', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const id = await file(site, 'US 51');
    writePolicy(site, policyText().replace('buy: [S0BUYERS]', 'buy: [S0LEADS]').replace('500', '400'));
    bot.send('SIGHUP');
    await bot.line('the policy was read again');
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'buy US 1');
    await buyer.waitFor(/not in a group that may buy/);

    writePolicy(site, policyText().replace('500', '400'));
    bot.send('SIGHUP');
    await bot.line(() => bot.lines.filter(({ msg }) => msg === 'the policy was read again').length > 1);
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
    writePolicy(site, `${policyText().replace('buy: [S0BUYERS]', 'buy: [S0LEADS]')}limit: {}\n`);
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
    const [first, second] = [await site.start(), await site.start()];
    await first.until('/metrics', 200, 'proxy_desk_instances_different 0');
    writePolicy(site, policyText('expire_after: 12h'));
    second.send('SIGHUP');
    await first.until('/metrics', 200, 'proxy_desk_instances_different 1');
    first.send('SIGHUP');
    await first.until('/metrics', 200, 'proxy_desk_instances_different 0');
  });
});

function writePolicy({ folder }: Site, text: string): void {
  writeFileSync(join(folder, 'policy.yml'), text);
}
