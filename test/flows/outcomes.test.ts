import { describe, expect, it } from 'vitest';
import type { Misbehaviour } from '../../sandbox/vendor-api/misbehaviours.ts';
import { BUYER, LEAD, openOffice } from '../support/office.ts';
import { approved, cardWith, dmWith, FIRST_ORDER, reaches, until } from '../support/steps.ts';

type Row = readonly [string, Misbehaviour];

// What each answer proves is tabled in test/vendor-api/outcome.test.ts; here is what becomes of the three kinds.

const COMPLETED: readonly Row[] = [
  ['as documented', { name: 'as_documented' }],
  ['code 200 and nothing else', { name: 'answer', body: '{"code":200}', charge: true }],
];

const DECLINED: readonly Row[] = [
  ['another code', { name: 'refuse' }],
  ['403 with a code', { name: 'refuse', code: 403, status: 403, message: 'not allowed' }],
];

const UNKNOWN: readonly Row[] = [
  ['a reset before the answer', { name: 'reset_before_answer' }],
  ['no answer in time', { name: 'time_out' }],
  ['an answer that nobody can read', { name: 'html' }],
];

describe('what the vendor answers to the one POST', () => {
  it.each(COMPLETED)('%s is completed, and everybody who was asked or asks sees it', async (_, misbehaviour) => {
    const office = await openOffice();
    office.vendor.next('create', misbehaviour);
    const { purchase } = await approved(office, 'US 10', 'completed');
    const receipt = office.slack.as(BUYER).read(await dmWith(office, BUYER, 'Balance $1,000.00'));
    if (misbehaviour.name !== 'answer') expect(receipt).toContain(FIRST_ORDER);
    const card = office.slack.as(LEAD).read(await cardWith(office, 'Bought'));
    expect(card).toContain('Approved by @lea');
    expect(purchase.orderId).toBe(misbehaviour.name === 'answer' ? null : FIRST_ORDER);
    expect(office.vendor.posts).toBe(1);
    await dmWith(office, BUYER, '(−$32.00)');
  });

  it.each(DECLINED)('%s is declined, with the vendor’s words', async (_, misbehaviour) => {
    const office = await openOffice();
    office.vendor.next('create', misbehaviour);
    const { purchase } = await approved(office, 'US 10', 'declined');
    expect(purchase.declinedHow).toBe('vendor');
    await dmWith(office, BUYER, 'Declined by the vendor: nothing was bought');
    await cardWith(office, 'Declined by the vendor');
    expect(office.vendor.posts).toBe(1);
    expect(office.vendor.orders).toEqual([]);
  });

  it.each(UNKNOWN)('%s is unknown, and is never sent again by itself', async (_, misbehaviour) => {
    const office = await openOffice({ timeoutMs: 1_500 });
    office.vendor.next('create', misbehaviour);
    const { purchase, entries } = await approved(office, 'US 10', 'unknown');
    await dmWith(office, BUYER, 'Outcome unknown');
    const card = office.slack.as(LEAD).read(await cardWith(office, '[It was placed] [It was not placed]'));
    for (const part of ['@bea', '10 IPs', '$1,000.00']) expect(card).toContain(part);
    expect(entries.filter(({ detail }) => detail.kind === 'answer')).toHaveLength(1);
    expect(purchase.orderId).toBeNull();
    office.clock.advance(10 * 60 * 1000);
    await dmWith(office, BUYER, 'Balance $');
    expect(office.vendor.posts).toBe(1);
  });

  it('is asked for once, whatever time passes and however often the bot starts anew', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'reset_before_answer' });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    for (let starts = 0; starts < 3; starts += 1) {
      await office.restart();
      office.clock.advance(60 * 60 * 1000);
      await until(async () => (await office.books.status.counts()).notices.count === 0);
    }
    await reaches(office, purchase.id, 'unknown');
    expect(office.vendor.posts).toBe(1);
  });

  it('says from the first reading on that the balance has not moved, though the vendor said yes', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'answer', body: '{"code":200,"order_id":5}' });
    await approved(office, 'US 10', 'completed');
    await dmWith(office, BUYER, 'the balance has not moved');
    await cardWith(office, 'the balance has not moved');
  });
});
