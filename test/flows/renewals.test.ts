import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, openOffice, policyOf } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  bodies,
  buyNow,
  cardWith,
  decide,
  dmWith,
  FIRST_ORDER,
  filed,
  modalText,
  openDecision,
  reaches,
  renew,
} from '../support/steps.ts';

const PLANS = plansYaml(MONTHLY, YEARLY);
const OWN = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5, renewals: false }` };

describe('a renewal', () => {
  it('pays for exactly the order that was named, with every digit, after an approval', async () => {
    const office = await openOffice();
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    const bob = await renew(office, `#${FIRST_ORDER}`, BUYER2, 'next month');
    for (const part of ['Bought by @bea', '2 IPs', 'Plan last paid', 'computed by us'])
      expect(modalText(bob)).toContain(part);
    await bob.submit('Review');
    expect(modalText(bob)).toContain('Needs approval');
    const id = await filed(office, bob, 'Ask for approval');
    expect(office.slack.as(LEAD).read(await cardWith(office, id))).toContain('Bought by @bea');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    expect(bodies(office)[1]).toBe(`{"order_id":${FIRST_ORDER},"renew_product_id":"lt-monthly"}`);
    expect(office.vendor.orders[0]?.renewals).toBe(1);
    await dmWith(office, BUYER2, `Renewed: order ${FIRST_ORDER}`);
  });

  it('of one order is asked for once at a time: the second is pointed to the first, while it is open or unknown', async () => {
    const office = await openOffice();
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    const bea = await renew(office, FIRST_ORDER);
    const bob = await renew(office, FIRST_ORDER, BUYER2);
    await bea.submit('Review');
    await bob.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await bob.submit('Ask for approval');
    expect(modalText(bob)).toMatch(/@bea has asked for the same.*waits for approval/);
    office.vendor.next('renew', { name: 'reset_before_answer' });
    const [lea, lou] = await Promise.all([
      openDecision(office, id, 'Approve', LEAD),
      openDecision(office, id, 'Approve', LEAD2),
    ]);
    await Promise.all([lea.submit('Approve'), lou.submit('Approve')]);
    await reaches(office, id, 'unknown');
    await renew(office, FIRST_ORDER, BUYER2);
    await bob.submit('Review');
    expect(modalText(bob)).toContain('its outcome is unknown');
    expect(await office.records()).toHaveLength(2);
    expect(office.vendor.posts).toBe(2);
  });

  it('paid a moment ago needs the tick that it is a separate one', async () => {
    const office = await openOffice(OWN);
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    const bea = await renew(office, FIRST_ORDER);
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Renew now'), 'completed');
    const bob = await renew(office, FIRST_ORDER, BUYER2);
    expect(modalText(bob)).toContain('Renewed once, last by @bea');
    await bob.submit('Review');
    expect((await bob.submit('Renew now')).sent).toBe(false);
    await bob.tick('This is a new, separate purchase');
    await reaches(office, await filed(office, bob, 'Renew now'), 'completed');
    expect(office.vendor.orders[0]?.renewals).toBe(2);
  });

  it('of an order never seen always needs approval, and says so in the form and on the card', async () => {
    const office = await openOffice(OWN);
    office.vendor.addOrder({ id: '777', quantity: 1 });
    const bea = await renew(office, '777');
    expect(modalText(bea)).toContain('this bot has never seen it');
    expect(modalText(bea)).toContain('always needs approval');
    await bea.pick('Plan', 'Static residential, monthly');
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    expect(office.slack.as(LEAD).read(await cardWith(office, id))).toContain('this bot has never seen it');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    expect(bodies(office)).toEqual(['{"order_id":777,"renew_product_id":"lt-monthly"}']);
    // A renewal makes it known, its size stays unknown: approval all the same.
    office.clock.advance(25 * 60 * 60 * 1000);
    const bob = await renew(office, '777', BUYER2);
    expect(modalText(bob)).toContain('never saw it being bought, only renewed');
    await bob.submit('Review');
    expect(modalText(bob)).toContain('Needs approval');
  });

  it('follows the free allowance where the policy says that renewals need no approval', async () => {
    const office = await openOffice(OWN);
    await reaches(office, await buyNow(office, 'US 3'), 'completed');
    const bea = await renew(office, FIRST_ORDER);
    await bea.submit('Review');
    // 3 bought and 3 to renew are more than 5.
    expect(modalText(bea)).toContain('Needs approval');
    const bob = await renew(office, FIRST_ORDER, BUYER2);
    await bob.submit('Review');
    const { purchase } = await reaches(office, await filed(office, bob, 'Renew now'), 'completed');
    expect(purchase).toMatchObject({ approver: null, quantity: 3, orderId: FIRST_ORDER });
  });

  it('is preset to the plan last paid, and never silently to another one when that is gone', async () => {
    const office = await openOffice({ ...OWN, plans: PLANS });
    const bea = await renewedYearly(office);
    expect(modalText(bea)).toContain('Plan: Static residential, yearly');
    await bea.close({ all: true });
    await office.restart(policyOf({ ...OWN }));
    const bob = await renew(office, FIRST_ORDER, BUYER2);
    expect(modalText(bob)).toMatch(/The plan last paid, Static residential, yearly.*is no longer offered/);
    expect(modalText(bob)).toContain('Plan: (Choose a plan)');
    expect((await bob.submit('Review', { force: true })).errors).toEqual({ Plan: 'Choose a plan.' });
    expect((await office.records()).length).toBe(2);
  });

  it('whose answer names another order says so on receipt and card', async () => {
    const office = await openOffice(OWN);
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    office.vendor.next('renew', { name: 'answer', body: '{"code":200,"data":{"order_id":666}}' });
    const bea = await renew(office, FIRST_ORDER);
    await bea.submit('Review');
    const { purchase } = await reaches(office, await filed(office, bea, 'Renew now'), 'completed');
    expect(purchase.orderId).toBe(FIRST_ORDER);
    await dmWith(office, BUYER, `the answer names order id 666, but order ${FIRST_ORDER} was to be renewed`);
  });

  it('that the vendor refuses is declined with its words; of one that has no such order too', async () => {
    const office = await openOffice();
    const bea = await renew(office, '31337');
    await bea.pick('Plan', 'Static residential, monthly');
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await decide(office, id, 'Approve');
    expect((await reaches(office, id, 'declined')).purchase.why).toBe('order not found');
    await dmWith(office, BUYER, 'order not found');
  });
});

/** An order bought monthly and renewed yearly, in the form of its next renewal. */
async function renewedYearly(office: Awaited<ReturnType<typeof openOffice>>) {
  const { slack } = office;
  const bea = slack.as(BUYER);
  await bea.command('/proxy', 'buy US 1');
  await bea.waitFor('Buy proxies');
  await bea.pick('Plan', MONTHLY.name);
  await bea.submit('Review');
  await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
  await renew(office, FIRST_ORDER);
  expect(modalText(bea)).toContain('Plan: Static residential, monthly');
  await bea.pick('Plan', YEARLY.name);
  await bea.submit('Review');
  await reaches(office, await filed(office, bea, 'Renew now'), 'completed');
  expect(bodies(office)[1]).toContain('"renew_product_id":"lt-yearly"');
  return renew(office, FIRST_ORDER);
}
