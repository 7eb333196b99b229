import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, STRANGER } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  askFor,
  buyNow,
  cardWith,
  command,
  decide,
  dmWith,
  FIRST_ORDER,
  faultGroups,
  file,
  filed,
  hears,
  modalText,
  openDecision,
  openForm,
  press,
  reaches,
} from '../support/steps.ts';

describe('what was typed', () => {
  it('stays when rights cannot be checked on submitting: the error stands at the field', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Reject');
    await lea.type('Reason', 'a long and careful reason');
    faultGroups(office, { kind: 'status', status: 500 });
    expect((await lea.submit('Reject')).errors['Reason']).toContain('could not be checked');
    expect(modalText(lea)).toContain('a long and careful reason');
    office.slack.faults.clear();
    office.clock.advance(60_000);
    await lea.submit('Reject');
    await reaches(office, id, 'rejected');
  });

  it('is given back by a command whose rights could not be checked', async () => {
    const office = await openOffice();
    faultGroups(office, { kind: 'status', status: 500 });
    await command(office, 'buy US 10, DE 5');
    expect(await hears(office, BUYER, 'could not be checked')).toContain('You typed: /proxy buy US 10, DE 5');
  });

  it('is in the form again after Ask again, and nothing is filed by it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10, DE 5', BUYER, 'a crawl');
    await decide(office, id, 'Reject', LEAD, 'Too many.');
    await dmWith(office, BUYER, 'Rejected by @lea: “Too many.” No money moved.');
    const bea = office.slack.as(BUYER);
    await bea.close({ all: true });
    await press(office, id, 'Ask again', BUYER);
    await bea.waitFor(/Buy proxies.*Balance: (?!reading)/s);
    expect(modalText(bea)).toMatch(/United States.*: 10.*Germany.*: 5.*a crawl/s);
    expect(await office.records()).toHaveLength(1);
    await bea.submit('Review');
    const again = await filed(office, bea, 'Ask for approval');
    expect((await reaches(office, again, 'requested')).purchase).toMatchObject({ reason: 'a crawl', quantity: 15 });
  });

  it('is in the form again after Buy again, from the receipt, the Home tab and the order, and nothing is filed by it', async () => {
    const office = await openOffice({ plans: plansYaml(YEARLY, MONTHLY) });
    const bea = await openForm(office, 'US 10, DE 5');
    await bea.pick('Plan', YEARLY.name);
    await bea.type('Reason', 'a crawl');
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await bea.close({ all: true });
    const filledIn = new RegExp(`Buy proxies.*${YEARLY.name}.*United States.*: 10.*Germany.*: 5`, 's');
    await press(office, id, 'Buy again', BUYER);
    await bea.waitFor((screen) => screen.modal && filledIn.test(modalText(bea)));
    await bea.close({ all: true });
    await bea.openHome();
    await bea.waitFor((screen) => screen.home && bea.read(screen.home).includes('[Buy again]'));
    await bea.press('Buy again', { in: 'home' });
    await bea.waitFor((screen) => screen.modal && filledIn.test(modalText(bea)));
    await bea.close({ all: true });
    // What the team has may be bought again by whoever may buy, with a reason of their own.
    const bob = await command(office, `orders ${FIRST_ORDER}`, BUYER2);
    await bob.waitFor('Buy again');
    await bob.press('Buy again');
    await bob.waitFor((screen) => screen.modal && filledIn.test(modalText(bob)));
    expect(modalText(bob)).not.toContain('a crawl');
    expect(await office.records()).toHaveLength(1);
  });

  it('of somebody else is opened to nobody by a hand-made click on Ask again', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10', BUYER, 'a secret plan');
    await decide(office, id, 'Reject');
    const delivery = await press(office, id, 'Ask again', BUYER);
    await office.slack.as(BUYER).waitFor('Buy proxies');
    const body = { ...delivery.body, user: { id: BUYER2 }, trigger_id: 'none' };
    await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user: BUYER2, body });
    expect(office.slack.as(BUYER2).screen.modal).toBeUndefined();
  });
});

describe('Withdraw', () => {
  it('asks first, and a no changes nothing', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const bea = office.slack.as(BUYER);
    const message = await dmWith(office, BUYER, '[Withdraw]');
    expect(await bea.pressOn(message, 'Withdraw', { confirm: false })).toBeNull();
    await reaches(office, id, 'requested');
    await bea.pressOn(message, 'Withdraw');
    await reaches(office, id, 'withdrawn');
  });
});

describe('the review', () => {
  it('shows the balance once it is read, also where it was not yet when it opened', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'hold' });
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('reading the balance…');
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/Review.*Reason: testing.*Balance: reading the balance…/s);
    office.vendor.behave();
    office.vendor.release();
    await bea.waitFor(/Review.*Balance: \$1,000\.00, read/s);
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
  });
});

describe('whoever approves', () => {
  it('is told on card and modal that the same was bought just before', async () => {
    const office = await openOffice();
    const first = await buyNow(office, 'US 2');
    await reaches(office, first, 'completed');
    await reaches(office, await buyNow(office, 'DE 3'), 'completed');
    const bea = await askFor(office, 'US 2');
    expect(modalText(bea)).toMatch(/If approved, it is paid a second time/);
    await bea.tick('This is a new, separate purchase');
    const id = await filed(office, bea, 'Ask for approval');
    const said = `Repeat: the same was completed just now (request ${first}, asked for by @bea). If approved, it is paid a second time.`;
    expect(office.slack.as(LEAD).read(await cardWith(office, id))).toContain(said);
    expect(modalText(await openDecision(office, id, 'Approve'))).toContain(said);
  });
});

describe('somebody in no group', () => {
  it.each([
    ['orders', 'see orders'],
    ['requests', 'see requests'],
    ['balance', 'see the balance'],
    ['buy', 'buy proxies'],
  ])('who runs /proxy %s is told that they may not %s', async (typed, words) => {
    const office = await openOffice();
    await command(office, typed, STRANGER);
    await hears(office, STRANGER, `You are not in a group that may ${words}`);
  });
});
