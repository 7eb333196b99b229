import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import {
  approved,
  buyNow,
  cardWith,
  comesTo,
  command,
  decide,
  dmWith,
  file,
  reaches,
  until,
} from '../support/steps.ts';

describe('the balance after an attempt', () => {
  it('that fell although the vendor said no makes it unknown at once', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'refuse', charge: true });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    expect(purchase.why).toBe('the vendor refused it, but the balance fell');
    await dmWith(office, BUYER, 'the vendor refused it, but the balance fell');
    await cardWith(office, '[It was placed]');
    expect(office.vendor.posts).toBe(1);
  });

  it.each([10_000, 60_000])(
    'that falls only %i ms later turns declined into unknown, told to everybody who was told',
    async (later) => {
      const office = await openOffice();
      office.vendor.next('create', { name: 'refuse' });
      const { purchase } = await approved(office, 'US 10', 'declined');
      await dmWith(office, BUYER, 'Declined by the vendor');
      if (later === 60_000) {
        office.clock.advance(10_000);
        await readingsOf(office, purchase.id, 2);
      }
      office.vendor.balance = '968.00';
      office.clock.advance(later);
      await reaches(office, purchase.id, 'unknown');
      // The message that said declined says so no more, and a new one says what is known now.
      await dmWith(office, BUYER, 'This was told to you as declined; it has changed since');
      await office.slack.as(BUYER).waitFor((screen) => screen.dm.length === 3);
      await cardWith(office, 'the balance fell');
      await cardWith(office, '[It was not placed]');
      expect(office.vendor.posts).toBe(1);
    },
  );

  it('proves nothing any more once another purchase was sent in between', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'refuse' });
    const { purchase } = await approved(office, 'US 10', 'declined');
    await reaches(office, await buyNow(office, 'DE 5'), 'completed');
    office.clock.advance(10_000);
    const [, second] = await readingsOf(office, purchase.id, 2);
    expect(second).toMatchObject({ alone: false, balance: '984.00' });
    expect((await reaches(office, purchase.id, 'declined')).purchase.why).not.toContain('fell');
    await dmWith(office, BUYER, 'another purchase was sent in between, so it proves nothing');
  });

  it('that cannot be read leaves it declined, and says that it could not be compared', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold', answer: { name: 'refuse' } });
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await office.vendor.until(() => office.vendor.held === 1);
    office.vendor.always('balance', { name: 'html' });
    office.vendor.release();
    expect((await reaches(office, id, 'declined')).purchase.why).toContain('the balance could not be compared');
    await dmWith(office, BUYER, 'could not be compared');
    expect(office.vendor.posts).toBe(1);
  });

  it('is taken three times and kept with its times: at once, after 10 s, after 60 s', async () => {
    const office = await openOffice();
    const { purchase } = await approved(office, 'US 10', 'completed');
    expect(await readingsOf(office, purchase.id, 1)).toHaveLength(1);
    office.clock.advance(10_000);
    await readingsOf(office, purchase.id, 2);
    office.clock.advance(50_000);
    await readingsOf(office, purchase.id, 3);
    office.clock.advance(600_000);
    await dmWith(office, BUYER, '$968.00');
    const readings = await readingsOf(office, purchase.id, 3);
    expect(readings.map(({ nth, balance, alone }) => [nth, balance, alone])).toEqual(
      [0, 1, 2].map((nth) => [nth, '968.00', true]),
    );
  });

  it('holds up the next purchase until the first reading is taken', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const first = await buyNow(office, 'US 3');
    await office.vendor.until(() => office.vendor.held === 1);
    const second = await buyNow(office, 'DE 2');
    office.vendor.next('balance', { name: 'hold' });
    office.vendor.release();
    await reaches(office, first, 'completed');
    await office.vendor.until(() => office.vendor.held === 1);
    await reaches(office, second, 'approved');
    expect(office.vendor.posts).toBe(1);
    office.vendor.release();
    const { purchase } = await reaches(office, second, 'completed');
    expect(purchase.attempt?.balanceBefore).toBe('990.40');
  });
});

describe('the balance before an attempt', () => {
  it.each([
    ['0', 'the balance is used up'],
    ['-3.20', 'the balance is used up'],
  ])('of %s sends nothing, and says so to both', async (balance, why) => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.vendor.balance = balance;
    await decide(office, id, 'Approve');
    expect((await reaches(office, id, 'declined')).purchase).toMatchObject({ declinedHow: 'not_sent', why });
    await dmWith(office, BUYER, why);
    await cardWith(office, why);
    expect(office.vendor.posts).toBe(0);
  });

  it('that is unreadable for a minute sends nothing; one that comes back within it does', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'answer', body: '{"code":200,"data":{"balance":"N/A"}}' });
    const lost = await file(office, 'US 10');
    await decide(office, lost, 'Approve');
    const before = office.clock.now();
    expect((await comesTo(office, lost, 'declined', 5_000)).purchase.why).toContain('the balance could not be read');
    expect(office.clock.now() - before).toBeGreaterThan(60_000);
    await dmWith(office, BUYER, 'the balance could not be read');

    const kept = await file(office, 'DE 10');
    await decide(office, kept, 'Approve');
    await asked(office);
    office.vendor.behave();
    await comesTo(office, kept, 'completed', 1_000);
    expect(office.vendor.posts).toBe(1);
  });

  it('is asked of the vendor again at the moment of sending, not remembered from the review', async () => {
    const office = await openOffice();
    await command(office, 'freeze wait', LEAD);
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    office.vendor.balance = '700.10';
    await command(office, 'unfreeze', LEAD);
    expect((await reaches(office, id, 'completed')).purchase.attempt?.balanceBefore).toBe('700.10');
  });
});

/** Waits until so many readings stand in the ledger. */
function readingsOf(office: Office, id: string, count: number) {
  return until(async () => {
    const record = await office.books.ledger.record(id);
    const found = record?.entries.flatMap(({ detail }) => (detail.kind === 'reading' ? [detail] : [])) ?? [];
    return found.length >= count ? found : undefined;
  }, `reading ${count}`);
}

/** Waits until the vendor has answered one more question about the balance. */
async function asked({ vendor }: Office): Promise<void> {
  const before = vendor.requests.length;
  let answered = false;
  const off = vendor.on(({ type }) => {
    answered ||= type === 'answer' && vendor.requests.length > before;
  });
  await vendor.until(() => answered);
  off();
}
