import { describe, expect, it } from 'vitest';
import { BUYER, openOffice } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import { bodies, buyNow, command, filed, hears, modalText, openForm, privately, reaches } from '../support/steps.ts';

describe('countries typed after /proxy buy', () => {
  it('stand in the order in which they were typed, from the form to what is sent', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1, CH 1, germany 1');
    expect(modalText(bea)).toMatch(/United States.*Switzerland.*Germany/s);
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/United States: 1.*Switzerland: 1.*Germany: 1.*US 1, CH 1, DE 1/s);
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    const sent = JSON.parse(bodies(office)[0] ?? '').purchase_geo.allocations as { country_iso: string }[];
    expect(sent.map(({ country_iso }) => country_iso)).toEqual(['US', 'CH', 'DE']);
    // In another order it is the same all the same.
    const again = await openForm(office, 'DE 1, US 1, CH 1');
    await again.submit('Review');
    expect(modalText(again)).toContain('The same was completed just now');
  });

  it('of which one may mean several open the form with the rest, and say which to choose', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1, korea 2');
    expect(modalText(bea)).toMatch(/“korea” may mean South Korea or North Korea: choose the country in row 2/);
    expect(Object.values((await bea.submit('Review', { force: true })).errors)).toEqual(['Choose a country.']);
    await bea.suggest('Country', 'korea', { nth: 2 });
    await bea.pick('Country', /South Korea/, { nth: 2 });
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/Buy 3 IPs.*United States: 1.*South Korea: 2/s);
  });

  it('of which one means nothing open nothing, name it and repeat the rest to be copied', async () => {
    const office = await openOffice();
    const bea = await command(office, 'buy US 10, Atlantis 5, korea 2');
    const said = await hears(office, BUYER, '“Atlantis” is not a country.');
    expect(said).toContain('/proxy buy US 10, korea 2');
    expect(bea.screen.modal).toBeUndefined();
  });

  it('of more than an order may have are said to be too many before anything is submitted', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 300, DE 300');
    expect(modalText(bea)).toContain('600 IPs are over the limit of 500 in one order');
  });
});

describe('a pasted list', () => {
  it('in the usual forms of a table fills the rows; what is unclear is asked for at its row', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', 'Country;Quantity\nUS;1\n1,DE\nFrance: 1\nkorea 1');
    await bea.submit('Add');
    await bea.waitFor('may mean South Korea or North Korea: choose the country in row 4');
    expect(modalText(bea)).toMatch(/United States.*Germany.*France.*You typed “korea”/s);
  });

  it('with wrong lines names each by its number, and takes in nothing', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', 'US 1\nAtlantis 5\nDE');
    const { errors } = await bea.submit('Add');
    expect(errors['Countries and quantities']).toBe(
      'Line 2: “Atlantis” is not a country.\nLine 3: How many for “DE”? Write it like US 10.',
    );
  });
});

describe('the type-ahead', () => {
  it('offers first what is most likely meant, since Enter takes the first', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    expect((await bea.suggest('Country', 'korea'))[0]).toMatch(/South Korea/);
    expect(await bea.suggest('Country', 'usa')).toEqual([expect.stringMatching(/United States$/)]);
  });
});

describe('the form', () => {
  it('says how much of the free allowance is left, and presets the plan used last', async () => {
    const office = await openOffice({
      plans: plansYaml(MONTHLY, YEARLY),
    });
    const first = await openForm(office, 'US 2');
    expect(modalText(first)).toMatch(/Plan: \(Choose a plan\).*5 of 5 free IPs left today/s);
    await first.pick('Plan', YEARLY.name);
    await first.submit('Review');
    await reaches(office, await filed(office, first, 'Buy now'), 'completed');
    const next = await openForm(office, 'DE 1');
    expect(modalText(next)).toMatch(/Plan: Static residential, yearly.*3 of 5 free IPs left today/s);
    await next.submit('Review');
    expect(modalText(next)).toMatch(/Buy 1 IP\b.*Static residential, yearly/s);
    await next.close({ all: true });
    const over = await openForm(office, 'DE 4');
    await over.submit('Review');
    expect(modalText(over)).toMatch(/Needs approval: 3 of your 5 free IPs a day are left \(2 counted since/);
  });

  it('of another person knows nothing of the first', async () => {
    const office = await openOffice();
    await reaches(office, await buyNow(office, 'US 2'), 'completed');
    await openForm(office, 'DE 1', 'U0BUYER2');
    expect(modalText(office.slack.as('U0BUYER2'))).toContain('5 of 5 free IPs left today');
    expect(privately(office, 'U0BUYER2')).toEqual([]);
  });
});
