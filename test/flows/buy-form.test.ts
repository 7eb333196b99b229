import { describe, expect, it } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import { BUYER, openOffice } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import { bodies, buyNow, command, filed, modalText, openForm, reaches } from '../support/steps.ts';

const TWO_PLANS = plansYaml(MONTHLY, YEARLY);

describe('the buy form', () => {
  it('buys what was put together row by row, with a row removed from the middle', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    await fillRow(bea, 1, 'germ', '1');
    await bea.press('Add country');
    await rows(bea, 2);
    await fillRow(bea, 2, 'FR', '7');
    await bea.press('Add country');
    await rows(bea, 3);
    await fillRow(bea, 3, 'Japan', '2');
    await bea.press('Remove', { nth: 2 });
    await bea.waitFor('Total 3 IPs');
    expect(modalText(bea)).not.toContain('France');
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '')).toMatchObject({
      quantity: 3,
      purchase_geo: {
        allocations: [
          { country_iso: 'DE', qty: 1 },
          { country_iso: 'JP', qty: 2 },
        ],
      },
    });
  });

  it('keeps prefilled rows that Slack leaves out of the state after an update', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1, DE 1');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', 'fr 1\nDE 1');
    await bea.submit('Add');
    await bea.waitFor('France');
    await bea.press('Add country');
    await rows(bea, 4);
    await bea.press('Remove', { nth: 4 });
    await rows(bea, 3);
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '').purchase_geo.allocations).toEqual([
      { country_iso: 'US', qty: 1 },
      { country_iso: 'DE', qty: 2 },
      { country_iso: 'FR', qty: 1 },
    ]);
  });

  it('sums a country that stands in two rows into one, and shows the sum before it is sent', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2');
    await bea.press('Add country');
    await rows(bea, 2);
    await fillRow(bea, 2, 'usa', '3');
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 5 IPs');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(bodies(office)[0]).toContain('[{"country_iso":"US","qty":5}]');
  });

  it('empties the only row instead of leaving none', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 5');
    await bea.press('Remove');
    await bea.waitFor('Total 0 IPs');
    expect(modalText(bea)).toContain('Country: (Type a name or code)');
    expect(modalText(bea)).toContain('Quantity: (empty)');
  });

  it('asks for a plan where there are several, and sends the one that was chosen', async () => {
    const office = await openOffice({ plans: TWO_PLANS });
    const bea = await openForm(office, 'US 1');
    await bea.type('Reason', 'testing');
    expect((await bea.submit('Review', { force: true })).errors).toEqual({ Plan: 'Choose a plan.' });
    await bea.pick('Plan', YEARLY.name);
    await bea.press('Add country');
    await rows(bea, 2);
    expect(modalText(bea)).toContain('Plan: Static residential, yearly');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('product_id lt-yearly');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '')).toMatchObject({ product_id: 'lt-yearly' });
  });

  it('says that it is full before it is, and offers no row beyond 25', async () => {
    const office = await openOffice();
    const bea = await openForm(office, codes(23).join(', '));
    expect(modalText(bea)).not.toContain('One more fits');
    await bea.press('Add country');
    await bea.waitFor('One more fits: an order has at most 25 countries.');
    await bea.press('Add country');
    await bea.waitFor('That is the most: 25 countries in one order.');
    expect(modalText(bea)).not.toContain('[Add country]');
    expect(modalText(bea)).toContain('[Paste a list]');
  });

  it('refuses 26 countries by name, typed or pasted, and keeps what stood there', async () => {
    const office = await openOffice({ approvals: 'approvals: { channel: C0APPROVALS, free_up_to: 30 }' });
    await command(office, `buy ${codes(26).join(', ')}`);
    const bea = office.slack.as(BUYER);
    await bea.waitFor('That makes 26 countries, and one order takes at most 25.');
    expect(bea.screen.modal).toBeUndefined();

    await openForm(office, 'US 3');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', codes(25).join('\n'));
    const { errors } = await bea.submit('Add');
    expect(errors['Countries and quantities']).toContain('26 countries');
    await bea.type('Countries and quantities', codes(24).join('\n'));
    await bea.submit('Add');
    await bea.waitFor('Total 27 IPs');
    await bea.type('Reason', 'everywhere');
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '').purchase_geo.allocations).toHaveLength(25);
  });

  it('says what is wrong with a pasted list at its field, and adds nothing', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 3');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    for (const [pasted, said] of [
      ['US 10\nDE ten', 'ten'],
      ['US 5\nAtlantis 5', 'Line 2: “Atlantis” is not a country.'],
      [' ,\n, ', 'at least one country'],
      [`${'XX 1\n'.repeat(40)}`, 'And 35 more.'],
    ] as const) {
      await bea.type('Countries and quantities', pasted);
      const { errors } = await bea.submit('Add', { force: true });
      expect(errors['Countries and quantities'], pasted).toContain(said);
    }
    await bea.close();
    expect(modalText(bea)).toContain('Total 3 IPs');
  });

  it('is opened anew each time, since an abandoned one leaves nothing behind', async () => {
    const office = await openOffice();
    for (let i = 0; i < 3; i += 1) await openForm(office, 'US 1');
    await office.slack.as(BUYER).close({ all: true });
    await reaches(office, await buyNow(office, 'US 1'), 'completed');
    expect(await office.records()).toHaveLength(1);
  });
});

/** Types into the country's type-ahead, takes the first that it offers, and enters the quantity. */
async function fillRow(person: Hands, nth: number, query: string, quantity: string): Promise<void> {
  const [first = ''] = await person.suggest('Country', query, { nth });
  await person.pick('Country', first, { nth });
  await person.type('Quantity', quantity, { nth });
}

/** Waits until the form has so many rows. */
function rows(person: Hands, count: number) {
  return person.waitFor(() => modalText(person).match(/^Country/gm)?.length === count);
}

/** `count` countries with one IP each. */
function codes(count: number): string[] {
  const all = 'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW'.split(' ');
  return all.slice(0, count).map((code) => `${code} 1`);
}
