import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, GUEST, LEAD, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import {
  approved,
  buyNow,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  file,
  hears,
  modalText,
  press,
  reaches,
  refusalsIn,
} from '../support/steps.ts';

describe('the order id in the vendor’s answer', () => {
  it.each([
    ['none', '{"code":200}', null, 'names no order id'],
    ['several', '{"code":200,"a":{"order_id":5},"b":[{"order_id":6}]}', null, 'names several: order id 5, 6'],
    ['a fraction', '{"code":200,"order_id":4.5}', null, 'names no order id'],
    ['the same twice', '{"code":200,"a":{"order_id":5},"b":[{"order_id":"5"}]}', '5', 'Order 5'],
    [
      'beyond 2^53',
      '{"code":200,"order_id":98765432109876543210}',
      '98765432109876543210',
      'Order 98765432109876543210',
    ],
  ])('counts only when it is exactly one, with every digit: %s', async (_, body, orderId, shown) => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'answer', body, charge: true });
    expect((await approved(office, 'US 10', 'completed')).purchase.orderId).toBe(orderId);
    const receipt = office.slack.as(BUYER).read(await dmWith(office, BUYER, shown));
    expect(receipt.includes('[Enter order id]')).toBe(orderId === null);
  });

  it('that another purchase holds is not taken for this one', async () => {
    const office = await openOffice();
    office.vendor.always('create', { name: 'answer', body: '{"code":200,"order_id":77}', charge: true });
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    const { purchase } = await reaches(office, await buyNow(office, 'DE 2'), 'completed');
    expect(purchase.orderId).toBeNull();
    await dmWith(office, BUYER, 'names order id 77, but another purchase holds it');
  });
});

