import { describe, expect, it } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import { orderOf } from '../../src/purchasing/rules/orders.ts';
import { BUYER, LEAD, LEAD2, type Office, openOffice, policyOf, STRANGER } from '../support/office.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import { approved, command, hears, modalText, privately, until } from '../support/steps.ts';

const HEADER = 'order_id,product_id,countries,bought_on,owner,note';
const LINE = '77,lt-monthly,US 10; DE 5,2026-01-02,U0BUYER,ours';
const listOf = (...lines: readonly string[]) => [HEADER, ...lines].join('\n');

/** The form, as an approver opens it from the list of orders. */
async function openImport(office: Office, as = LEAD): Promise<Hands> {
  const before = privately(office, as).length;
  const person = await command(office, 'orders', as);
  await until(() => privately(office, as).length > before);
  await person.pressOn(person.screen.ephemerals.at(-1) ?? 'orders', 'Import');
  await person.waitFor((screen) => screen.modal?.submit);
  return person;
}

/** Up to the review, or to the form with what is wrong. */
async function reviewed(office: Office, text: string, as = LEAD): Promise<Hands> {
  const person = await openImport(office, as);
  await person.type('List of orders', text);
  expect(await person.submit('Review')).toMatchObject({ sent: true, errors: {}, trouble: null });
  return person;
}

const entries = ({ books }: Office) =>
  books.database.read((sql) => sql.all('SELECT by, order_id FROM entries WHERE order_id IS NOT NULL ORDER BY seq'));
const order = async ({ books }: Office, id: `${bigint}`) => orderOf(await books.ledger.order(id));

