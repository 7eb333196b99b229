import { describe, expect, it } from 'vitest';
import type { Hands, Interactions } from '../../sandbox/slack/index.ts';
import { openOffice, policyOf } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import { bodies, command, FIRST_ORDER, faultGroups, filed, modalText, openForm, reaches } from '../support/steps.ts';

const TWO_PLANS = plansYaml(MONTHLY, YEARLY);

const MODES = ['reported', 'missing', 'null'] as const;

/** Asking Slack for rights takes so long that the form comes by an update of the loading view. */
const SLOW = { kind: 'delay', ms: 900 } as const;

describe.each(MODES)('where presets that come by an update are %s in the state', (presets) => {
  it('a form that came late, submitted untouched, is reviewed and filed as it was shown', async () => {
    const office = await openOffice({ presets });
    faultGroups(office, SLOW, { times: 2 });
    const bea = await command(office, 'buy US 1, DE 2');
    await bea.waitFor('One moment…');
    await bea.waitFor(/Quantity.*: 2/);
    expect((await bea.submit('Review')).errors).toEqual({});
    expect(modalText(bea)).toMatch(/Buy 3 IPs/);
    expect(modalText(bea)).toMatch(/Germany.*: 2/);
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '')).toMatchObject({ quantity: 3 });
  });

  it('a pasted list, submitted untouched, is reviewed as it was shown, with what was there before', async () => {
    const office = await openOffice({ presets });
    const bea = await openForm(office, 'US 1');
    await paste(bea, 'FR 2\nUS 1\nJP 1');
    expect((await bea.submit('Review')).errors).toEqual({});
    expect(modalText(bea)).toMatch(/Buy 5 IPs/);
    expect(modalText(bea)).toMatch(/France.*: 2/);
  });

  it('a pasted row whose quantity is typed over counts as typed, and the others as pasted', async () => {
    const office = await openOffice({ presets });
    const bea = await openForm(office, '');
    await paste(bea, 'FR 2\nJP 1');
    await bea.type('Quantity', '4', { nth: 1 });
    await bea.press('Add country');
    await bea.waitFor('Total 5 IPs');
    expect((await bea.submit('Review')).errors).toEqual({});
    expect(modalText(bea)).toMatch(/Buy 5 IPs/);
    expect(modalText(bea)).toMatch(/France.*: 4/);
  });

  it('a pasted quantity that was seen with a value, and then emptied by hand, is empty', async () => {
    const office = await openOffice({ presets });
    const bea = await openForm(office, '');
    await paste(bea, 'FR 2\nJP 1');
    await bea.type('Quantity', '4', { nth: 1 });
    await bea.press('Add country');
    await bea.waitFor('Total 5 IPs');
    await bea.type('Quantity', '', { nth: 1 });
    expect((await bea.submit('Review', { force: true })).errors).toEqual({ Quantity: 'Enter how many IPs.' });
  });

  it('a row of a form that opened at once, emptied by hand, is not asked for', async () => {
    const office = await openOffice({ presets });
    const bea = await openForm(office, 'US 1, DE 2');
    emptyRow(bea, office.slack.interactions, /Germany/);
    await bea.submit('Review', { force: true });
    expect(modalText(bea)).toMatch(/Buy 1 IP\b/);
    expect(modalText(bea)).not.toContain('Germany');
  });

  it('the plan and the order of a late form are the ones shown', async () => {
    const office = await openOffice({ presets, plans: TWO_PLANS });
    const before = await openForm(office, 'US 1');
    await before.pick('Plan', YEARLY.name);
    await before.submit('Review');
    await reaches(office, await filed(office, before, 'Buy now'), 'completed');
    office.clock.advance(61_000);
    faultGroups(office, SLOW, { times: 2 });
    const bea = await command(office, `renew ${FIRST_ORDER}`);
    await bea.waitFor('One moment…');
    await bea.waitFor((screen) => screen.modal?.submit);
    expect((await bea.submit('Review')).errors).toEqual({});
    expect(modalText(bea)).toMatch(/Review.*Static residential, yearly/s);
  });
});

describe('a form that is older than the policy', () => {
  const ONE = `plans:
  - { product_id: old, name: "Old", type: long-term, network_type: residential, term: 1 month }`;

  it('whose plan is gone is drawn again with what was typed, and the plans there are', async () => {
    const office = await openOffice({ plans: ONE });
    const bea = await openForm(office, 'US 1');
    await bea.type('Reason', 'a crawl');
    await office.restart(policyOf({ plans: TWO_PLANS }));
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/no longer offered.*Quantity.*: 1.*a crawl/s);
    await bea.pick('Plan', YEARLY.name);
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/Buy 1 IP\b.*Static residential, yearly/s);
  });

  it('whose only plan was replaced by another single one says so before it goes on', async () => {
    const office = await openOffice({ plans: ONE });
    const bea = await openForm(office, 'US 1');
    await office.restart(policyOf());
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/no longer offered.*Static residential, monthly/s);
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/Buy 1 IP\b.*Static residential, monthly/s);
  });
});

async function paste(bea: Hands, list: string): Promise<void> {
  await bea.press('Paste a list');
  await bea.waitFor('Countries and quantities');
  await bea.type('Countries and quantities', list);
  await bea.submit('Add');
  await bea.waitFor('France');
}

/** Takes country and quantity out of the row that shows this country. */
function emptyRow(bea: Hands, interactions: Interactions, country: RegExp): void {
  const view = bea.screen.modal;
  const chosen = Object.values(view?.inputs ?? {}).find(({ value }) => country.test(JSON.stringify(value)));
  if (!view || !chosen) throw new Error(`no row shows ${country}`);
  interactions.enter(view, chosen.blockId, 'country', { type: 'external_select', selected_option: null });
  const quantity = chosen.blockId.replace('country', 'quantity');
  interactions.enter(view, quantity, 'quantity', { type: 'number_input', value: null });
}
