import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, policyOf } from '../support/office.ts';
import { plansYaml, YEARLY } from '../support/plan.ts';
import {
  approved,
  askFor,
  buyNow,
  decide,
  dmWith,
  faultGroups,
  file,
  filed,
  hears,
  lost,
  modalText,
  press,
  reaches,
} from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;

describe('the review', () => {
  it('says exactly what would be sent, what it needs, and files nothing by itself', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 10, DE 5');
    for (const part of ['Buy 15 IPs', 'Germany: 5', 'United States: 10', 'lt-monthly', 'Needs approval', '$1,000.00'])
      expect(modalText(bea)).toContain(part);
    await bea.close();
    expect(await office.records()).toEqual([]);
    await bea.type('Quantity', '1', { nth: 1 });
    await bea.type('Quantity', '2', { nth: 2 });
    await bea.submit('Review');
    expect(modalText(bea)).toContain('No approval needed');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect((await office.records())[0]?.purchase.quantity).toBe(3);
  });

  it('files one purchase for one review, submitted twice at once or delivered again', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 5');
    const view = bea.screen.modal;
    if (!view) throw new Error('no review');
    const [first] = await Promise.all([office.slack.interactions.submit(view), office.slack.interactions.submit(view)]);
    await office.slack.redeliver(first);
    await bea.waitFor('Filed: Buy 5 IPs');
    await dmWith(office, BUYER, 'Bought');
    await office.slack.redeliver(first);
    expect(await office.records()).toHaveLength(1);
    expect(office.vendor.posts).toBe(1);
  });

  it('shows a new review when a twin was filed while it was open', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 10');
    const id = await file(office, 'US 10', BUYER2);
    await bea.submit('Ask for approval');
    expect(modalText(bea)).toMatch(/@bob has asked for the same.*it waits for approval/);
    expect(bea.screen.modal?.submit).toBeNull();
    expect((await office.records()).map(({ purchase }) => purchase.id)).toEqual([id]);
  });

  it('of two people with the same content, submitted at once, files one and points the other to it', async () => {
    const office = await openOffice();
    const people = [await askFor(office, 'US 4'), await askFor(office, 'US 4', BUYER2)];
    await Promise.all(people.map((person) => person.submit('Buy now')));
    expect(await office.records()).toHaveLength(1);
    expect(people.filter((person) => modalText(person).includes('Filed'))).toHaveLength(1);
    expect(
      people.filter((person) => /has asked for the same|The same was completed/.test(modalText(person))),
    ).toHaveLength(1);
    await reaches(office, (await office.records())[0]?.purchase.id ?? '', 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('shows a new review, which asks for a tick, when a twin was completed while it was open', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    await reaches(office, await buyNow(office, 'US 2', BUYER2), 'completed');
    await bea.submit('Buy now');
    expect(modalText(bea)).toContain('Nothing was filed');
    expect(modalText(bea)).toMatch(
      /The same was completed just now \(request P-\w+, asked for by @bob\)\. It is paid a second time\./,
    );
    expect(await office.records()).toHaveLength(1);
    // Slack's own client insists on the box, and so does the desk.
    expect((await bea.submit('Buy now')).sent).toBe(false);
    await bea.submit('Buy now', { force: true });
    expect(await office.records()).toHaveLength(1);
    await bea.tick('This is a new, separate purchase');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(office.vendor.posts).toBe(2);
  });

  it('forgets a completed twin after 24 hours', async () => {
    const office = await openOffice();
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    expect(modalText(await askFor(office, 'US 2', BUYER2))).toContain('new, separate purchase');
    office.clock.advance(24 * HOUR + 1000);
    expect(modalText(await askFor(office, 'US 2', BUYER2))).not.toContain('separate');
  });

  it('says what no longer holds when the policy changed while it was open: a lower limit, the plan gone', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 20');
    const bob = await askFor(office, 'US 8', BUYER2);
    await office.restart(policyOf({ limits: 'limits: { ips_per_order: 10 }' }));
    await bea.submit('Ask for approval');
    expect(modalText(bea)).toContain('This cannot be filed. This asks for 20 IPs, and one order may have at most 10.');
    await office.restart(policyOf({ plans: plansYaml(YEARLY) }));
    await bob.submit('Ask for approval');
    expect(modalText(bob)).toContain('The plan Static residential, monthly is no longer offered.');
    expect(await office.records()).toEqual([]);
  });

  it('is filed only by its own submit: one that comes late files neither what was changed since nor what was not asked', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const first = bea.screen.modal;
    if (!first) throw new Error('no review');
    faultGroups(office, { kind: 'rate_limit', retryAfter: 1 }, { times: 1 });
    const refused = await bea.submit('Buy now');
    expect(modalText(bea)).toContain('could not be checked');
    await bea.close();
    await bea.type('Quantity', '50');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 50 IPs');
    // Slack delivers the submission of the first review once more: it was for 2 IPs, and is not a yes to 50.
    if (!refused.delivery) throw new Error('nothing was sent');
    office.clock.advance(2_000);
    await office.slack.redeliver(refused.delivery);
    expect(await office.records()).toEqual([]);
  });

  it('files what it showed, though the form was changed since and not reviewed again', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const late = await lost(office, async () => (await bea.submit('Buy now')).delivery);
    await bea.close();
    await bea.type('Quantity', '3');
    await bea.press('Add country');
    await bea.waitFor('Total 3 IPs');
    await office.slack.redeliver(late);
    expect((await office.records()).map(({ purchase }) => purchase.quantity)).toEqual([2]);
  });

  it('refuses what somebody else has open, with a pointer to it, until that is over', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10, DE 5');
    const bob = await askFor(office, 'DE 5, US 10', BUYER2);
    expect(modalText(bob)).toContain('@bea has asked for the same');
    expect(bob.screen.modal?.submit).toBeNull();
    await decide(office, id, 'Reject');
    await reaches(office, id, 'rejected');
    await askFor(office, 'DE 5, US 10', BUYER2);
    await filed(office, bob, 'Ask for approval');
  });

  it('refuses for 60 s what the vendor has just declined, and says how long', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'refuse' });
    await approved(office, 'US 10', 'declined');
    const bob = await askFor(office, 'US 10', BUYER2);
    expect(modalText(bob)).toMatch(/declined the same a moment ago.*try again in (60|59|58) seconds/s);
    expect(bob.screen.modal?.submit).toBeNull();
    office.clock.advance(60_000);
    expect((await askFor(office, 'US 10', BUYER2)).screen.modal?.submit).toMatchObject({ text: 'Ask for approval' });
  });

  it('names those who decide, and says so when nobody but the requester could', async () => {
    const office = await openOffice();
    await office.slack.world.setGroup('S0LEADS', { members: [BUYER] });
    const id = await file(office, 'US 10');
    await dmWith(office, BUYER, 'Nobody else can approve it at present');
    await press(office, id, 'Approve', BUYER);
    await hears(office, BUYER, 'your own request');
    // Somebody is made an approver: the request need not be filed anew.
    await office.slack.world.setGroup('S0LEADS', { members: [BUYER, LEAD] });
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
  });
});
