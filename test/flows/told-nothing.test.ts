import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Delivery, Hands } from '../../sandbox/slack/index.ts';
import { BUYER, CHANNEL, LEAD, LEAD2, type Office, type OfficeOptions, openOffice } from '../support/office.ts';
import { daysAgo, openOrder, writeDown } from '../support/orders.ts';
import { allWait } from '../support/passing.ts';
import { asked, choose } from '../support/renewing.ts';
import {
  approved,
  askFor,
  command,
  decide,
  delivered,
  faultGroups,
  file,
  filed,
  modalText,
  openDecision,
  press,
  reaches,
  renew,
  until,
} from '../support/steps.ts';

type Act = () => Promise<Delivery | null>;

/** Everything that a person may do once and that changes something: up to the last click, which is left to the caller. */
const DEEDS: readonly (readonly [name: string, prepare: (office: Office) => Promise<Act>])[] = [
  ['a purchase', async (office) => submitting(await askFor(office, 'US 2'), 'Buy now')],
  ['a request', async (office) => submitting(await askFor(office, 'US 10'), 'Ask for approval')],
  ['a renewal', async (office) => submitting(await renewal(office), 'Ask for approval')],
  ['renewals that are asked for together', async (office) => submitting(await together(office), 'Ask for approval')],
  ['an approval', async (office) => submitting(await openDecision(office, await file(office, 'US 10'), 'Approve'))],
  ['a rejection', async (office) => submitting(await withReason(office, await file(office, 'US 10')))],
  ['an approval of a batch', async (office) => submitting(await openDecision(office, await batch(office), 'Approve'))],
  ['a rejection of a batch', async (office) => submitting(await withReason(office, await batch(office)))],
  ['a settlement', async (office) => submitting(await settling(office), 'Settle')],
  ['a withdrawal', async (office) => withdrawing(office, await file(office, 'US 10'))],
  ['a withdrawal of a batch', async (office) => withdrawing(office, await batch(office))],
  ['a freeze', async (office) => () => office.slack.as(LEAD).command('/proxy', 'freeze an odd invoice')],
  ['an unfreeze', unfreezing],
  ['“Keep”', async (office) => pressing(await orderOf(office), 'Keep')],
  ['“Let it end”', async (office) => pressing(await orderOf(office), 'Let it end')],
];

describe('a person who was told that the ledger could not be reached', () => {
  it.each(DEEDS)('has nothing done behind their back when Slack delivers it again: %s', async (_, prepare) => {
    const { office, delivery, before } = await toldInVain(prepare);
    await again(office, delivery);
    expect(await ledgerOf(office)).toEqual(before);
  });

  it.each(DEEDS)('nor when the bot was started anew since: %s', async (_, prepare) => {
    const { office, delivery, before } = await toldInVain(prepare);
    await office.restart();
    await again(office, delivery);
    expect(await ledgerOf(office)).toEqual(before);
  });

  it('is refused by any process, a second after the ledger is back', async () => {
    const { office, delivery, before } = await toldInVain(async (here) =>
      submitting(await askFor(here, 'US 2'), 'Buy now'),
    );
    await until(async () => {
      office.clock.advance(1_000);
      return (await office.books.database.read((sql) => sql.all("SELECT 1 FROM clicks WHERE result = 'refused'")))[0];
    });
    await office.another();
    // To the one, then to the other.
    for (const _ of [1, 2])
      expect(JSON.stringify((await again(office, delivery)).ack)).toContain('Slack delivered this again');
    expect(await ledgerOf(office)).toEqual(before);
  });

  it('is told so again as long as it cannot', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const comeBack = takeLedgerAway(office);
    const { delivery } = await bea.submit('Buy now');
    expect(JSON.stringify((await again(office, delivery)).ack)).toContain('Nothing was filed or decided');
    comeBack();
    expect(JSON.stringify((await again(office, delivery)).ack)).toContain('Slack delivered this again');
    expect(await office.records()).toEqual([]);
  });

  it('may do it anew, by the same form', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const comeBack = takeLedgerAway(office);
    const { delivery } = await bea.submit('Buy now');
    comeBack();
    await bea.close();
    await bea.submit('Review');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(JSON.stringify((await again(office, delivery)).ack)).toContain('Filed: Buy 2 IPs');
    expect(await office.records()).toHaveLength(1);
  });
});

describe('a submit of which nobody remembers what its person was told', () => {
  it.each([
    ['a request', (office: Office) => askFor(office, 'US 10')],
    ['a renewal', renewal],
    ['renewals that are asked for together', together],
  ])('files nothing once they have asked anew, whatever became of that: %s', async (_, prepare) => {
    const office = await openOffice(OPTIONS);
    const bea = await prepare(office);
    const comeBack = takeLedgerAway(office);
    const { delivery } = await bea.submit('Ask for approval');
    await office.bot.stop();
    comeBack();
    await office.restart();
    const anew = await prepare(office);
    await anew.submit('Ask for approval');
    const [first] = (await office.records()).slice(-1);
    const asking = first?.purchase.batch?.id ?? first?.purchase.id ?? '';
    await decide(office, asking, 'Reject');
    await reaches(office, first?.purchase.id ?? '', 'rejected');
    await delivered(office);
    const before = await ledgerOf(office);
    expect(JSON.stringify((await again(office, delivery)).ack)).toMatch(/have asked for the same since.*rejected/s);
    expect(await ledgerOf(office)).toEqual(before);
  });
});

