import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { askFor, file, modalText, openDecision, reaches, submitted, until } from '../support/steps.ts';

describe('a stop', () => {
  it('while a request is at the vendor records the refusal that comes, and tells it, before it is over', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold', answer: { name: 'refuse', message: 'No such stock' } });
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await lea.submit('Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    const stopped = office.bot.stop();
    await nothingLooksForWork(office);
    office.vendor.release();
    await stopped;
    const record = await office.books.ledger.record(id);
    expect(record?.purchase).toMatchObject({ state: 'declined', declinedHow: 'vendor' });
    const bea = office.slack.as(BUYER);
    const told = bea.screen.dm.map((message) => bea.read(message)).filter((text) => text.includes('No such stock'));
    expect(told).toHaveLength(1);
    expect((await office.books.status.counts()).notices.count).toBe(0);
  });

  it('does not wait for a vendor that no longer tells the balance: the refusal is recorded all the same, and looked at later', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold', answer: { name: 'refuse' } });
    const { id } = await submitted(office, await askFor(office, 'US 1'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    office.vendor.always('balance', { name: 'hold' });
    const stopped = office.bot.stop();
    await nothingLooksForWork(office);
    const asked = office.vendor.requests.length;
    office.vendor.release();
    await office.vendor.until(() => office.vendor.requests.length > asked && office.vendor.held === 1);
    office.clock.advance(5_000);
    await stopped;
    const { purchase } = await reaches(office, id, 'declined');
    expect(purchase.why).toContain('the balance could not be compared');
    // The vendor had booked it after all: the later readings still find that out.
    office.vendor.behave();
    office.vendor.balance = '1';
    office.clock.advance(10_000);
    await office.restart();
    await reaches(office, id, 'unknown');
    expect(office.vendor.posts).toBe(1);
  });

  it('sends nothing new from its first moment on, although somebody still waits for an answer to a click', async () => {
    const office = await openOffice({
      groupsOneByOne: true,
      approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 20 }`,
    });
    const third = await file(office, 'FR 30', LEAD2);
    const lea = await openDecision(office, third, 'Approve');
    office.vendor.next('create', { name: 'hold' });
    const first = await submitted(office, await askFor(office, 'US 1'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    const second = await submitted(office, await askFor(office, 'DE 1', BUYER2), 'Buy now');
    // Slack is slow to say who approves, and quick about everything that the second purchase needs.
    const slow = office.slack.faults.add(
      'usergroups.users.list',
      { kind: 'delay', ms: 500 },
      { times: Infinity, only: ({ args }) => args['usergroup'] === 'S0LEADS' },
    );
    const approving = lea.submit('Approve');
    await until(() => slow.hits > 0);
    const stopped = office.bot.stop();
    office.vendor.release();
    const { delivery } = await approving;
    await stopped;

    expect(delivery?.failure).toBeNull();
    expect(modalText(lea)).toBe('');
    expect(office.vendor.posts).toBe(1);
    await reaches(office, first.id, 'completed');
    for (const id of [second.id, third]) await reaches(office, id, 'approved');
    office.slack.faults.clear();
    await office.restart();
    for (const id of [second.id, third]) await reaches(office, id, 'completed');
    expect((await reaches(office, third, 'completed')).purchase.approver).toBe(LEAD);
    expect(office.vendor.posts).toBe(3);
  });
});

/** Slack's connection is closed, and the bot has heard of that: next it tells its workers to end. */
async function nothingLooksForWork(office: Office): Promise<void> {
  await until(() => office.slack.sockets.count() === 0);
  const { status } = await fetch(`http://127.0.0.1:${office.bot.port}/healthz`);
  expect(status).toBe(200);
}