describe('an approver imports orders', () => {
  it('sees row by row what would be added, and exactly that is written in their name, with no call to the vendor', async () => {
    const office = await openOffice();
    const lea = await reviewed(office, listOf(LINE, '9007199254740993,lt-monthly,FR 1,,,'));
    expect(modalText(lea)).toContain('2 orders are to be added, in your name');
    expect(modalText(lea)).toMatch(/77: 15 IPs \(US 10, DE 5\) · .+ · bought on 2026-01-02 · owner @bea/);
    expect(modalText(lea)).toContain('Note: ours');
    expect(modalText(lea)).toMatch(/9007199254740993: 1 IP \(FR 1\) · .+ · day of purchase not known · no owner/);
    expect(await entries(office)).toEqual([]);
    await lea.submit('Import');
    expect(modalText(lea)).toContain('2 orders were added.');
    expect(await entries(office)).toEqual([
      { by: LEAD, order_id: '77' },
      { by: LEAD, order_id: '9007199254740993' },
    ]);
    expect(await order(office, '77')).toMatchObject({ source: 'imported', owner: BUYER, quantity: 15, note: 'ours' });
    expect(office.vendor.posts).toBe(0);
    // Wherever the order is shown, it says so.
    const bea = await command(office, 'renew 77', BUYER);
    await bea.waitFor('Renew order');
    expect(modalText(bea)).toMatch(/Imported by @lea, .+: not bought by this bot; bought on 2026-01-02/);
    expect(modalText(bea)).toContain('15 IPs');
  });

  it('reads all that is wrong, line by line, above the list as it was, mends it there, and goes on', async () => {
    const office = await openOffice();
    const wrong = listOf('77,lt-montly,XX 1,2026-02-30,nobody,<!here> *x*', LINE.replace('77', '78'));
    const lea = await reviewed(office, wrong);
    expect(modalText(lea)).toContain('Nothing was added: 1 line is wrong.');
    expect(modalText(lea)).toContain('line 2, product_id: “lt-montly” is not the product_id of a plan');
    expect(modalText(lea)).toContain('line 2, countries: “XX” is not a country.');
    expect(modalText(lea)).toContain('line 2, bought_on: 2026-02-30 is not in the calendar.');
    expect(modalText(lea)).toContain('line 2, owner: “nobody” is neither a Slack user id');
    expect(modalText(lea)).toContain(wrong.split('\n')[1]);
    expect(modalText(lea)).toMatch(/These lines are right, and would be added:[\s\S]+78: 15 IPs/);
    await lea.type('List of orders', listOf(LINE));
    await lea.submit('Review');
    await lea.submit('Import');
    expect(await entries(office)).toEqual([{ by: LEAD, order_id: '77' }]);
  });

  it.each(['reported', 'missing', 'null'] as const)(
    'may submit a wrong list again untouched, however Slack reports it: %s',
    async (presets) => {
      const office = await openOffice({ presets });
      const lea = await reviewed(office, listOf(LINE.replace('lt-monthly', 'lt-yearly')));
      expect(modalText(lea)).toContain('is not the product_id of a plan');
      office.bot.usePolicy(policyOf({ plans: plansYaml(MONTHLY, YEARLY) }));
      expect(await lea.submit('Review')).toMatchObject({ errors: {}, trouble: null });
      expect(modalText(lea)).toContain('1 order is to be added');
    },
  );

  it('goes back from the review to the list as it was typed', async () => {
    const office = await openOffice();
    const lea = await reviewed(office, listOf(LINE));
    await lea.close();
    expect(modalText(lea)).toContain(LINE);
    expect((await lea.submit('Review')).trouble).toBeNull();
    await lea.submit('Import');
    expect(await entries(office)).toHaveLength(1);
  });

  it('adds nothing with a list that is there already', async () => {
    const office = await openOffice();
    await (await reviewed(office, listOf(LINE))).submit('Import');
    const lou = await reviewed(office, listOf(LINE), LEAD2);
    expect(modalText(lou)).toContain('There is nothing to add.');
    expect(modalText(lou)).toContain('1 order is in the ledger already');
    expect(lou.screen.modal?.submit).toBeNull();
    const other = await reviewed(office, listOf(LINE.replace('ours', 'mine')), LEAD2);
    expect(modalText(other)).toMatch(/line 2, order_id: It was imported before with other content \(note\), by @lea,/);
  });

  it('is told the purchase by which the ledger holds an order', async () => {
    const office = await openOffice();
    const { purchase } = await approved(office, 'US 10', 'completed');
    const lea = await reviewed(office, listOf(`${purchase.orderId},lt-monthly,US 10,,,`));
    expect(modalText(lea)).toMatch(
      new RegExp(`line 2, order_id: The ledger holds this order already: request ${purchase.id}, bought by @bea,`),
    );
  });

  it('shows what was typed as it was typed, and nowhere live', async () => {
    const office = await openOffice();
    const note = '<!channel> <@U0LEAD> *bold* https://example.org :tada: &amp; =1+1';
    const lea = await reviewed(office, listOf(`77,lt-monthly,US 1,,,${note}`));
    const blocks = JSON.stringify(lea.screen.modal?.blocks);
    for (const live of ['<!channel>', '<@U0LEAD>', '*bold*', ':tada:']) expect(blocks).not.toContain(live);
    await lea.submit('Import');
    // Slack may write the three entities; they are undone once.
    expect((await order(office, '77'))?.note).toBe(note.replace('&amp;', '&'));
  });

  it('may paste as much as a field of Slack’s takes, right or wrong', async () => {
    const office = await openOffice();
    for (const row of [(nth: number) => `${nth},x,X,2,y`, (nth: number) => `${nth},lt-monthly,US 1`]) {
      const rows = Array.from({ length: 400 }, (_, nth) => row(nth + 1));
      let text = HEADER;
      for (const line of rows) if (text.length + line.length < 2_999) text += `\n${line}`;
      await reviewed(office, text);
    }
    const notes = `77,lt-monthly,US 1,,,${'&'.repeat(500)}`;
    await reviewed(office, listOf(...[1, 2, 3, 4, 5].map((nth) => notes.replace('77', String(nth)))));
  });
});

