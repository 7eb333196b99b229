import { describe, expect, it } from 'vitest';
import type { Delivery, Message } from '../../sandbox/slack/index.ts';
import { BUYER, LEAD, LEAD2, type Office, openOffice, VIEWER } from '../support/office.ts';
import {
  approved,
  dmWith,
  file,
  hears,
  logged,
  openDecision,
  press,
  privately,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;

describe('a freeze or unfreeze that Slack delivers again, long after', () => {
  it('does not end a newer freeze, whichever process it reaches, and says how things stand', async () => {
    const office = await openOffice();
    await types(office, LEAD, 'freeze an odd invoice', 'Spending is frozen: an odd invoice');
    const unfreeze = await types(office, LEAD, 'unfreeze', 'no longer frozen');
    await types(office, LEAD2, 'freeze the token leaked', 'Spending is frozen: the token leaked');
    await later(office);
    await again(office, unfreeze);
    await hears(
      office,
      LEAD,
      /delivered this command again.*nothing was changed now.*frozen by @lou.*the token leaked/s,
    );
    expect(await office.books.ledger.freeze()).toMatchObject({ by: LEAD2, reason: 'the token leaked' });
    expect(await freezeEntries(office)).toEqual(['frozen', 'unfrozen', 'frozen']);
  });

  it('does not freeze once more what was unfrozen since', async () => {
    const office = await openOffice();
    const freeze = await types(office, LEAD, 'freeze an odd invoice', 'Spending is frozen: an odd invoice');
    await types(office, LEAD2, 'unfreeze', 'no longer frozen');
    await later(office);
    await again(office, freeze);
    await hears(office, LEAD, /delivered this command again.*nothing was changed now.*is not frozen/s);
    expect(await office.books.ledger.freeze()).toBeNull();
    expect(await freezeEntries(office)).toEqual(['frozen', 'unfrozen']);
  });

  it('has no effect where it was refused at first: there was nothing to end then', async () => {
    const office = await openOffice();
    const unfreeze = await types(office, LEAD, 'unfreeze', 'Spending is not frozen');
    await types(office, LEAD2, 'freeze an odd invoice', 'Spending is frozen');
    await again(office, unfreeze);
    await hears(office, LEAD, /delivered this command again.*frozen by @lou/s);
    expect(await office.books.ledger.freeze()).not.toBeNull();
  });

  it('has no effect where the right was missing at first and is there by now', async () => {
    const office = await openOffice();
    const freeze = await types(office, VIEWER, 'freeze for fun', 'not in a group that may');
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, VIEWER] });
    await again(office, freeze);
    await hears(office, VIEWER, 'delivered this command again');
    expect(await office.books.ledger.freeze()).toBeNull();
  });

  it('counts once over HTTP as well, and where two processes are handed it at once', async () => {
    const office = await openOffice({ transport: 'http' });
    await office.another();
    await types(office, LEAD, 'freeze an odd invoice', 'Spending is frozen');
    const unfreeze = await types(office, LEAD, 'unfreeze', 'no longer frozen');
    await types(office, LEAD2, 'freeze the token leaked', 'Spending is frozen');
    await Promise.all([again(office, unfreeze), again(office, unfreeze)]);
    await until(
      () => privately(office, LEAD).filter((text) => text.includes('delivered this command again')).length === 2,
    );
    expect(await office.books.ledger.freeze()).toMatchObject({ by: LEAD2 });
  });
});

describe('an order id that Slack delivers again, long after', () => {
  it('does not undo its correction', async () => {
    const { office, id, offered } = await withoutOrderId();
    const first = await enter(office, offered, '12345');
    const second = await enter(office, offered, '12346');
    await later(office);
    expect(shown(await again(office, first))).toBe('{}');
    expect(shown(await again(office, second))).toBe('{}');
    const { purchase, entries } = await reaches(office, id, 'completed');
    expect(purchase.orderId).toBe('12346');
    expect(entries.filter(({ detail }) => detail.kind === 'order_id')).toHaveLength(2);
  });

  it('does not undo it either where it changed nothing at first', async () => {
    const { office, id, offered } = await withoutOrderId();
    await enter(office, offered, '12345');
    const same = await enter(office, offered, '12345');
    await enter(office, offered, '12346');
    await again(office, same);
    expect((await reaches(office, id, 'completed')).purchase.orderId).toBe('12346');
  });
});

