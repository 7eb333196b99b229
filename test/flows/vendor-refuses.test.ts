import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, VIEWER } from '../support/office.ts';
import {
  approved,
  buyNow,
  cardWith,
  command,
  dmWith,
  file,
  hears,
  modalText,
  openForm,
  privately,
  reaches,
  until,
} from '../support/steps.ts';

describe('a vendor that does not accept the token (401)', () => {
  it.each([
    ['status 401 without a code', { name: 'empty', status: 401 }, 'unknown'],
    ['code 401 at 200', { name: 'refuse', code: 401, message: 'invalid token' }, 'declined'],
    ['code 401 at 401', { name: 'refuse', code: 401, status: 401 }, 'declined'],
  ] as const)('freezes spending by itself at a POST: %s', async (_, misbehaviour, state) => {
    const office = await openOffice();
    office.vendor.next('create', misbehaviour);
    await approved(office, 'US 10', state);
    await cardWith(office, 'Spending was frozen by Proxy Desk itself');
    expect(await office.books.ledger.freeze()).toMatchObject({ by: 'desk' });
    const next = await file(office, 'DE 1, FR 9');
    expect(office.vendor.posts).toBe(1);
    await reaches(office, next, 'requested');
  });

  it('freezes at a reading too, tells the approvers once, and lets an approver end it', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'refuse', code: 401, status: 401 });
    for (const user of [VIEWER, BUYER, BUYER2]) await command(office, 'balance', user);
    for (const user of [VIEWER, BUYER, BUYER2]) await hears(office, user, 'could not be read');
    await cardWith(office, 'Spending was frozen by Proxy Desk itself');
    const channel = () => office.slack.as(LEAD).screen.channels['approvals'] ?? [];
    expect(channel()).toHaveLength(1);
    // One try each at most: a token that is refused is refused a second later too.
    expect(office.vendor.requests.length).toBeLessThanOrEqual(3);

    office.vendor.behave();
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen, by @lea');
    await reaches(office, await buyNow(office, 'US 1'), 'completed');
    const said = JSON.stringify([office.slack.calls, office.slack.deliveries, office.lines]);
    expect(said).not.toContain(office.vendor.token);
  });
});

describe('a vendor that does not allow a call (403)', () => {
  it('is told to the approvers once a day, and nothing is frozen', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'empty', status: 403 });
    for (const user of [VIEWER, BUYER]) await command(office, 'balance', user);
    await cardWith(office, 'Please look at this');
    await hears(office, BUYER, 'could not be read');
    expect(await office.books.ledger.freeze()).toBeNull();
    office.clock.advance(24 * 60 * 60 * 1000);
    await command(office, 'balance', VIEWER);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.channels['approvals']?.length === 2);
    expect(privately(office, VIEWER)).toHaveLength(2);
  });

  it('is told also when only the sending meets it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.vendor.always('balance', { name: 'empty', status: 403 });
    office.vendor.always('create', { name: 'empty', status: 403 });
    const lea = office.slack.as(LEAD);
    await lea.pressOn((_, text) => text.includes('[Approve]'), 'Approve');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.submit('Approve');
    await cardWith(office, 'Please look at this');
    await reaches(office, id, 'approved');
    expect(office.vendor.posts).toBe(0);
  });

  it.each([
    ['with a code', { name: 'refuse', code: 403, status: 403, message: 'not your plan' }, 'declined', 'status 403'],
    ['without one', { name: 'empty', status: 403 }, 'unknown', 'status 403'],
    ['that says so in its code alone', { name: 'refuse', code: 403, message: 'not your plan' }, 'declined', 'code 403'],
  ] as const)('is told once where it is the answer to a POST %s', async (_, misbehaviour, state, said) => {
    const office = await openOffice();
    office.vendor.always('create', misbehaviour);
    await reaches(office, await buyNow(office, 'US 1'), state);
    await cardWith(office, 'Please look at this');
    await reaches(office, await buyNow(office, 'DE 1'), state);
    await dmWith(office, BUYER, said);
    expect(
      office.slack
        .as(LEAD)
        .screen.channels['approvals']?.filter((m) => office.slack.as(LEAD).read(m).includes('Please look')),
    ).toHaveLength(1);
    expect(await office.books.ledger.freeze()).toBeNull();
  });
});

describe('a balance that is odd', () => {
  it.each([
    ['12.5', '$12.50'],
    ['"12.50"', '$12.50'],
    ['-3.2', '−$3.20'],
    ['-0.00', '$0.00'],
    ['0.30000000000000004', '$0.30'],
    ['null', 'could not be read'],
    ['"N/A"', 'could not be read'],
    ['true', 'could not be read'],
    ['{}', 'could not be read'],
    ['""', 'could not be read'],
    ['"1.234,50"', 'could not be read'],
    ['9999997590000000', '$9,999,997,590,000,000.00'],
  ])('is shown as it is, or said to be unreadable, never as 0: %s', async (balance, shown) => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'answer', body: `{"code":200,"data":{"balance":${balance}}}` });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, shown);
    const bea = await openForm(office, 'US 1');
    expect(modalText(bea)).toContain(shown);
  });

  it('is read a second time at most, and a long wait is told, not slept', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'rate_limit', retryAfter: '86400' });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'the vendor asks to wait 86400 seconds');
    expect(office.vendor.requests).toHaveLength(1);
    office.vendor.always('balance', { name: 'html', status: 502 });
    await command(office, 'balance', VIEWER);
    await until(() => privately(office, VIEWER).length === 2);
    expect(office.vendor.requests).toHaveLength(3);
  });
});
