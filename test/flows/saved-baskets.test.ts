import { describe, expect, it } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import { BASKETS_AT_MOST } from '../../src/purchasing/model/saved-basket.ts';
import { BUYER, BUYER2, LEAD, LEAD2, type Office, openOffice, policyOf, VIEWER } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  bodies,
  command,
  FIRST_ORDER,
  faultGroups,
  filed,
  hears,
  modalText,
  openForm,
  reaches,
} from '../support/steps.ts';

const TWO_PLANS = plansYaml(MONTHLY, YEARLY);

/** Saves what stands in the open form. */
async function save(person: Hands, name: string): Promise<void> {
  await person.press('Save this basket');
  await person.waitFor(/Save this basket.*Name:/s);
  await person.type('Name', name);
  await person.submit('Save');
}

async function saved(office: Office, typed: string, name: string, as = BUYER): Promise<void> {
  const person = await openForm(office, typed, as);
  await save(person, name);
  await person.waitFor(`Saved as “`);
  await person.close({ all: true });
}

async function openManage(office: Office, as = BUYER): Promise<Hands> {
  const person = await openForm(office, '', as);
  await person.press('Manage');
  await person.waitFor(/saved by/);
  return person;
}

const names = async (office: Office) => (await office.books.baskets.all()).map(({ name }) => name);

async function entries({ books }: Office): Promise<string[]> {
  const rows = await books.database.read((sql) =>
    sql.all(`SELECT by, kind FROM entries WHERE kind LIKE 'basket_%' ORDER BY seq`),
  );
  return rows.map(({ by, kind }) => `${by} ${kind}`);
}

/** Slack delivers the last of these once more. */
async function redeliver(office: Office, type: 'block_actions' | 'view_submission'): Promise<void> {
  const last = office.slack.deliveries.findLast((delivery) => delivery.type === type);
  if (!last) throw new Error(`no ${type} was delivered`);
  await office.slack.redeliver(last);
}

