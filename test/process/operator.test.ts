import { userInfo } from 'node:os';
import { describe, expect } from 'vitest';
import { BUYER, LEAD } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, told } from '../support/site-steps.ts';

const PATIENCE = { timeout: 20_000 };

describe.concurrent('the operator, who has a shell and no Slack', { timeout: 60_000 }, () => {
  it('freezes and unfreezes a running bot; those who approve are told by whom, and nobody is mentioned for it', async ({
    open,
  }) => {
    const site = await open();
    await site.start();
    const id = await file(site, 'US 3');
    await site.ledgerCommand('freeze', 'the', 'token', 'leaked');
    const lead = site.slack.as(LEAD);
    await lead.waitFor(`Spending was frozen by the operator ${userInfo().username}: the token leaked`, PATIENCE);
    await approve(site, id);
    await lead.command('/proxy', 'freeze again');
    await lead.waitFor(
      `Spending is frozen already, by the operator ${userInfo().username}: the token leaked`,
      PATIENCE,
    );
    expect(JSON.parse(await site.ledgerCommand('status', '--json'))).toMatchObject({
      frozen: { by: `operator:${userInfo().username}`, reason: 'the token leaked' },
      purchases: { approved: 1 },
      instances: [{ version: expect.stringMatching(/^\d/) }],
    });
    expect(site.vendor.posts).toBe(0);

    await site.ledgerCommand('unfreeze');
    await lead.waitFor(`Spending is no longer frozen, by the operator ${userInfo().username}.`, PATIENCE);
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] }, BUYER);
    expect(site.vendor.posts).toBe(1);
  });

  it('freezes a bot that is down: nothing is sent when it starts, and it tells of the freeze first of all', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const id = await file(site, 'US 3');
    await bot.end('SIGTERM');
    await site.ledgerCommand('freeze', 'a look at the bill');
    await site.start();
    await site.slack.as(LEAD).waitFor(/Spending was frozen by the operator .*: a look at the bill/, PATIENCE);
    await approve(site, id);
    await site.untilLedger((lines) => lines.some(({ state }) => state === 'approved'));
    expect(site.vendor.posts).toBe(0);
  });
});
