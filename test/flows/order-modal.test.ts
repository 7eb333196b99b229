import { describe, expect, it } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { BUYER, BUYER2, GUEST, LEAD, LEAD2, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import { daysAgo, openOrder, press, shown, writeDown } from '../support/orders.ts';
import {
  buyNow,
  command,
  FIRST_ORDER,
  faultGroups,
  filed,
  hears,
  modalText,
  reaches,
  until,
} from '../support/steps.ts';

describe('an order’s modal', () => {
  it('opens from the list and by its id, and tells what was paid, by whom and why', async () => {
    const office = await openOffice();
    const id = await buyNow(office, 'US 2');
    await reaches(office, id, 'completed');
    const vic = await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, `Order ${FIRST_ORDER}`);
    await vic.pressOn(vic.message(FIRST_ORDER), 'Open');
    await vic.waitFor('== Order ==');
    const fromList = modalText(vic);
    expect(fromList).toMatch(/Owner\n@bea.*United States: 2.*Bought by @bea.*Reason: scraping the catalogue/s);
    expect(fromList).toContain(`request ${id}`);
    expect(fromList).not.toMatch(/\[(Renew|Keep|Note)\]/);
    await command(office, `orders #${FIRST_ORDER}`, VIEWER);
    await vic.waitFor('== Order ==');
    expect(modalText(vic)).toContain(`Order ${FIRST_ORDER}`);
    for (const user of [STRANGER, GUEST]) {
      await command(office, `orders ${FIRST_ORDER}`, user);
      await hears(office, user, user === GUEST ? 'Guests cannot' : 'not in a group that may see orders');
      expect(office.slack.as(user).screen.modal).toBeUndefined();
    }
  });

  it('opens as a loading view where rights take a while, and shows nothing before', async () => {
    const office = await openOffice();
    await writeDown(office, '5');
    faultGroups(office, { kind: 'delay', ms: 600 });
    const vic = await command(office, 'orders 5', VIEWER);
    await vic.waitFor('One moment…');
    expect(modalText(vic)).not.toContain('5');
    await vic.waitFor('Order 5');
  });

  it('says Keep and Let it end, shows which is pressed, and the way back; each is an entry with who said it', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await openOrder(office, '5');
    await bea.press('Keep');
    await bea.waitFor('Kept: to be renewed before it ends, said by @bea');
    await bea.press('Let it end');
    await bea.waitFor('To be let end, said by @bea');
    await bea.press('Let it end');
    await bea.waitFor((screen) => !screen.text().includes('To be let end'));
    // An approver may, too.
    const lea = await openOrder(office, '5', LEAD);
    await lea.press('Keep');
    await lea.waitFor('Kept: to be renewed before it ends, said by @lea');
    expect(await said(office, '5')).toEqual([`${BUYER} keep`, `${BUYER} let_end`, `${BUYER} null`, `${LEAD} keep`]);
    await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, 'kept: to be renewed before it ends');
  });

  it('counts a click once that Slack delivers again, long after, and shows what holds now', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await openOrder(office, '5');
    const keep = await bea.press('Keep');
    await bea.waitFor('Kept:');
    await bea.press('Let it end');
    await bea.waitFor('To be let end');
    office.clock.advance(3_600_000);
    const updates = office.slack.callsTo('views.update').length;
    if (keep) await office.slack.redeliver(keep);
    await until(() => office.slack.callsTo('views.update').length > updates);
    await bea.waitFor('To be let end');
    expect(await said(office, '5')).toEqual([`${BUYER} keep`, `${BUYER} let_end`]);
  });

  it('shows the last that was said, whichever update Slack takes last', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await openOrder(office, '5');
    const slow = office.slack.faults.add('views.update', { kind: 'delay', ms: 700 });
    await bea.press('Keep');
    await until(() => slow.hits === 1);
    await bea.press('Let it end');
    await bea.waitFor('To be let end');
    await until(() => office.slack.callsTo('views.update').length >= 3);
    await bea.waitFor('To be let end');
    expect(modalText(bea)).not.toContain('Kept:');
  });

  it('is handed over to somebody who may renew, and to nobody else', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await openOrder(office, '5');
    await bea.press('Hand over');
    await bea.waitFor('== Hand over ==');
    expect((await bea.submit('Hand over')).sent).toBe(false);
    for (const heir of ['vic', 'gus', 'sue']) {
      await bea.pick('New owner, who may renew orders', heir);
      expect((await bea.submit('Hand over')).errors['New owner, who may renew orders'], heir).toContain(
        'may not renew',
      );
    }
    await bea.pick('New owner, who may renew orders', 'bob');
    const { delivery } = await bea.submit('Hand over');
    await bea.waitFor('Handed over to @bob by @bea');
    // It is no longer theirs to change.
    expect(modalText(bea)).toContain('Owner\n@bob');
    expect(modalText(bea)).not.toContain('[Hand over]');
    if (delivery) await office.slack.redeliver(delivery);
    const bob = await openOrder(office, '5', BUYER2);
    expect(modalText(bob)).toContain('[Hand over]');
    expect((await office.books.ledger.order('5')).entries).toHaveLength(2);
  });

  it('takes a note as it was typed, changes it, and takes it away', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await openOrder(office, '5');
    await writeNote(bea, 'for <!channel> & *co*');
    await bea.waitFor('Note: for <!channel> & *co*');
    await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, '“for <!channel> &');
    await openOrder(office, '5');
    await bea.press('Note');
    await bea.waitFor('Note (optional): for <!channel> & *co*');
    // Untouched, it stays, and nothing is written.
    await bea.submit('Save');
    await bea.waitFor('== Order ==');
    expect((await office.books.ledger.order('5')).entries).toHaveLength(2);
    await writeNote(bea, '');
    await bea.waitFor('Note removed by @bea');
    expect(modalText(bea)).not.toContain('Note: for');
    await bea.press('Note');
    await bea.waitFor('== Note ==');
    await bea.type('Note', 'x'.repeat(501));
    expect((await bea.submit('Save')).sent).toBe(false);
    expect((await bea.submit('Save', { force: true })).errors['Note']).toContain('At most 500');
  });

  it.each(['missing', 'null'] as const)(
    'keeps a note whose view came late and was submitted untouched, where presets are %s',
    async (presets) => {
      const office = await openOffice({ presets });
      await writeDown(office, '5', { owner: BUYER, note: 'for the crawler' });
      const bea = await openOrder(office, '5');
      office.clock.advance(61_000);
      faultGroups(office, { kind: 'delay', ms: 600 }, { times: 1 });
      await bea.press('Note');
      await bea.waitFor('One moment…');
      await bea.waitFor('Note (optional)');
      expect((await bea.submit('Save')).errors).toEqual({});
      await bea.waitFor((screen) => !screen.text().includes('Note (optional)'));
      expect(modalText(bea)).toContain('Note: for the crawler');
    },
  );

  it('refuses who may not change it, though the button was forged, and writes nothing', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    await writeDown(office, '6', { owner: BUYER2 });
    // A button of one's own order, made to carry another's id.
    const bob = await openOrder(office, '6', BUYER2);
    const pressed = await bob.press('Keep');
    await bob.waitFor('Kept:');
    for (const action_id of ['keep_order', 'let_order_end', 'hand_over', 'edit_note'])
      await press(office, pressed, BUYER2, { action_id, value: '5' });
    await bob.waitFor('Only its owner, @bea, and those who approve change this order');
    await press(office, pressed, STRANGER, { action_id: 'keep_order', value: '5' });
    for (const value of ['', '0', '12a', '\u0000', 'x'.repeat(2_000), '__proto__'])
      for (const action_id of ['keep_order', 'open_order', 'renew_order', 'edit_note'])
        await press(office, pressed, BUYER2, { action_id, value });
    // A right that is gone by the time of the click counts.
    const bea = await openOrder(office, '5');
    await office.slack.world.setGroup('S0TEAM', { members: [LEAD] });
    await office.slack.world.setGroup('S0BUYERS', { members: [LEAD] });
    await bea.press('Keep');
    await bea.waitFor('not in a group');
    expect(await said(office, '5')).toEqual([]);
    expect(office.lines.filter(({ message }) => message === 'a listener failed')).toEqual([]);
  });

  it('renews from there: form and review lie on it, and all of it closes when it is filed', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: LEAD2, note: 'for the crawler', boughtAt: daysAgo(office, 20) });
    const bea = await openOrder(office, '5');
    await bea.press('Renew');
    await bea.waitFor('== Renew order ==');
    await bea.waitFor(/Balance: \$/);
    expect(modalText(bea)).toMatch(/3 IPs\n🇺🇸 United States: 3/);
    expect(modalText(bea)).toMatch(/Imported by @lea.*Ends about .*computed by us/s);
    await bea.submit('Review');
    await bea.waitFor('== Review ==');
    const id = await filed(office, bea, 'Ask for approval');
    expect((await reaches(office, id, 'requested')).purchase).toMatchObject({ orderId: '5', quantity: 3 });
    await bea.close();
    expect(bea.screen.modal).toBeUndefined();
    await openOrder(office, '5');
    expect(modalText(bea)).toContain(`A renewal, asked for by @bea, is waiting for approval (request ${id})`);
  });
});

async function writeNote(person: Hands, text: string): Promise<void> {
  await person.press('Note');
  await person.waitFor('== Note ==');
  await person.type('Note', text);
  await person.submit('Save');
}

/** Who wanted what of the order, oldest first. */
async function said(office: Office, orderId: OrderId): Promise<string[]> {
  const { entries } = await office.books.ledger.order(orderId);
  return entries.flatMap(({ by, detail }) => (detail.kind === 'order_intent' ? [`${by} ${detail.intent}`] : []));
}
