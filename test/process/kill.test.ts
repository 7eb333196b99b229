import { describe, expect } from 'vitest';
import type { Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import {
  approve,
  askFor,
  cardOf,
  directsOf,
  file,
  fileQuietly,
  lineOf,
  openDecision,
  played,
  textOf,
  told,
} from '../support/site-steps.ts';

/** Nobody answers a click of which the process is killed. */
const NO_ACK = { ackLimitMs: 3_000, allowLateAck: true };

describe.concurrent('the process is killed (SIGKILL) and started again', () => {
  // First, since it is the longest: the others run beside it.
  it('waits for its real deadline and 15 s more before it calls a `sending` unknown, and sells nothing meanwhile', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const id = await sendAndHold(site, 'US 16');
    const heldAt = Date.now();
    await bot.end('SIGKILL');

    await site.start();
    const other = await file(site, 'US 17');
    await approve(site, other);
    await site.untilLedger((lines) => lines.find((line) => line.id === id)?.state === 'unknown');
    expect(Date.now() - heldAt).toBeGreaterThanOrEqual(15_000);
    await toldUnknown(site, id);
    await told(site, other, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(2);
  });

  it('before the request is filed: nothing is there, and asking again works', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    Object.assign(site.slack.settings, NO_ACK);
    const buyer = await askFor(site, 'US 11');
    const hanging = site.slack.faults.add('users.info', { kind: 'hang', when: 'before' });
    const asking = buyer.submit('Ask for approval');
    await played(site, hanging);
    await bot.end('SIGKILL');
    expect(await site.ledger()).toEqual([]);

    site.slack.faults.clear();
    await site.start();
    await asking;
    await buyer.close({ all: true });
    const id = await file(site, 'US 11');
    expect((await lineOf(site, id)).state).toBe('requested');
  });

  it('after filing, before the card is posted: the card is posted once', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const hanging = site.slack.faults.add('chat.postMessage', { kind: 'hang', when: 'before' }, { times: 2 });
    const id = await fileQuietly(site, 'US 12');
    await played(site, hanging);
    await bot.end('SIGKILL');

    site.slack.faults.clear();
    site.letTimePass();
    await site.start();
    await told(site, id, { directs: [/Waiting for approval/], cards: [/Approval needed/] });
  });

  it('before a decision commits: the card still works, and one POST follows the second try', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    Object.assign(site.slack.settings, NO_ACK);
    const id = await file(site, 'US 13');
    const lead = await openDecision(site, id, 'Approve');
    const hanging = site.slack.faults.add('users.info', { kind: 'hang', when: 'before' });
    const approving = lead.submit('Approve');
    await played(site, hanging);
    await bot.end('SIGKILL');
    expect(await lineOf(site, id)).toMatchObject({ state: 'requested', approver: null });

    site.slack.faults.clear();
    site.letTimePass();
    await site.start();
    await approving;
    await lead.close();
    await approve(site, id);
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('after the approval commits, before it is sent: it is sent once, without being asked again', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const id = await file(site, 'US 14');
    const lead = await openDecision(site, id, 'Approve');
    site.vendor.always('balance', { name: 'hold' });
    await lead.submit('Approve');
    await site.vendor.until(() => site.vendor.held > 0);
    await site.untilLedger(([line]) => line?.state === 'approved');
    await bot.end('SIGKILL');
    expect(site.vendor.posts).toBe(0);

    site.vendor.behave();
    site.letTimePass();
    await site.start();
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('after the POST has left: never a second one, and both are told that the outcome is unknown', async ({ open }) => {
    const site = await open();
    const bot = await site.start();
    const id = await sendAndHold(site, 'US 15');
    await bot.end('SIGKILL');
    expect((await lineOf(site, id)).state).toBe('sending');

    site.letTimePass();
    await site.start();
    await toldUnknown(site, id);
    expect(site.vendor.posts).toBe(1);
  });

  it('after the answer came, before it is stored: unknown, although the vendor has the order', async ({ open }) => {
    const site = await open({ expected: /could not be stored|database is locked/ });
    const bot = await site.start();
    const id = await sendAndHold(site, 'US 18');
    const unlock = site.lockLedger();
    site.vendor.release();
    await bot.line('answered');
    await bot.end('SIGKILL');
    unlock();
    expect((await lineOf(site, id)).state).toBe('sending');

    site.letTimePass();
    await site.start();
    await toldUnknown(site, id);
    expect(site.vendor.posts).toBe(1);
    expect(site.vendor.orders).toHaveLength(1);
  });

  it('after the answer is stored, before anybody is told: both are told once, by the next start', async ({ open }) => {
    const site = await open({ expected: /could not be delivered/ });
    const bot = await site.start();
    const id = await sendAndHold(site, 'US 19');
    // Slack's own work hangs: no message goes out and no card is edited.
    const hanging = site.slack.faults.add('chat.update', { kind: 'hang', when: 'before' }, { times: Infinity });
    site.slack.faults.add('chat.postMessage', { kind: 'hang', when: 'before' }, { times: Infinity });
    site.vendor.release();
    await site.untilLedger(([line]) => line?.state === 'completed');
    await played(site, hanging);
    await bot.end('SIGKILL');
    expect(textOf(site, cardOf(site, id))).not.toContain('Bought');
    expect(directsOf(site, id)).toHaveLength(1);

    site.slack.faults.clear();
    site.letTimePass();
    await site.start();
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(1);
  });

  it('after a refusal is stored, before the balance is compared: it becomes declined, by the same reading', async ({
    open,
  }) => {
    const site = await open();
    const bot = await site.start();
    const id = await sendAndHold(site, 'US 20', { name: 'refuse' });
    site.vendor.always('balance', { name: 'hold' });
    site.vendor.release();
    await site.vendor.until(() => site.vendor.held > 0);
    await bot.end('SIGKILL');
    expect((await lineOf(site, id)).state).toBe('sending');

    site.vendor.behave();
    site.letTimePass();
    await site.start();
    await told(site, id, {
      directs: [/Declined by the vendor/, /Declined by the vendor/],
      cards: [/Declined by the vendor/],
    });
    expect(site.vendor.posts).toBe(1);
  });
});

/** Approved, on its way, and the vendor has all of the POST; its answer waits. */
async function sendAndHold(
  site: Site,
  typed: string,
  answer: { name: 'refuse' } | { name: 'as_documented' } = { name: 'as_documented' },
): Promise<string> {
  const id = await file(site, typed);
  site.vendor.next('create', { name: 'hold', answer });
  await approve(site, id);
  await site.vendor.until(() => site.vendor.posts === 1 && site.vendor.held === 1);
  return id;
}

async function toldUnknown(site: Site, id: string): Promise<void> {
  await told(site, id, { directs: [/unknown/, /unknown/], cards: [/unknown/, /It was placed/] });
}
