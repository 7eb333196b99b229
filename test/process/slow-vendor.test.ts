import { describe, expect } from 'vitest';
import type { Delivery } from '../../sandbox/slack/index.ts';
import { BUYER, BUYER2, LEAD, LEAD2 } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, file, lineOf, told } from '../support/site-steps.ts';

describe.concurrent('while the vendor hangs', () => {
  it('others go on working: commands, filing and approving are acknowledged, and nothing else is sent', async ({
    open,
  }) => {
    const site = await open();
    await site.start({ PROXY_API_TIMEOUT_MS: '30000' });
    const sending = await file(site, 'US 61');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, sending);
    await site.vendor.until(() => site.vendor.held === 1);
    site.vendor.always('balance', { name: 'hold' });
    const since = site.slack.deliveries.length;

    const other = site.slack.as(BUYER2);
    await other.command('/proxy', 'balance');
    await other.command('/proxy', 'help');
    await other.command('/proxy', 'requests');
    await other.waitFor(/being sent/);
    await other.command('/proxy', 'orders');
    const waiting = await file(site, 'US 62', BUYER2);
    await approve(site, waiting, LEAD2);
    const lead = site.slack.as(LEAD);
    await lead.command('/proxy', 'freeze looking into it');
    await lead.command('/proxy', 'unfreeze');

    const acked = site.slack.deliveries.slice(since);
    expect(acked.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(site.vendor.posts).toBe(1);
    expect((await lineOf(site, waiting)).state).toBe('approved');
    console.info(`ack times while the vendor hangs (ms): ${figures(acked)}`);

    site.vendor.behave();
    site.vendor.release();
    await told(site, sending, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    await told(site, waiting, { directs: [/Bought/, /Bought/], cards: [/Bought/] }, BUYER2);
    await other.waitFor(/\$\d+\.\d\d/);
  });

  it('nobody who asked for the balance holds up a stop: they are told that it could not be read', async ({ open }) => {
    const site = await open();
    const bot = await site.start({ PROXY_API_TIMEOUT_MS: '300000' });
    site.vendor.always('balance', { name: 'hold' });
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'balance');
    await site.vendor.until(() => site.vendor.held === 1);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await buyer.waitFor(/could not be read/);
  });

  it('a balance that cannot be read is told as such, and buying waits instead of guessing', async ({ open }) => {
    const site = await open();
    await site.start({ PROXY_API_TIMEOUT_MS: '500' });
    const id = await file(site, 'US 63');
    site.vendor.always('balance', { name: 'time_out' });
    const buyer = site.slack.as(BUYER);
    await buyer.command('/proxy', 'balance');
    await buyer.waitFor(/could not be read/);
    const read = site.vendor.requests.length;
    await approve(site, id);
    await site.vendor.until(() => site.vendor.requests.length > read);
    expect((await lineOf(site, id)).state).toBe('approved');
    expect(site.vendor.posts).toBe(0);
  });
});

function figures(deliveries: readonly Delivery[]): string {
  const byType = Map.groupBy(deliveries, ({ type }) => type);
  return [...byType].map(([type, all]) => `${type} ${all.map(({ ackMs }) => ackMs).join('/')}`).join(', ');
}