describe('a saved basket', () => {
  it('is saved by one, chosen by another, and what is bought is what it shows', async () => {
    const office = await openOffice();
    await saved(office, 'US 2, DE 1', 'Crawler, Europe');
    const bob = await openForm(office, '', BUYER2);
    expect(await bob.suggest('Saved baskets', 'euro')).toEqual(['Crawler, Europe']);
    expect(await bob.suggest('Saved baskets', 'asia')).toEqual([]);
    await bob.pick('Saved baskets', 'Crawler, Europe');
    await bob.waitFor('Added “Crawler, Europe”: 3 IPs.');
    expect(modalText(bob)).toMatch(/United States.*: 2.*Germany.*: 1.*Total 3 IPs/s);
    await bob.type('Reason', 'the same again');
    await bob.submit('Review');
    await reaches(office, await filed(office, bob, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '').purchase_geo.allocations).toEqual([
      { country_iso: 'US', qty: 2 },
      { country_iso: 'DE', qty: 1 },
    ]);
    expect(await entries(office)).toEqual([`${BUYER} basket_saved`]);
  });

  it('joins what was typed, one country once, and once for each time that it is chosen', async () => {
    const office = await openOffice();
    await saved(office, 'US 2, DE 1', 'EU');
    const bea = await openForm(office, 'US 3');
    await bea.suggest('Saved baskets', '');
    await bea.pick('Saved baskets', 'EU');
    await bea.waitFor('Total 6 IPs');
    await redeliver(office, 'block_actions');
    expect(modalText(bea)).toContain('Total 6 IPs');
    // The select stands empty again, for the next.
    await bea.suggest('Saved baskets', '');
    await bea.pick('Saved baskets', 'EU');
    await bea.waitFor('Total 9 IPs');
    expect(modalText(bea)).toMatch(/United States.*: 7.*Germany.*: 2/s);
  });

  it('brings its plan where it is offered, also over one that was chosen by hand', async () => {
    const office = await openOffice({ plans: TWO_PLANS });
    const bea = await openForm(office, 'US 1');
    await bea.pick('Plan', YEARLY.name);
    await save(bea, 'Yearly');
    await bea.waitFor('Saved as “Yearly”.');
    await bea.pick('Plan', MONTHLY.name);
    await bea.suggest('Saved baskets', '');
    await bea.pick('Saved baskets', 'Yearly');
    await bea.waitFor(`Plan: ${YEARLY.name}`);
    await bea.type('Reason', 'again');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('product_id lt-yearly');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.parse(bodies(office)[0] ?? '')).toMatchObject({ product_id: 'lt-yearly', quantity: 2 });

    await bea.close({ all: true });
    const again = await openForm(office, '');
    await again.pick('Plan', MONTHLY.name);
    await again.suggest('Saved baskets', '');
    await again.pick('Saved baskets', 'Yearly');
    await again.waitFor(`Plan: ${YEARLY.name}`);
    await again.pick('Plan', MONTHLY.name);
    await again.type('Reason', 'by hand after all');
    await again.submit('Review');
    expect(modalText(again)).toContain(`product_id ${MONTHLY.productId}`);
  });

  it('leaves the plan as it is where its own is no longer offered, and says so', async () => {
    const office = await openOffice({ plans: TWO_PLANS });
    const bea = await openForm(office, 'US 1');
    await bea.pick('Plan', YEARLY.name);
    await save(bea, 'Yearly');
    await bea.waitFor('Saved as');
    await bea.close({ all: true });
    await office.restart(policyOf());
    const bob = await openForm(office, '', BUYER2);
    await bob.suggest('Saved baskets', '');
    await bob.pick('Saved baskets', 'Yearly');
    await bob.waitFor('The plan saved with it is no longer offered, so the plan here stays as it was.');
    expect(modalText(bob)).toContain(`Plan: ${MONTHLY.name}`);
    await bob.press('Add country');
    await bob.waitFor((screen) => screen.modal && !modalText(bob).includes('no longer offered'));
  });

  it('that was removed while it stood in another’s list is not added, and the form says so', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    const bob = await openForm(office, 'DE 1', BUYER2);
    await bob.suggest('Saved baskets', '');
    const bea = await openManage(office);
    await bea.press('Remove');
    await bea.waitFor('There are none.');
    await bob.pick('Saved baskets', 'EU');
    await bob.waitFor('This saved basket is gone: somebody has removed it.');
    expect(modalText(bob)).toContain('Total 1 IP');
    expect(modalText(bob)).not.toContain('Manage');
    await bea.close();
    expect(modalText(bea)).not.toContain('Manage');
    expect(await entries(office)).toEqual([`${BUYER} basket_saved`, `${BUYER} basket_removed`]);
  });

  it('of more countries than fit is not added, and nothing of it is', async () => {
    const office = await openOffice();
    await saved(office, 'US 1, DE 1, FR 1', 'Three');
    const codes = 'AT BE BG CA CH CZ DK EE ES FI GB GR HR HU IE IT JP LT LU LV NL NO PL'.split(' ');
    const bea = await openForm(office, codes.map((code) => `${code} 1`).join(', '));
    await bea.suggest('Saved baskets', '');
    await bea.pick('Saved baskets', 'Three');
    await bea.waitFor('That makes 26 countries, and one order takes at most 25. Nothing was added.');
    expect(modalText(bea)).toContain('Total 23 IPs');
  });

  it('is saved once, however often the submit and the press before it arrive', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2');
    await bea.press('Save this basket');
    await bea.waitFor(/Save this basket.*Name:/s);
    await redeliver(office, 'block_actions');
    expect(office.slack.callsTo('views.push')).toHaveLength(1);
    await bea.type('Name', 'EU');
    await bea.submit('Save');
    await bea.waitFor('Saved as “EU”.');
    await redeliver(office, 'view_submission');
    expect(await names(office)).toEqual(['EU']);
    expect(await entries(office)).toHaveLength(1);
    expect(modalText(bea)).toContain('Buy proxies');
  });

  it('is opened by one call to Slack after the click, and the form by one', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    for (const button of ['Save this basket', 'Manage']) {
      const bea = await openForm(office, 'US 1');
      const before = office.slack.calls.length;
      await bea.press(button);
      await bea.waitFor(button === 'Manage' ? 'saved by' : 'Name:');
      expect(office.slack.calls.slice(before).map(({ method }) => method)).toEqual(['views.push']);
    }
  });

  it('is refused at its field without a name of its own, and what was typed stays', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'Größe');
    const bea = await openForm(office, 'DE 1');
    await bea.press('Save this basket');
    await bea.waitFor('Name:');
    for (const [typed, said] of [
      [' GRÖSSE\u200b ', 'has this name already'],
      ['\u2800\u200b', 'nothing to be seen'],
      ['👍'.repeat(200), 'at most 60 characters'],
    ] as const) {
      await bea.type('Name', typed);
      expect((await bea.submit('Save', { force: true })).errors['Name']).toContain(said);
    }
    faultGroups(office, { kind: 'status', status: 500 });
    await bea.type('Name', 'Other');
    expect((await bea.submit('Save')).errors['Name']).toContain('could not be checked');
    expect(await names(office)).toEqual(['Größe']);
  });

  it('is not saved of rows that are not finished: the form is told row by row, and stays as it was', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2');
    await bea.press('Add country');
    await bea.waitFor(() => modalText(bea).match(/^Country/gm)?.length === 2);
    await bea.type('Quantity', '5', { nth: 2 });
    await bea.press('Save this basket');
    await bea.waitFor('• Row 2: Choose a country.');
    await bea.close();
    expect(modalText(bea)).toMatch(/United States\nQuantity: 2.*Quantity \(optional\): 5/s);
  });

  it('is not saved beyond the most there can be', async () => {
    const office = await openOffice();
    const basket = [{ country: 'US', quantity: 1 }];
    for (let n = 0; n < BASKETS_AT_MOST; n++) {
      const detail = {
        kind: 'basket_saved',
        id: `S-${n}`,
        name: `${n} ${'👍'.repeat(57)}`,
        basket,
        plan: null,
      } as const;
      await office.books.baskets.change(() => ({ result: null, entry: { by: BUYER, detail } }));
    }
    const bea = await openForm(office, 'DE 1');
    await bea.press('Save this basket');
    await bea.waitFor('Name:');
    await bea.type('Name', 'One more');
    expect((await bea.submit('Save')).errors['Name']).toContain(`There are ${BASKETS_AT_MOST} saved baskets`);
    await bea.close();
    expect(await bea.suggest('Saved baskets', '')).toHaveLength(BASKETS_AT_MOST);
    await bea.press('Manage');
    await bea.waitFor('saved by');
    expect(modalText(bea).match(/\[Rename\]/g)).toHaveLength(BASKETS_AT_MOST);
  });
});

