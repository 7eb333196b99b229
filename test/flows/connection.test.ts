import { describe, expect, it } from 'vitest';
import { BUYER, openOffice } from '../support/office.ts';
import { askFor, command, dmWith, hears, modalText, reaches, submitted, until } from '../support/steps.ts';

describe('Slack’s connection', () => {
  it.each([
    ['is refreshed', 'disconnect'],
    ['is cut', 'drop'],
  ] as const)('that %s during a purchase changes nothing about it, and the bot is back by itself', async (_, how) => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const { id } = await submitted(office, await askFor(office, 'US 5'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    office.slack.sockets[how]();
    office.vendor.release();
    await reaches(office, id, 'completed');
    await dmWith(office, BUYER, 'Bought');
    await until(() => office.slack.sockets.count() === 1);
    await command(office, 'orders');
    await hears(office, BUYER, 'US 5');
    expect(office.vendor.posts).toBe(1);
  });

  it('that loses a submission files nothing, and the same view can be submitted again', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    office.slack.settings.ackLimitMs = 200;
    office.slack.settings.allowLateAck = true;
    office.slack.sockets.loseNext();
    const { delivery } = await bea.submit('Buy now');
    expect(delivery?.failure).toBe('operation_timeout');
    expect(modalText(bea)).toContain('trouble connecting');
    expect(await office.records()).toEqual([]);
    office.slack.settings.ackLimitMs = 3_000;
    const { id } = await submitted(office, bea, 'Buy now');
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('whose answer to a submission is lost leads to the same purchase when it is submitted once more', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    const view = bea.screen.modal;
    if (!view) throw new Error('no review');
    const { body, kind, type, user } = await office.slack.interactions.submit(view);
    const again = await office.slack.deliver({ kind, type, user, body });
    expect(JSON.stringify(again.ack)).toContain('Filed: Buy 5 IPs');
    const [record] = await office.records();
    await reaches(office, record?.purchase.id ?? '', 'completed');
    expect(await office.records()).toHaveLength(1);
    expect(office.vendor.posts).toBe(1);
  });
});
