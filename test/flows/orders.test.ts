import { describe, expect, it } from 'vitest';
import type { Hands, Message } from '../../sandbox/slack/index.ts';
import type { ImportedOrder } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { BUYER, BUYER2, GUEST, LEAD, LEAD2, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import { MONTHLY } from '../support/plan.ts';
import {
  buyNow,
  command,
  FIRST_ORDER,
  faultGroups,
  filed,
  hears,
  modalText,
  privately,
  reaches,
  until,
} from '../support/steps.ts';

const DAY = 86_400_000;

describe('/proxy orders', () => {
  it('lists what has not ended, the soonest end first, and turns its pages in place', async () => {
    const office = await openOffice();
    for (let i = 1; i <= 23; i += 1) await writeDown(office, `${i}`, { boughtAt: daysAgo(office, 26 - i) });
    await writeDown(office, '99', { boughtAt: daysAgo(office, 90) });
    const vic = await command(office, 'orders', VIEWER);
    expect(await shown(office, VIEWER, 'Orders: 23')).toMatch(/Order 1 · .*Order 10 · .*Page 1 of 3/s);
    expect(privately(office, VIEWER).join()).not.toContain('Order 99');
    const list = () => vic.message('Orders: 23');
    await vic.pressOn(list(), 'Next');
    expect(await shown(office, VIEWER, 'Page 2 of 3')).toMatch(/Order 11 · .*Order 20 · /s);
    await vic.pressOn(list(), 'Next');
    expect(await shown(office, VIEWER, 'Page 3 of 3')).toMatch(/Order 21 · .*Order 23 · /s);
    expect(vic.read(list())).not.toContain('[Next]');
    await vic.pressOn(list(), 'Previous');
    await shown(office, VIEWER, 'Page 2 of 3');
    expect(privately(office, VIEWER)).toHaveLength(1);
    // The last page has gone meanwhile: the one before takes its place.
    await vic.pressOn(list(), 'Next');
    await shown(office, VIEWER, 'Page 3 of 3');
    await vic.pressOn(list(), 'Previous');
    await shown(office, VIEWER, 'Page 2 of 3');
    office.clock.advance(18 * DAY);
    await vic.pressOn(list(), 'Next');
    await vic.waitFor('The soonest end first');
  });

  it('asks for rights again at each click, and takes no page that it has not written', async () => {
    const office = await openOffice();
    for (let i = 1; i <= 11; i += 1) await writeDown(office, `${i}`);
    const vic = await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, 'Page 1 of 2');
    const pressed = await vic.pressOn(vic.message('Page 1 of 2'), 'Next');
    await shown(office, VIEWER, 'Page 2 of 2');
    await press(office, pressed, VIEWER, { action_id: 'orders_next', value: 'running XX 1' });
    await hears(office, VIEWER, 'This list is out of date');
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER, LEAD] });
    await vic.pressOn(vic.message('Page 2 of 2'), 'Previous');
    await hears(office, VIEWER, 'You are not in a group that may see orders');
    expect(vic.read(vic.message('Page 2 of 2'))).toContain('Order 1');
  });

  it('finds by owner, end, and country as it is named; what cannot be found says what to do next', async () => {
    const office = await openOffice();
    await writeDown(office, '1', { owner: BUYER, boughtAt: daysAgo(office, 27) });
    await writeDown(office, '2', { owner: BUYER2, basket: [{ country: 'DE', quantity: 1 }] });
    await writeDown(office, '3', { owner: BUYER, boughtAt: daysAgo(office, 60) });
    for (const [typed, title, ids] of [
      ['mine', 'Your orders: 1', '1'],
      ['ending', 'Orders that end within 7 days: 1', '1'],
      ['ended mine', 'Your orders that have ended: 1', '3'],
      ['germany', 'Orders in 🇩🇪 Germany: 1', '2'],
      ['all', 'All orders: 3', '2 1 3'],
    ] as const) {
      await command(office, `orders ${typed}`);
      const list = await shown(office, BUYER, title);
      expect([...list.matchAll(/Order (\d+) ·/g)].map(([, id]) => id).join(' '), typed).toBe(ids);
    }
    await command(office, 'orders mine france');
    await hears(
      office,
      BUYER,
      /There is no order of yours in 🇫🇷 France that still runs\..*\/proxy orders mine: in any/s,
    );
    await command(office, 'orders korea');
    await hears(office, BUYER, '“korea” may be South Korea or North Korea');
    await command(office, 'orders nonsense');
    await hears(office, BUYER, '“nonsense” is neither a country');
    await command(office, 'orders 777');
    await hears(office, BUYER, 'This bot knows no order 777');
  });

  it('takes a person for the owner by either of their ids', async () => {
    const office = await openOffice();
    await writeDown(office, '1', { owner: BUYER });
    await writeDown(office, '2', { owner: `W${BUYER.slice(1)}` });
    await writeDown(office, '3', { owner: BUYER2 });
    office.slack.world.setPerson(BUYER, { enterpriseUserId: `W${BUYER.slice(1)}` });
    for (const actsAs of ['workspace', 'enterprise'] as const) {
      office.slack.world.setPerson(BUYER, { actsAs });
      office.clock.advance(61_000);
      const bea = await command(office, 'orders mine');
      expect(await shown(office, BUYER, 'Your orders: 2')).toMatch(/Order 1 · .*Order 2 · /s);
      for (const id of ['1', '2']) {
        await open(office, id);
        expect(modalText(bea)).toContain('[Let it end]');
      }
      await open(office, '3');
      expect(modalText(bea)).not.toContain('[Let it end]');
    }
  });
});

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
    const bea = await open(office, '5');
    await bea.press('Keep');
    await bea.waitFor('Kept: to be renewed before it ends, said by @bea');
    await bea.press('Let it end');
    await bea.waitFor('To be let end, said by @bea');
    await bea.press('Let it end');
    await bea.waitFor((screen) => !screen.text().includes('To be let end'));
    // An approver may, too.
    const lea = await open(office, '5', LEAD);
    await lea.press('Keep');
    await lea.waitFor('Kept: to be renewed before it ends, said by @lea');
    expect(await said(office, '5')).toEqual([`${BUYER} keep`, `${BUYER} let_end`, `${BUYER} null`, `${LEAD} keep`]);
    await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, 'kept: to be renewed before it ends');
  });

  it('counts a click once that Slack delivers again, long after, and shows what holds now', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await open(office, '5');
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
    const bea = await open(office, '5');
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
    const bea = await open(office, '5');
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
    const bob = await open(office, '5', BUYER2);
    expect(modalText(bob)).toContain('[Hand over]');
    expect((await office.books.ledger.order('5')).entries).toHaveLength(2);
  });

  it('takes a note as it was typed, changes it, and takes it away', async () => {
    const office = await openOffice();
    await writeDown(office, '5', { owner: BUYER });
    const bea = await open(office, '5');
    await writeNote(bea, 'for <!channel> & *co*');
    await bea.waitFor('Note: for <!channel> & *co*');
    await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, '“for <!channel> &');
    await open(office, '5');
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
      const bea = await open(office, '5');
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
    const bob = await open(office, '6', BUYER2);
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
    const bea = await open(office, '5');
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
    const bea = await open(office, '5');
    await bea.press('Renew');
    await bea.waitFor('== Renew order ==');
    await bea.waitFor(/Balance: \$/);
    expect(modalText(bea)).toMatch(/3 IPs\n🇺🇸 United States: 3/);
    expect(modalText(bea)).toMatch(/written down by @lea.*Ends about .*computed by us/s);
    await bea.submit('Review');
    await bea.waitFor('== Review ==');
    const id = await filed(office, bea, 'Ask for approval');
    expect((await reaches(office, id, 'requested')).purchase).toMatchObject({ orderId: '5', quantity: 3 });
    await bea.close();
    expect(bea.screen.modal).toBeUndefined();
    await open(office, '5');
    expect(modalText(bea)).toContain(`A renewal, asked for by @bea, is waiting for approval (request ${id})`);
  });
});

