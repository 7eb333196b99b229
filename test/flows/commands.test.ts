import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import { buyNow, command, FIRST_ORDER, hears, modalText, privately, reaches, until } from '../support/steps.ts';

const REFUSED = [
  ['buy ıe 5', 'ıe'],
  ['buy uſ 5', 'uſ'],
  ['buy XX 5', 'XX'],
  ['buy EU 5', 'EU'],
  ['buy U S 5', 'U S'],
  ['buy constructor 5', 'constructor'],
  ['buy __proto__ 5, toString 2', 'toString'],
  ['buy US 0', 'US 0'],
  ['buy US -5', '-5'],
  ['buy US +5', '+5'],
  ['buy US 1e3', '1e3'],
  ['buy US 10.0', '10.0'],
  ['buy US 0x10', '0x10'],
  ['buy US 10abc', '10abc'],
  ['buy US 1,000', '1,000'],
  ['buy US 1_000', '1_000'],
  ['buy US 99999999999999999999', '99999999999999999999'],
  ['buy US 10²', '10²'],
  ['buy US ①', '①'],
  ['buy US ½', '½'],
  ['buy US ٥', '٥'],
  ['buy US', 'US'],
  ['buy US 10, DE -5', '-5'],
  ['buy "US 10', '"'],
  ['renew #', 'Which order?'],
  ['renew 1 2', '“2”'],
  ['renew —12345', '—12345'],
  ['renew <@U0BUYER|sam>', 'sam'],
  ['renew <#C0GENERAL|general>', 'general'],
  ['renew <https://vendor.example/orders/77|78>', '78'],
  ['balance now', 'now'],
  ['freeze', 'Say why'],
] as const;

const READ = [
  ['BUY us 10, De 5', ['Germany', ': 5', 'United States', ': 10']],
  ['buy “US 10, DE 5”', ['Germany', 'United States']],
  ['Buy ‘us 10’', ['United States']],
  ['buy US 10\r\nDE 5\r\n\r\n', ['Germany', 'United States']],
  ['buy\tUS  10,,DE 5,', ['Germany', 'United States']],
  ['buy ＵＳ　１０，ＤＥ　５', ['Germany', 'United States']],
  ['buy US\u00a010\u200b', ['United States', 'Quantity: 10']],
  ['buy NO 3', ['Norway', 'Quantity: 3']],
  ['buy USA 5', ['United States', 'Quantity: 5']],
  ['buy 10 germany', ['Germany', 'Quantity: 10']],
  ['buy UK 5, GB 5', ['United Kingdom', 'Quantity: 10']],
  ['buy US 10, DE 5, us 3', ['Germany', 'United States', ': 13']],
] as const;

describe('what is typed after /proxy', () => {
  it('gets short usage for nothing, help and unknown words, which are named, privately', async () => {
    const office = await openOffice();
    const sue = office.slack.as(STRANGER);
    for (const text of ['', 'help', 'HELP\n', '<@U0BUYER|bea>', 'balnace', 'constructor', 'toString 5', 'prices\n5']) {
      await sue.command('/proxy', text, { channel: 'C0GENERAL' });
      const heard = privately(office, STRANGER).at(-1) ?? '';
      expect(heard, text).toContain('/proxy renew ORDER_ID');
      if (/^[a-z]{5}/.test(text)) expect(heard).toContain(`“${text.split(/\s/)[0]}” is not a command`);
    }
    expect(office.slack.state.messages.every(({ ephemeralTo }) => ephemeralTo === STRANGER)).toBe(true);
  });

  it('is refused privately by naming what is wrong, and then opens, files and sends nothing', async () => {
    const office = await openOffice();
    for (const [text, named] of REFUSED) {
      const person = await command(office, text);
      const heard = privately(office, BUYER).at(-1) ?? '';
      expect(heard, text).toContain(named);
      expect(heard, text).toMatch(/Nothing was opened|Spending was not frozen/);
      expect(person.screen.modal, text).toBeUndefined();
    }
    expect(office.slack.as(BUYER).screen.ephemerals).toHaveLength(REFUSED.length);
    expect(office.slack.callsTo('views.open')).toEqual([]);
    expect(office.vendor.requests).toEqual([]);
    expect(await office.records()).toEqual([]);
  });

  it('is read as it was meant: capitals, quotes, line breaks, full-width forms, stray commas, one country twice', async () => {
    const office = await openOffice();
    for (const [text, shown] of READ) {
      const person = await command(office, text);
      await person.waitFor('Buy proxies');
      for (const part of shown) expect(modalText(person), text).toContain(part);
      const countries = shown.filter((part) => /^[A-Z]/.test(part) && !part.startsWith('Quantity'));
      expect(modalText(person).match(/^Country/gm), text).toHaveLength(countries.length);
    }
  });

  it('is read as an order id where one is meant, with every way in which Slack and keyboards dress it', async () => {
    const office = await openOffice();
    const dressed = ['#12345', '&lt;12345&gt;', '１２３４５', '0012345', '12345\u200b', '\t 12345  ', '\n12345'];
    for (const typed of [...dressed, '<tel:12345|12345>', '<https://vendor.example/orders/12345|12345>']) {
      const person = await command(office, `Renew ${typed}`);
      await person.waitFor('Order 12345');
    }
  });

  it('lists what is open, and what was bought, to members of any list and to nobody else', async () => {
    const office = await openOffice();
    await command(office, 'orders', VIEWER);
    await hears(office, VIEWER, 'There is no order that still runs.');
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    await reaches(office, await buyNow(office, 'DE 1'), 'completed');
    await command(office, 'Orders', VIEWER);
    const orders = await hears(office, VIEWER, FIRST_ORDER);
    expect(orders.indexOf('US 2')).toBeLessThan(orders.indexOf('DE 1'));
    await command(office, 'requests', VIEWER);
    await hears(office, VIEWER, 'No request is open.');

    for (const verb of ['orders', 'requests', 'balance', 'buy US 1', `renew ${FIRST_ORDER}`, 'freeze now', 'unfreeze'])
      await command(office, verb, STRANGER);
    await hears(office, STRANGER, 'approve, settle or freeze');
    expect(privately(office, STRANGER)).toHaveLength(7);
    expect(privately(office, STRANGER).join()).not.toMatch(/\$|\d{5}/);
    expect(office.slack.as(STRANGER).screen.modal).toBeUndefined();
    expect(await office.books.ledger.freeze()).toBeNull();
  });

  it('tells those who ask for the balance in the same moment the same, as it stands when the balance has come', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'hold' });
    const asking = [VIEWER, BUYER];
    await Promise.all(asking.map((user) => command(office, 'balance', user)));
    await command(office, 'freeze while they wait', LEAD);
    await hears(office, LEAD, 'Nothing is sent');
    expect(asking.map((user) => privately(office, user))).toEqual([[], []]);
    office.vendor.release();
    const [one, other] = await Promise.all(asking.map((user) => hears(office, user, 'while they wait')));
    expect(one).toContain('$1,000.00');
    expect(other).toBe(one);
    await command(office, 'unfreeze', LEAD);
    await hears(office, LEAD, 'no longer frozen');
    await command(office, 'balance', VIEWER);
    await until(() => privately(office, VIEWER).length === 2);
    expect(privately(office, VIEWER).filter((text) => text.includes('while they wait'))).toHaveLength(1);
  });
});