describe('an owner by e-mail address', () => {
  const byMail = listOf(LINE.replace('U0BUYER', 'Bob@Example.org'));

  it('is looked up in Slack', async () => {
    const office = await openOffice();
    office.slack.world.setPerson('U0BUYER2', { email: 'bob@example.org' });
    const lea = await reviewed(office, byMail);
    expect(modalText(lea)).toContain('owner @bob');
    await lea.submit('Import');
    expect(await order(office, '77')).toMatchObject({ owner: 'U0BUYER2' });
  });

  it('or id that Slack does not know is wrong', async () => {
    const office = await openOffice();
    const lea = await reviewed(
      office,
      listOf(LINE.replace('U0BUYER', 'no@example.org'), '78,lt-monthly,US 1,,U0NOBODY,'),
    );
    expect(modalText(lea)).toContain('line 2, owner: Slack knows nobody here by “no');
    expect(modalText(lea)).toContain('line 3, owner: Slack knows nobody here by “U0NOBODY”');
  });

  it.each([
    [{ kind: 'error', code: 'missing_scope' } as const, 'lacks the scope users:read.email. Write the Slack user id'],
    [{ kind: 'error', code: 'ratelimited' } as const, 'Slack could not be asked'],
    [{ kind: 'error', code: 'internal_error' } as const, 'Slack could not be asked'],
  ])('that cannot be looked up says why: %j', async (fault, words) => {
    const office = await openOffice();
    office.slack.faults.add('users.lookupByEmail', fault, { times: Infinity });
    expect(modalText(await reviewed(office, byMail))).toContain(words);
    expect(await entries(office)).toEqual([]);
  });
});

describe('who may not approve', () => {
  it.each([BUYER, STRANGER])('is offered no import: %s', async (who) => {
    const office = await openOffice();
    const person = await command(office, 'orders', who);
    const answer = await until(() => privately(office, who).at(-1));
    expect(answer).not.toContain('[Import]');
    expect(person.screen.modal).toBeFalsy();
  });

  it('any more, opens, reviews and imports nothing', async () => {
    const office = await openOffice();
    const form = await openImport(office, LEAD2);
    await form.type('List of orders', listOf(LINE));
    const lea = await reviewed(office, listOf(LINE));
    await office.slack.world.setGroup('S0LEADS', { members: [] });
    await lea.submit('Import');
    expect(modalText(lea)).toContain('nobody may import orders');
    await form.submit('Review');
    expect(modalText(form)).toContain('nobody may import orders');
    await form.close({ all: true });
    await form.pressOn(form.message('[Import]'), 'Import');
    await hears(office, LEAD2, 'nobody may import orders');
    expect(await entries(office)).toEqual([]);
  });
});

describe('an import counts once', () => {
  it('when Slack delivers everything twice', async () => {
    const office = await openOffice();
    const lea = await openImport(office);
    await lea.type('List of orders', listOf(LINE));
    const list = await lea.submit('Review');
    if (!list.delivery) throw new Error('nothing was sent');
    expect((await office.slack.redeliver(list.delivery)).failure).toBeNull();
    const submit = await lea.submit('Import');
    if (!submit.delivery) throw new Error('nothing was sent');
    const again = await office.slack.redeliver(submit.delivery);
    expect(JSON.stringify(again.ack)).toContain('1 order was added.');
    expect(await entries(office)).toHaveLength(1);
  });

  it('also where somebody else imports or buys the order meanwhile: then nothing is written, and the review says so', async () => {
    const office = await openOffice();
    const two = listOf(LINE, '78,lt-monthly,US 1,,,');
    const lea = await reviewed(office, two);
    await (await reviewed(office, listOf(LINE), LEAD2)).submit('Import');
    await lea.submit('Import');
    expect(modalText(lea)).toContain('Nothing was added. Something has changed');
    expect(modalText(lea)).toContain('1 order is to be added');
    expect(await entries(office)).toEqual([{ by: LEAD2, order_id: '77' }]);
    await (await reviewed(office, listOf('78,lt-monthly,DE 1,,,'), LEAD2)).submit('Import');
    await lea.submit('Import');
    expect(modalText(lea)).toMatch(/Nothing was added: 1 line is wrong[\s\S]+line 3, order_id: It was imported before/);
    await lea.close();
    expect(modalText(lea)).toContain(LINE);
    expect(await entries(office)).toHaveLength(2);
  });

  it('and writes what its review showed, whatever has become of the form', async () => {
    const office = await openOffice();
    const lea = await reviewed(office, listOf(LINE));
    office.bot.usePolicy(policyOf({ plans: plansYaml(YEARLY) }));
    await lea.submit('Import');
    expect(await order(office, '77')).toMatchObject({ plan: MONTHLY });
  });
});