function daysAgo({ clock }: Office, days: number): number {
  return clock.now() - days * DAY;
}

/** An order that the bot did not make, as an approver wrote it down. */
async function writeDown(office: Office, orderId: string, over: Partial<ImportedOrder> = {}): Promise<void> {
  const detail = {
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 3 }],
    boughtAt: daysAgo(office, 10),
    owner: null,
    note: null,
    ...over,
  } as const;
  const id = orderId as OrderId;
  await office.books.orders.change([id], () => ({ result: null, entries: [{ orderId: id, by: LEAD, detail }] }));
}

/** The newest private answer with these words. */
async function shown(office: Office, user: string, words: string): Promise<string> {
  const person = office.slack.as(user);
  const isIt = (message: Message) => person.read(message).includes(words);
  return person.read(await person.waitFor((screen) => screen.ephemerals.findLast(isIt)));
}

async function open(office: Office, orderId: string, as = BUYER): Promise<Hands> {
  const person = await command(office, `orders ${orderId}`, as);
  await person.waitFor(({ modal }) => modal && person.read(modal).includes(`Order ${orderId}\n`));
  return person;
}

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

/** The same click by anybody, of a button that was never drawn so. */
async function press(
  office: Office,
  delivery: Awaited<ReturnType<Hands['press']>>,
  user: string,
  button: { readonly action_id: string; readonly value: string },
): Promise<void> {
  if (!delivery) throw new Error('nothing was pressed');
  const [action] = delivery.body['actions'] as [object];
  const trigger = `${user} ${button.action_id} ${button.value.length}`;
  office.slack.state.triggers[trigger] = { id: trigger, user, at: Date.now(), used: false, viewId: null };
  const body = { ...delivery.body, user: { id: user }, trigger_id: trigger, actions: [{ ...action, ...button }] };
  await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user, body });
}
