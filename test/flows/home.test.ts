import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, GUEST, LEAD, LEAD2, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import {
  approved,
  buyNow,
  command,
  decide,
  dmWith,
  FIRST_ORDER,
  faultGroups,
  file,
  hears,
  modalText,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

/** Opens the Home tab, and waits until it shows something. */
async function homeOf(office: Office, user: string, words: string | RegExp = /Balance|Guests|not in a group/) {
  const person = office.slack.as(user);
  await person.openHome();
  await shows(office, user, words);
  return person;
}

function homeText(office: Office, user: string): string {
  const person = office.slack.as(user);
  return person.screen.home ? person.read(person.screen.home) : '';
}

function shows(office: Office, user: string, words: string | RegExp) {
  const has = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  return office.slack.as(user).waitFor((screen) => screen.home && has(homeText(office, user)));
}

const published = (office: Office) => office.slack.callsTo('views.publish').length;

describe('the Home tab', () => {
  it('shows the balance with its time, what waits, one’s own requests, orders and outcomes', async () => {
    const office = await openOffice();
    await approved(office, 'US 10', 'completed');
    const waits = await file(office, 'DE 6');
    const bea = await homeOf(office, BUYER, /Balance: \$[\d.]+, read/);
    const text = homeText(office, BUYER);
    expect(text).toContain(waits);
    expect(text).toMatch(/Order 9007199254740993.*10 IPs/);
    expect(text).toMatch(/ends about .*computed/);
    expect(text).toMatch(/Buy 10 IPs \(US 10\).*completed/);
    expect(text).toContain('[Withdraw]');
    expect(text).toContain('[Buy]');
    // Nobody decides their own request, and nothing waits for a buyer.
    expect(text).not.toContain('[Approve]');
    expect(text).not.toContain('Waiting for your decision');
    expect(bea.screen.dm.length).toBeGreaterThan(0);
    const lea = await homeOf(office, LEAD);
    expect(lea.read(lea.screen.home ?? never())).toMatch(/Waiting for your decision[\s\S]*DE 6[\s\S]*\[Approve\]/);
    // She may not buy: nothing to begin with.
    expect(homeText(office, LEAD)).not.toContain('[Buy]');
    expect(homeText(office, LEAD)).not.toContain('Order 9007199254740993');
  });

  it('is one plain sentence for whoever has no right', async () => {
    const office = await openOffice();
    await homeOf(office, STRANGER, 'You are not in a group that may use Proxy Desk');
    await homeOf(office, GUEST, 'Guests cannot use Proxy Desk');
    expect(homeText(office, STRANGER)).not.toMatch(/Balance|\[/);
    expect(office.vendor.requests.filter(({ raw }) => raw.startsWith('GET'))).toEqual([]);
  });

  it('tells no balance to whoever may not see it', async () => {
    const office = await openOffice({
      access: 'access: { balance: [S0LEADS], buy: [S0BUYERS], renew: [S0BUYERS], approve: [S0LEADS] }',
    });
    await homeOf(office, BUYER, '[Buy]');
    expect(homeText(office, BUYER)).not.toContain('Balance');
  });

  it('comes before a balance that is slow, which follows', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'time_out' });
    const bea = await homeOf(office, BUYER, 'Balance: reading the balance…');
    expect(homeText(office, BUYER)).toContain('[Buy]');
    office.clock.advance(6_000);
    await shows(office, BUYER, 'Balance: could not be read');
    expect(bea.screen.home?.blocks.length).toBeGreaterThan(1);
  });

  it('follows when something of one’s own changes, without being opened again', async () => {
    const office = await openOffice();
    await homeOf(office, BUYER);
    await homeOf(office, LEAD);
    await homeOf(office, VIEWER);
    await until(() => idle(office));
    const before = office.slack.callsTo('views.publish').filter(({ args }) => args['user_id'] === VIEWER).length;
    const id = await file(office, 'US 10');
    await shows(office, BUYER, id);
    await shows(office, LEAD, '[Approve]');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await shows(office, BUYER, 'Order 9007199254740993');
    await shows(office, LEAD, 'Nothing waits for your decision');
    await until(() => idle(office));
    // What is nobody's of theirs publishes nothing to others.
    expect(office.slack.callsTo('views.publish').filter(({ args }) => args['user_id'] === VIEWER)).toHaveLength(before);
  });

  it('says for everybody that spending is frozen, as soon as it is', async () => {
    const office = await openOffice();
    await homeOf(office, VIEWER);
    await command(office, 'freeze prices look wrong', LEAD);
    await shows(office, VIEWER, 'Spending is frozen by @lea');
    await command(office, 'unfreeze', LEAD);
    await shows(office, VIEWER, /^(?![\s\S]*Spending is frozen)/);
  });

  it('takes everything away from whoever has lost their rights', async () => {
    const office = await openOffice();
    await approved(office, 'US 10', 'completed');
    await homeOf(office, BUYER, 'Order 9007199254740993');
    await office.slack.world.setGroup('S0BUYERS', { members: [BUYER2] });
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER2, LEAD] });
    await shows(office, BUYER, 'You are not in a group');
    expect(homeText(office, BUYER)).not.toMatch(/Order|Balance|\[/);
  });

  it('shows nothing while rights cannot be read, and comes by itself when they can', async () => {
    const office = await openOffice();
    faultGroups(office, { kind: 'error', code: 'internal_error' });
    await homeOf(office, BUYER, 'could not be checked');
    expect(homeText(office, BUYER)).not.toMatch(/Balance|\[/);
    office.slack.faults.clear();
    await until(async () => {
      office.clock.advance(10_000);
      return homeText(office, BUYER).includes('Balance');
    });
  });
});