describe('Manage', () => {
  it('renames and removes a basket for whoever saved it, and for an approver, and for nobody else', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    await saved(office, 'DE 2', 'Asia', BUYER2);
    const bea = await openManage(office);
    expect(modalText(bea).match(/\[Rename\]/g)).toHaveLength(1);
    expect(modalText(bea)).toContain('Whoever saved a basket renames or removes it; so does whoever approves.');
    await bea.press('Rename');
    await bea.waitFor('Rename basket');
    await bea.type('Name', 'ASIA');
    expect((await bea.submit('Rename')).errors['Name']).toContain('has this name already');
    await bea.type('Name', 'Europe');
    await bea.submit('Rename');
    await bea.waitFor(/Saved baskets.*Europe/s);
    await redeliver(office, 'view_submission');
    const lou = await openManage(office, LEAD2);
    expect(modalText(lou).match(/\[Remove\]/g)).toHaveLength(2);
    await lou.press('Remove', { nth: 1, confirm: false });
    expect(await names(office)).toEqual(['Asia', 'Europe']);
    await lou.press('Remove', { nth: 1 });
    await lou.waitFor((screen) => screen.modal && !modalText(lou).includes('Asia'));
    await redeliver(office, 'block_actions');
    expect(modalText(lou)).not.toContain('gone');
    expect(await names(office)).toEqual(['Europe']);
    expect(await entries(office)).toEqual([
      `${BUYER} basket_saved`,
      `${BUYER2} basket_saved`,
      `${BUYER} basket_renamed`,
      `${LEAD2} basket_removed`,
    ]);
  });

  it('is opened by a command too, for approvers who may not buy, and for nobody without either right', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    const lea = await command(office, 'baskets', LEAD);
    await lea.waitFor('saved by');
    await lea.press('Rename');
    await lea.waitFor('Rename basket');
    await lea.type('Name', 'Europe');
    await lea.submit('Rename');
    await lea.waitFor(/Saved baskets.*Europe/s);
    await lea.press('Remove');
    await lea.waitFor('There are none.');
    expect(modalText(lea)).toContain('[Close]');
    expect(await entries(office)).toEqual([
      `${BUYER} basket_saved`,
      `${LEAD} basket_renamed`,
      `${LEAD} basket_removed`,
    ]);
    await command(office, 'baskets', VIEWER);
    await hears(office, VIEWER, 'You are not in a group that may see saved baskets');
  });

  it('refuses by rights as they are now: who approved when the list was opened renames and removes nothing after', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    const lou = await openManage(office, LEAD2);
    await lou.press('Rename');
    await lou.waitFor('Rename basket');
    await lou.type('Name', 'Mine now');
    await office.slack.world.setGroup('S0LEADS', { members: [] });
    await lou.submit('Rename');
    await lou.waitFor(/Only .*, who saved this basket, and those who approve rename or remove it/);
    expect(modalText(lou)).not.toContain('[Rename]');
    expect(await names(office)).toEqual(['EU']);
    expect(await entries(office)).toEqual([`${BUYER} basket_saved`]);
  });

  it('is no way round the rights: a hand-made click on somebody else’s basket changes nothing', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', 'EU');
    const bea = await openManage(office);
    await bea.press('Remove', { confirm: false });
    const shown = office.slack.deliveries.findLast(({ type }) => type === 'block_actions');
    const [basket] = await office.books.baskets.all();
    for (const action_id of ['remove_basket', 'rename_basket']) {
      const action = { type: 'button', action_id, block_id: 'x', value: basket?.id, action_ts: `1.${action_id}` };
      const body = { ...shown?.body, user: { id: BUYER2 }, trigger_id: `hand-made ${action_id}`, actions: [action] };
      await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user: BUYER2, body });
    }
    expect(await names(office)).toEqual(['EU']);
    expect(await entries(office)).toEqual([`${BUYER} basket_saved`]);
  });

  it('keeps the name that is shown when it is submitted untouched, also where Slack leaves presets out', async () => {
    for (const presets of ['missing', 'null', 'reported'] as const) {
      const office = await openOffice({ presets });
      await saved(office, 'US 2', 'Europe & <b>');
      const bea = await openManage(office);
      await bea.press('Rename');
      await bea.waitFor('Rename basket');
      await bea.submit('Rename');
      await bea.waitFor(/Saved baskets.*saved by/s);
      expect(await names(office)).toEqual(['Europe & <b>']);
      expect(await entries(office)).toHaveLength(1);
    }
  });

  it('works on a form that lies on an order, where Slack takes no further view', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2');
    await save(bea, 'EU');
    await bea.waitFor('Saved as');
    await bea.type('Reason', 'first');
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    await command(office, `orders ${FIRST_ORDER}`);
    await bea.waitFor((screen) => screen.modal);
    await bea.press('Buy again');
    await bea.waitFor(/Buy proxies.*Balance: (?!reading)/s);
    await bea.press('Manage');
    await bea.waitFor('saved by');
    await bea.press('Rename');
    await bea.waitFor('Rename basket');
    await bea.type('Name', 'Europe');
    await bea.submit('Rename');
    await bea.waitFor(/Saved baskets.*Europe/s);
    await bea.close();
    await bea.waitFor('Buy proxies');
  });
});