describe('a decision that Slack delivers again', () => {
  it('is not made where it was refused at first and would be taken now, and says so', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD2] });
    const approval = (await lea.submit('Approve')).delivery;
    expect(shown(approval)).toContain('not in a group');
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2] });
    expect(shown(await again(office, approval))).toMatch(
      /delivered this again.*refused the first time.*nothing was done now/,
    );
    const record = await reaches(office, id, 'requested');
    expect(refusalsIn(record)).toEqual([`${LEAD} approve: not_in_group`]);
    expect(office.vendor.posts).toBe(0);
  });

  it('that was refused and still is says why again, and is one entry', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
    const approval = (await lea.submit('Approve')).delivery;
    expect(shown(approval)).toContain('was withdrawn by');
    expect(shown(await again(office, approval))).toContain('was withdrawn by');
    expect(refusalsIn(await reaches(office, id, 'withdrawn'))).toEqual([`${LEAD} approve: wrong_state`]);
  });

  it('is no refusal and no entry where it is a withdrawal or a settlement', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const withdrawal = await press(office, id, 'Withdraw', BUYER);
    const { entries } = await reaches(office, id, 'withdrawn');
    await later(office);
    await again(office, withdrawal);
    expect((await reaches(office, id, 'withdrawn')).entries).toEqual(entries);
    expect(privately(office, BUYER)).toEqual([]);

    office.vendor.next('create', { name: 'reset_before_answer' });
    const unknown = (await approved(office, 'DE 10', 'unknown')).purchase.id;
    const lea = await openDecision(office, unknown, 'It was placed');
    await lea.type('Note', 'in the console');
    const settlement = (await lea.submit('Settle')).delivery;
    const settled = await reaches(office, unknown, 'completed');
    await later(office);
    expect(shown(await again(office, settlement))).toBe('{}');
    const after = await reaches(office, unknown, 'completed');
    for (const { entries } of [settled, after]) expect(entries.filter(({ by }) => by === LEAD)).toHaveLength(2);
  });

  it('leaves one entry for one look at the vendor’s answer', async () => {
    const office = await openOffice();
    const { purchase } = await approved(office, 'US 10', 'completed');
    const look = await press(office, purchase.id, 'Show the answer', BUYER);
    await office.slack.as(BUYER).waitFor((screen) => screen.modal);
    await again(office, look);
    // A trigger opens one view.
    await logged(office, 'delivered again: its view stands already');
    office.slack.takeViolations();
    const { entries } = await reaches(office, purchase.id, 'completed');
    expect(entries.filter(({ detail }) => detail.kind === 'answer_opened')).toHaveLength(1);
  });
});

const shown = (delivery: Pick<Delivery, 'ack'> | null) => JSON.stringify(delivery?.ack ?? {});

/** Types the command, and waits for the private answer. */
async function types(office: Office, user: string, text: string, answer: string): Promise<Delivery | null> {
  const delivery = await office.slack.as(user).command('/proxy', text);
  await hears(office, user, answer);
  return delivery;
}

/** Another process, another hour: nothing of the first delivery is left but the ledger. */
async function later(office: Office): Promise<void> {
  await office.restart();
  office.clock.advance(HOUR);
}

async function again(office: Office, delivery: Delivery | null): Promise<Delivery> {
  if (!delivery) throw new Error('nothing was sent');
  const repeated = await office.slack.redeliver(delivery);
  expect(repeated.failure).toBeNull();
  return repeated;
}

async function freezeEntries({ books }: Office): Promise<unknown[]> {
  const rows = await books.database.read((sql) =>
    sql.all('SELECT kind FROM entries WHERE purchase_id IS NULL ORDER BY seq'),
  );
  return rows.map(({ kind }) => kind);
}

async function withoutOrderId(): Promise<{ office: Office; id: string; offered: Message }> {
  const office = await openOffice();
  office.vendor.next('create', { name: 'no_order_id' });
  const { purchase } = await approved(office, 'US 10', 'completed');
  const offered = await dmWith(office, BUYER, '[Enter order id]');
  return { office, id: purchase.id, offered };
}

/** By the message as it stood before the id was known: later it offers that no more. */
async function enter(office: Office, offered: Message, orderId: string): Promise<Delivery | null> {
  const bea = office.slack.as(BUYER);
  await bea.pressOn(offered, 'Enter order id');
  await bea.waitFor((screen) => screen.modal?.submit);
  await bea.type('Order id', orderId);
  const { delivery } = await bea.submit('Save');
  await dmWith(office, BUYER, `Order ${orderId}`);
  return delivery;
}
