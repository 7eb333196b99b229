import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, LEAD, openOffice, VIEWER } from '../support/office.ts';
import { daysAgo, openOrder, press, shown, writeDown } from '../support/orders.ts';
import { command, hears, modalText, privately } from '../support/steps.ts';

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
    for (let i = 1; i <= 11; i += 1) await writeDown(office, `${i}`, { boughtAt: daysAgo(office, 26 - i) });
    const vic = await command(office, 'orders', VIEWER);
    await shown(office, VIEWER, 'Page 1 of 2');
    const pressed = await vic.pressOn(vic.message('Page 1 of 2'), 'Next');
    await shown(office, VIEWER, 'Page 2 of 2');
    await press(office, pressed, VIEWER, { action_id: 'orders_next', value: 'running XX 1' });
    await hears(office, VIEWER, 'This list is out of date');
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER, LEAD] });
    await vic.pressOn(vic.message('Page 2 of 2'), 'Previous');
    await hears(office, VIEWER, 'You are not in a group that may see orders');
    expect(vic.read(vic.message('Page 2 of 2'))).toContain('Order 11 · ');
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
        await openOrder(office, id);
        expect(modalText(bea)).toContain('[Let it end]');
      }
      await openOrder(office, '3');
      expect(modalText(bea)).not.toContain('[Let it end]');
    }
  });
});
