import { describe, expect, it } from 'vitest';
import { closeAfterwards } from '../support/afterwards.ts';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import {
  buyNow,
  cardWith,
  comesTo,
  command,
  decide,
  dmWith,
  file,
  logged,
  press,
  reaches,
  until,
} from '../support/steps.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

describe('a request that provably never left', () => {
  it('is not sent late by a process that was paused after its commit', async () => {
    const office = await openOffice();
    let pauses = 1;
    whenSending(office, () => pauses-- > 0 && office.clock.advance(6_000));
    const id = await buyNow(office, 'US 5');
    await dmWith(office, BUYER, 'The last try did not leave');
    expect(office.vendor.posts).toBe(0);
    const { purchase } = await comesTo(office, id, 'completed', 1_000);
    expect(purchase.attempt?.number).toBe(2);
    expect(office.vendor.posts).toBe(1);
  });

  it('is tried three times at most, and then told to both as declined, with nothing sent', async () => {
    const office = await openOffice();
    whenSending(office, () => office.clock.advance(6_000));
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    const { purchase, entries } = await comesTo(office, id, 'declined', 1_000);
    expect(purchase).toMatchObject({ declinedHow: 'not_sent', attempt: { number: 3 } });
    const attempts = entries.flatMap(({ to, detail }) =>
      to === 'sending' && detail.kind === 'transition' ? [detail.evidence] : [],
    );
    expect(new Set(attempts.map((evidence) => JSON.stringify(evidence)))).toHaveProperty('size', 3);
    await dmWith(office, BUYER, 'nothing was sent, so no money moved');
    await cardWith(office, 'nothing was sent');
    expect(office.vendor.posts).toBe(0);
    // A person may ask again at once: the vendor never said no.
    await file(office, 'US 10');
  });

  it('is given up when a minute has passed since the first try', async () => {
    const office = await openOffice();
    whenSending(office, () => office.clock.advance(40_000));
    const { purchase } = await comesTo(office, await buyNow(office, 'US 5'), 'declined', 1_000);
    expect(purchase.attempt?.number).toBe(2);
    expect(office.vendor.posts).toBe(0);
  });

  it('goes when the vendor can be connected to again', async () => {
    const line = closeAfterwards(await startTcpProxy());
    const office = await openOffice({ vendorAt: (baseUrl) => line.through(baseUrl) });
    let cuts = 1;
    whenSending(office, () => cuts-- > 0 && line.refuse());
    const id = await buyNow(office, 'US 5');
    await dmWith(office, BUYER, 'The last try did not leave');
    await line.up();
    await comesTo(office, id, 'completed', 1_000);
    expect(office.vendor.posts).toBe(1);
  });

  it('is not tried again while spending is frozen, nor after it was withdrawn', async () => {
    const office = await openOffice();
    whenSending(office, () => office.clock.advance(6_000));
    const id = await buyNow(office, 'US 5');
    await logged(office, 'answered');
    await command(office, 'freeze look at this', LEAD);
    await cardWith(office, 'Spending was frozen');
    office.clock.advance(5_000);
    await reaches(office, id, 'approved');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen');
    office.clock.advance(5_000);
    await until(async () => (await office.books.status.counts()).notices.count === 0);
    expect(office.vendor.posts).toBe(0);
  });
});

/** Between the commit of `sending` and the start of the request. */
function whenSending(office: Office, act: () => unknown): void {
  office.hear(({ message }) => {
    if (message === 'sending') act();
  });
}