describe('a person whose rights could not be checked', () => {
  it.each([
    ['a purchase', (office: Office) => askFor(office, 'US 2'), 'Buy now'],
    ['a renewal', renewal, 'Ask for approval'],
    ['renewals that are asked for together', together, 'Ask for approval'],
  ])('has nothing filed behind their back when Slack delivers it again: %s', async (_, prepare, button) => {
    const office = await openOffice(OPTIONS);
    const bea = await prepare(office);
    faultGroups(office, { kind: 'rate_limit', retryAfter: 1 }, { times: 1 });
    const { delivery } = await bea.submit(button);
    expect(modalText(bea)).toContain('could not be checked with Slack, so nothing was done');
    office.clock.advance(2_000);
    const before = await ledgerOf(office);
    expect(JSON.stringify((await again(office, delivery)).ack)).toContain('Slack delivered this again');
    expect(await ledgerOf(office)).toEqual(before);
    await bea.close();
    await bea.submit('Review');
    await bea.submit(button);
    expect(await ledgerOf(office)).not.toEqual(before);
  });
});

const OPTIONS: OfficeOptions = { approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5 }`, database: 'sqlite' };

async function toldInVain(prepare: (office: Office) => Promise<Act>) {
  const office = await openOffice(OPTIONS);
  const act = await prepare(office);
  await delivered(office);
  const before = await ledgerOf(office);
  const comeBack = takeLedgerAway(office);
  const delivery = await act();
  await until(() =>
    [BUYER, LEAD, LEAD2].some((user) => office.slack.as(user).screen.text().includes('cannot be reached')),
  );
  comeBack();
  return { office, delivery, before };
}

/** No transaction is begun in a file that has lost its name. */
function takeLedgerAway({ config: { database } }: Office): () => void {
  if (database.kind !== 'sqlite') throw new Error('it is no file');
  const { path } = database;
  renameSync(path, `${path}.away`);
  return () => renameSync(`${path}.away`, path);
}

/** What a person may have done to it; not what is told of it. */
async function ledgerOf({ books }: Office): Promise<unknown> {
  return books.database.read(async (sql) => [
    await sql.all('SELECT id, state FROM purchases ORDER BY seq'),
    await sql.all('SELECT purchase_id, order_id, by, kind FROM entries ORDER BY seq'),
    await sql.all('SELECT frozen_reason FROM desk'),
  ]);
}

async function again(office: Office, delivery: Delivery | null): Promise<Delivery> {
  if (!delivery) throw new Error('nothing was sent');
  const repeated = await office.slack.redeliver(delivery);
  expect(repeated.failure).toBeNull();
  await allWait(office);
  return repeated;
}

const submitting = (person: Hands, button?: string) => async () => (await person.submit(button)).delivery;
const pressing = (person: Hands, button: string) => () => person.press(button);
const withdrawing = (office: Office, id: string) => () => press(office, id, 'Withdraw', BUYER);

async function withReason(office: Office, id: string): Promise<Hands> {
  const person = await openDecision(office, id, 'Reject');
  await person.type('Reason', 'not now');
  return person;
}

async function settling(office: Office): Promise<Hands> {
  office.vendor.next('create', { name: 'reset_before_answer' });
  const { purchase } = await approved(office, 'US 10', 'unknown');
  const person = await openDecision(office, purchase.id, 'It was placed', LEAD2);
  await person.type('Note', 'in the console');
  return person;
}

async function unfreezing(office: Office): Promise<Act> {
  await command(office, 'freeze an odd invoice', LEAD2);
  await until(() => office.books.ledger.freeze());
  return () => office.slack.as(LEAD).command('/proxy', 'unfreeze');
}

async function orderOf(office: Office): Promise<Hands> {
  await writeDown(office, '5', { owner: BUYER, boughtAt: daysAgo(office, 1) });
  return openOrder(office, '5');
}

async function renewal(office: Office): Promise<Hands> {
  if ((await office.books.ledger.order('5')).entries.length === 0)
    await writeDown(office, '5', { owner: BUYER, boughtAt: daysAgo(office, 1) });
  const person = await renew(office, '5');
  await person.submit('Review');
  return person;
}

async function two(office: Office): Promise<readonly string[]> {
  for (const order of ['5', '6'] as const)
    if ((await office.books.ledger.order(order)).entries.length === 0)
      await writeDown(office, order, { owner: BUYER, boughtAt: daysAgo(office, 1) });
  return ['5', '6'];
}

async function together(office: Office): Promise<Hands> {
  const person = await choose(office, await two(office));
  await person.submit('Review');
  return person;
}

async function batch(office: Office): Promise<string> {
  return (await asked(office, await two(office))).id;
}