describe('a click on the Home tab', () => {
  it('decides a request as its card would, once, and the tab follows', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await homeOf(office, LEAD, '[Approve]');
    await lea.press('Approve', { in: 'home' });
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.submit('Approve');
    const { purchase } = await reaches(office, id, 'completed');
    expect(purchase.approver).toBe(LEAD);
    await shows(office, LEAD, 'Nothing waits for your decision');
    expect(office.vendor.posts).toBe(1);
  });

  it('withdraws one’s own request', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const bea = await homeOf(office, BUYER, '[Withdraw]');
    await bea.press('Withdraw', { in: 'home' });
    await reaches(office, id, 'withdrawn');
    await shows(office, BUYER, 'None is open');
    expect(homeText(office, BUYER)).toContain('withdrawn');
  });

  it('begins a purchase, and a renewal of one’s own order', async () => {
    const office = await openOffice();
    await approved(office, 'US 10', 'completed');
    const bea = await homeOf(office, BUYER, '[Renew]');
    await bea.press('Buy', { in: 'home' });
    await bea.waitFor('Buy proxies');
    await bea.close({ all: true });
    await bea.press('Open', { in: 'home' });
    await bea.waitFor('Let it end');
    await bea.close({ all: true });
    await bea.press('Renew', { in: 'home', nth: 2 });
    await bea.waitFor('Renew order');
    expect(modalText(bea)).toContain(FIRST_ORDER);
    await bea.close({ all: true });
    await bea.press('Renew', { in: 'home', nth: 1 });
    await bea.waitFor('Renew several');
  });

  it('enters an order id that is not known yet', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'no_order_id' });
    const id = await buyNow(office, 'US 3');
    await reaches(office, id, 'completed');
    const bea = await homeOf(office, BUYER, '[Enter order id]');
    await bea.press('Enter order id', { in: 'home' });
    await bea.waitFor((screen) => screen.modal?.submit);
    await bea.type('Order id', '4711');
    await bea.submit();
    await shows(office, BUYER, 'Order 4711');
  });

  it('counts for nobody who may not: forged, it is refused, told where they look, and written down', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await homeOf(office, LEAD, '[Approve]');
    await lea.press('Approve', { in: 'home' });
    await lea.waitFor((screen) => screen.modal?.submit);
    const bob = await homeOf(office, BUYER2);
    // Bob's own Home has no such button.
    const forge = (action_id: string) =>
      office.slack.interactions.actInView(bob.screen.home ?? never(), 'b', { type: 'button', action_id, value: id });
    await forge('approve');
    await bob.waitFor('not in a group that may approve');
    await bob.close({ all: true });
    await forge('withdraw');
    await bob.waitFor('Only the person who asked for this may do that');
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([
      `${BUYER2} approve: not_in_group`,
      `${BUYER2} withdraw: not_requester`,
    ]);
    // Rights that are gone by the time of the submit count, too.
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD2] });
    await lea.submit('Approve');
    await until(async () => refusalsIn(await reaches(office, id, 'requested')).length === 3);
    expect(office.vendor.posts).toBe(0);
  });
});

describe('publishing', () => {
  it('is done by one of two processes for each change', async () => {
    const office = await openOffice();
    await office.another();
    await homeOf(office, BUYER);
    await until(() => idle(office));
    const before = published(office);
    await office.books.homes.opened(BUYER);
    await until(() => idle(office));
    expect(published(office) - before).toBe(1);
    expect(office.slack.refusals('hash_conflict')).toEqual([]);
  });

  it('waits as long as Slack asks, and shows then what is true by then', async () => {
    const office = await openOffice();
    await homeOf(office, BUYER);
    await until(() => idle(office));
    const fault = office.slack.faults.add('views.publish', { kind: 'rate_limit', retryAfter: 60 }, { times: 1 });
    const id = await file(office, 'US 10');
    await until(() => fault.hits === 1);
    const before = published(office);
    await decide(office, id, 'Reject');
    await dmWith(office, BUYER, 'was rejected');
    expect(published(office)).toBe(before);
    office.clock.advance(61_000);
    await shows(office, BUYER, 'rejected');
  });

  it('overwrites nothing newer: a view that it does not know of is published over only with what is true now', async () => {
    const office = await openOffice();
    await homeOf(office, BUYER);
    await until(() => idle(office));
    // As a process would that has written its hash down nowhere.
    await office.slack.as(BUYER).waitFor('Balance');
    await office.books.database.write((sql) => sql.run(`UPDATE home_tabs SET hash = 'another'`));
    const id = await file(office, 'US 10');
    await shows(office, BUYER, id);
  });

  it('is done at the next start where it was owed', async () => {
    const office = await openOffice();
    await homeOf(office, BUYER);
    await until(() => idle(office));
    await office.bot.stop();
    await office.books.homes.opened(LEAD);
    await office.restart();
    await shows(office, LEAD, 'Balance');
  });
});

describe('/proxy requests mine', () => {
  it('tells what the Home tab does, with its buttons', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await file(office, 'DE 6', BUYER2);
    const bea = await command(office, 'requests mine');
    const said = await hears(office, BUYER, 'Your requests');
    expect(said).toContain(id);
    expect(said).not.toContain('DE 6');
    await bea.pressOn(bea.screen.ephemerals.at(-1) ?? never(), 'Withdraw');
    await reaches(office, id, 'withdrawn');
    await hears(office, BUYER, 'Withdrawn');
    await command(office, 'requests mine', STRANGER);
    await hears(office, STRANGER, 'not in a group that may see requests');
  });
});

async function idle(office: Office): Promise<boolean> {
  const rows = await office.books.database.read((sql) =>
    sql.all('SELECT 1 AS stale FROM home_tabs WHERE wanted > shown'),
  );
  return rows.length === 0;
}

function never(): never {
  throw new Error('there is none');
}