describe('Enter order id', () => {
  it('is for the requester on the receipt, and becomes an entry with their id', async () => {
    const { office, id } = await withoutOrderId();
    const bea = await open(office, id, BUYER);
    expect((await bea.submit('Save')).sent).toBe(false);
    for (const wrong of ['12a', '-5', '1.5', '1'.repeat(41)]) {
      await bea.type('Order id', wrong);
      expect((await bea.submit('Save')).errors['Order id'], wrong).toBeTruthy();
    }
    await bea.type('Order id', '#００12345');
    await bea.submit('Save');
    await dmWith(office, BUYER, 'Order 12345 (entered by @bea)');
    await cardWith(office, 'Order 12345 (entered by @bea)');
    const { entries } = await reaches(office, id, 'completed');
    expect(entries.at(-1)).toMatchObject({ by: BUYER, detail: { kind: 'order_id', orderId: '12345', before: null } });
    // Nobody is asked for what is known.
    const [receipt, card] = [await dmWith(office, BUYER, 'Order 12345'), await cardWith(office, 'Order 12345')];
    expect(bea.read(receipt)).not.toContain('[Enter order id]');
    expect(office.slack.as(LEAD).read(card)).not.toContain('[Enter order id]');
  });

  it('that another purchase holds is an error at its field, and what was typed stays', async () => {
    const { office, id } = await withoutOrderId();
    const { purchase } = await reaches(office, await buyNow(office, 'US 2', BUYER2), 'completed');
    const taken = purchase.orderId ?? '';
    const bea = await open(office, id, BUYER);
    await bea.type('Order id', taken);
    const { errors } = await bea.submit('Save');
    expect(errors['Order id']).toContain('already belongs to another purchase');
    expect(modalText(bea)).toContain(`Order id: ${taken}`);
    await bea.type('Order id', '12345');
    await bea.submit('Save');
    await dmWith(office, BUYER, 'Order 12345 (entered by @bea)');
  });

  it('is for approvers on the card', async () => {
    const { office, id } = await withoutOrderId();
    const lea = await open(office, id, LEAD);
    await lea.type('Order id', '12345');
    await lea.submit('Save');
    await cardWith(office, '(entered by @lea)');
    await dmWith(office, BUYER, '(entered by @lea)');
  });

  it('is refused to others: a buyer who did not ask, a stranger, a guest', async () => {
    const { office, id } = await withoutOrderId();
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, BUYER, BUYER2, STRANGER, GUEST] });
    const bob = await open(office, id, BUYER2);
    await bob.type('Order id', '12345');
    await bob.submit('Save');
    expect(modalText(bob)).toContain('Only the person who asked for this may do that');
    await press(office, id, 'Enter order id', STRANGER);
    await hears(office, STRANGER, 'not in a group');
    await press(office, id, 'Enter order id', GUEST);
    await hears(office, GUEST, 'Guests');
    const record = await reaches(office, id, 'completed');
    expect(record.purchase.orderId).toBeNull();
    expect(refusalsIn(record)).toContain(`${BUYER2} enter order id: not_requester`);
  });

  it('is refused for an id that another buy holds', async () => {
    const { office, id } = await withoutOrderId();
    const other = await file(office, 'DE 9');
    await decide(office, other, 'Approve');
    const held = (await reaches(office, other, 'completed')).purchase.orderId ?? '';
    expect(held).not.toBe('');
    for (const user of [BUYER, LEAD]) {
      const person = await open(office, id, user);
      await person.type('Order id', held);
      await person.submit('Save');
      expect(modalText(person)).toContain(`Order id ${held} already belongs to another purchase (request ${other})`);
    }
    expect((await reaches(office, id, 'completed')).purchase.orderId).toBeNull();
  });

  it('is offered in /proxy orders where the id is missing, to the requester and approvers', async () => {
    const { office, id } = await withoutOrderId();
    for (const user of [BUYER, LEAD, VIEWER]) {
      await command(office, 'orders', user);
      expect((await hears(office, user, 'Order id not known')).includes('[Enter order id]')).toBe(user !== VIEWER);
    }
    const bea = office.slack.as(BUYER);
    await bea.pressOn(
      (message, text) => message.ephemeralTo === BUYER && text.includes('Order id not known'),
      'Enter order id',
    );
    await bea.waitFor((screen) => screen.modal?.submit);
    await bea.type('Order id', '4711');
    await bea.submit('Save');
    expect((await reaches(office, id, 'completed')).purchase.orderId).toBe('4711');
    await command(office, 'orders', LEAD);
    expect(await hears(office, LEAD, 'Order 4711')).not.toContain('[Enter order id]');
  });

  it('keeps nobody from buying the same again: the form opens from the list, for whoever asked', async () => {
    const { office } = await withoutOrderId();
    const isInList = (message: { ephemeralTo?: string | null }, text: string) =>
      message.ephemeralTo === BUYER && text.includes('Order id not known');
    for (const user of [LEAD, BUYER]) {
      await command(office, 'orders', user);
      expect((await hears(office, user, 'Order id not known')).includes('[Buy again]')).toBe(user === BUYER);
    }
    const bea = office.slack.as(BUYER);
    await bea.pressOn(isInList, 'Buy again');
    await bea.waitFor(/Buy proxies.*Country: .*: \d+.*Balance: (?!reading)/s);
    expect(await office.records()).toHaveLength(1);
  });

  it('goes to one of two who type the same id for two purchases at once', async () => {
    const { office, id } = await withoutOrderId();
    office.vendor.next('create', { name: 'no_order_id' });
    const other = await file(office, 'DE 9');
    await decide(office, other, 'Approve');
    await reaches(office, other, 'completed');
    await dmWith(office, BUYER, other);
    const [bea, lea] = [await open(office, id, BUYER), await open(office, other, LEAD)];
    for (const person of [bea, lea]) await person.type('Order id', '12345');
    await Promise.all([bea.submit('Save'), lea.submit('Save')]);
    const ids = (await office.records()).map(({ purchase }) => purchase.orderId);
    expect(new Set(ids)).toEqual(new Set(['12345', null]));
  });

  it('is not offered where the vendor’s answer names the order, nor taken from a hand-made click', async () => {
    const { office } = await withoutOrderId();
    const other = await file(office, 'DE 9');
    await decide(office, other, 'Approve');
    await reaches(office, other, 'completed');
    await dmWith(office, BUYER, `request ${other}`);
    await delivered(office);
    const receipt = office.slack.as(BUYER).read(await dmWith(office, BUYER, 'Germany: 9'));
    expect(receipt).not.toContain('[Enter order id]');
    const bea = office.slack.as(BUYER);
    await bea.close({ all: true });
    const delivery = await press(office, other, 'Show the answer', BUYER);
    await bea.waitFor('== The answer ==');
    await bea.close({ all: true });
    const [action] = delivery.body['actions'] as [object];
    const actions = [{ ...action, action_id: 'enter_order_id' }];
    const body = { ...delivery.body, actions, trigger_id: freshTrigger(office) };
    await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user: BUYER, body });
    await bea.waitFor((screen) => screen.modal?.submit);
    await bea.type('Order id', '5');
    expect((await bea.submit('Save')).errors['Order id']).toContain('so it stays');
  });
});

/** A completed purchase whose order id nobody knows. */
async function withoutOrderId(): Promise<{ office: Office; id: string }> {
  const office = await openOffice();
  office.vendor.next('create', { name: 'no_order_id' });
  const { purchase } = await approved(office, 'US 10', 'completed');
  await dmWith(office, BUYER, '[Enter order id]');
  await cardWith(office, '[Enter order id]');
  return { office, id: purchase.id };
}

async function open(office: Office, id: string, user: string) {
  await press(office, id, 'Enter order id', user);
  const person = office.slack.as(user);
  await person.waitFor((screen) => screen.modal?.submit);
  return person;
}

/** A trigger that Slack would take for a click now. */
function freshTrigger({ slack }: Office): string {
  slack.state.triggers['fresh'] = { id: 'fresh', user: BUYER, at: Date.now(), used: false, viewId: null };
  return 'fresh';
}