describe('the name of a saved basket', () => {
  const LIVE = '<!here> *x* <https://x.de|y> <@U0LEAD> :tada: \u202ea';

  it('is shown as it was typed and nowhere live: in the form, the list, Manage and the renaming', async () => {
    const office = await openOffice();
    await saved(office, 'US 2', LIVE);
    expect(await names(office)).toEqual([LIVE]);
    const bea = await openForm(office, '');
    const shown = '<!here> *x* <https://x.de|y> <@U0LEAD> :tada: a';
    expect(await bea.suggest('Saved baskets', 'HERE')).toHaveLength(1);
    await bea.pick('Saved baskets', shown);
    await bea.waitFor('Added “');
    await bea.press('Manage');
    await bea.waitFor('saved by');
    expect(modalText(bea)).toContain(shown);
    await bea.press('Rename');
    await bea.waitFor('Rename basket');
    for (const { args } of office.slack.calls.filter(({ method }) => method.startsWith('views.')))
      for (const text of mrkdwnIn(args['view'])) {
        expect(text).not.toMatch(/<!(?!date)|<https|\*x\*|:tada:|\u202e/);
        expect(text).not.toContain('<@U0LEAD>');
      }
  });
});

/** Every text that Slack would format. */
function mrkdwnIn(thing: unknown): string[] {
  if (typeof thing !== 'object' || thing === null) return [];
  const { type, text } = thing as { type?: unknown; text?: unknown };
  const own = type === 'mrkdwn' && typeof text === 'string' ? [text] : [];
  return [...own, ...Object.values(thing).flatMap(mrkdwnIn)];
}

describe('two processes', () => {
  it('show each other’s saved baskets, and keep one of two with one name', async () => {
    const office = await openOffice();
    await office.another();
    const bea = await openForm(office, 'US 2');
    const bob = await openForm(office, 'DE 2', BUYER2);
    for (const person of [bea, bob]) {
      await person.press('Save this basket');
      await person.waitFor('Name:');
      await person.type('Name', 'EU');
    }
    const submitted = await Promise.all([bea.submit('Save'), bob.submit('Save')]);
    const refused = submitted.filter(({ errors }) => errors['Name']?.includes('has this name already'));
    expect(refused).toHaveLength(1);
    expect(await names(office)).toEqual(['EU']);
    await bob.close({ all: true });
    for (let times = 0; times < 2; times++) {
      const again = await openForm(office, '', BUYER2);
      expect(await again.suggest('Saved baskets', 'eu')).toEqual(['EU']);
    }
  });
});
