import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import {
  approved,
  askFor,
  cardWith,
  comesTo,
  dmWith,
  file,
  filed,
  hears,
  modalText,
  openDecision,
  press,
  privately,
  reaches,
  refusalsIn,
  submitted,
  until,
} from '../support/steps.ts';

describe('an unknown outcome', () => {
  it('is settled as placed by a named person with a note and the order id, and everybody sees by whom', async () => {
    const { office, id } = await unknown();
    const lea = await openDecision(office, id, 'It was placed');
    expect((await lea.submit('Settle')).errors['Note']).toBeTruthy();
    await lea.type('Note', 'seen in the console, #12');
    await lea.type('Order id', '12x');
    expect((await lea.submit('Settle')).errors['Order id']).toBeTruthy();
    await lea.type('Order id', '9007199254740993');
    await lea.submit('Settle');
    const { purchase } = await reaches(office, id, 'completed');
    expect(purchase).toMatchObject({ orderId: '9007199254740993', approver: LEAD });
    await dmWith(office, BUYER, 'Settled as placed by @lea');
    const card = lea.read(await cardWith(office, 'Its outcome was unknown; it is settled'));
    expect(card).toContain('seen in the console');
    expect(card).not.toContain('[It was placed]');
    expect(office.vendor.posts).toBe(1);
  });

  it('is settled as not placed, and only then may the same be asked for again', async () => {
    const { office, id } = await unknown();
    const bob = await askFor(office, 'US 10', BUYER2);
    expect(modalText(bob)).toContain('its outcome is unknown');
    const lea = await openDecision(office, id, 'It was not placed');
    expect(modalText(lea)).not.toContain('Order id');
    await lea.type('Note', 'not in the console');
    await lea.submit('Settle');
    expect((await reaches(office, id, 'declined')).purchase.declinedHow).toBe('settled');
    await dmWith(office, BUYER, 'Settled as not placed by @lea');
    await filed(office, await askFor(office, 'US 10', BUYER2), 'Ask for approval');
  });

  it('is not settled by its requester, nor by somebody without the right, as entries', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'reset_before_answer' });
    const id = await file(office, 'US 10', LEAD2);
    const lea = await openDecision(office, id, 'Approve');
    await lea.submit('Approve');
    await cardWith(office, '[It was placed]');
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, LEAD2, VIEWER, STRANGER] });
    for (const [user, no] of [
      [LEAD2, 'your own request'],
      [VIEWER, 'not in a group'],
      [STRANGER, 'not in a group'],
    ] as const) {
      await press(office, id, 'It was placed', user);
      await hears(office, user, no);
    }
    expect(refusalsIn(await reaches(office, id, 'unknown'))).toEqual([
      `${LEAD2} settle: own_purchase`,
      `${VIEWER} settle: not_in_group`,
      `${STRANGER} settle: not_in_group`,
    ]);
  });

  it('is settled once when two do it at once, in opposite ways', async () => {
    const { office, id } = await unknown();
    const [lea, lou] = await Promise.all([
      openDecision(office, id, 'It was placed', LEAD),
      openDecision(office, id, 'It was not placed', LEAD2),
    ]);
    for (const person of [lea, lou]) await person.type('Note', `says ${person.user}`);
    await Promise.all([lea.submit('Settle'), lou.submit('Settle')]);
    const record = await until(async () => {
      const now = await office.books.ledger.record(id);
      return now?.purchase.state === 'unknown' ? undefined : now;
    });
    expect(record.entries.filter(({ from }) => from === 'unknown')).toHaveLength(1);
    expect(refusalsIn(record)).toHaveLength(1);
    const [loser, ...others] = [lea, lou].filter((person) => modalText(person).includes('Your click changed nothing'));
    expect(others).toEqual([]);
    // Who was quicker, and what they found.
    expect(loser && modalText(loser)).toMatch(
      loser === lea ? /Settled as not placed by @lou.*says U0LEAD2/ : /Settled as placed by @lea.*says U0LEAD/,
    );
  });

  it('is not settled with an order id that another buy holds: an error at the field, and the note stays', async () => {
    const office = await openOffice();
    const { purchase: other } = await approved(office, 'DE 10', 'completed');
    office.vendor.next('create', { name: 'time_out' });
    const { id } = await unknown(office);
    const lea = await openDecision(office, id, 'It was placed');
    await lea.type('Note', 'seen');
    await lea.type('Order id', other.orderId ?? '');
    expect((await lea.submit('Settle')).errors['Order id']).toContain('already belongs to another purchase');
    await reaches(office, id, 'unknown');
    expect(modalText(lea)).toContain('Note: seen');
    await lea.type('Order id', '4711');
    await lea.submit('Settle');
    await reaches(office, id, 'completed');
  });

  it('keeps a late answer as evidence, shows it, and is moved by nobody but a person', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const { id } = await submitted(office, await askFor(office, 'US 5'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    // Another process takes it for dead: its deadline and 15 s more are over.
    await office.another();
    office.clock.advance(30_000 + 16_000);
    await reaches(office, id, 'unknown');
    await cardWith(office, '[It was placed]');
    office.vendor.release();
    await cardWith(office, 'A late answer');
    await cardWith(office, 'It came too late to count');
    const { entries } = await reaches(office, id, 'unknown');
    expect(entries.find(({ detail }) => detail.kind === 'answer')?.detail).toMatchObject({ late: true });
    const lea = await openDecision(office, id, 'It was placed');
    await lea.type('Note', 'the late answer says so');
    await lea.submit('Settle');
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('of a sending that another process takes for dead is not sent by that process', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const { id } = await submitted(office, await askFor(office, 'US 5'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    await office.another();
    await comesTo(office, id, 'unknown', 10_000);
    office.vendor.release();
    await until(async () =>
      (await reaches(office, id, 'unknown')).entries.some(({ detail }) => detail.kind === 'answer'),
    );
    expect(office.vendor.posts).toBe(1);
  });
});

describe('Show the answer', () => {
  it('opens privately for the requester and for approvers, each time as an entry first', async () => {
    const office = await openOffice();
    const body = '{"code":200,"data":{"order_id":5,"proxies":["10.0.0.1:8000:user:pass<&>"]}}';
    office.vendor.next('create', { name: 'answer', body, charge: true });
    const { purchase } = await approved(office, 'US 10', 'completed');
    const { id } = purchase;
    await dmWith(office, BUYER, '[Show the answer]');
    await press(office, id, 'Show the answer', BUYER);
    await office.slack.as(BUYER).waitFor('10.0.0.1:8000:user:pass<&>');
    await press(office, id, 'Show the answer', LEAD);
    await office.slack.as(LEAD).waitFor('user:pass');
    const { entries } = await reaches(office, id, 'completed');
    expect(entries.filter(({ detail }) => detail.kind === 'answer_opened').map(({ by }) => by)).toEqual([BUYER, LEAD]);
    // Nowhere else: no message, no line of the log.
    expect(JSON.stringify(office.slack.state.messages)).not.toContain('user:pass');
    expect(office.lines.filter((line) => JSON.stringify(line).includes('user:pass'))).toEqual([]);
  });

  it('is refused to everybody else', async () => {
    const office = await openOffice();
    const { purchase } = await approved(office, 'US 10', 'completed');
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, BUYER2, STRANGER, VIEWER] });
    for (const user of [BUYER2, STRANGER, VIEWER]) await press(office, purchase.id, 'Show the answer', user);
    await hears(office, BUYER2, 'Only the person who asked for this');
    await hears(office, VIEWER, 'Only the person who asked for this');
    await hears(office, STRANGER, 'not in a group');
    for (const user of [BUYER2, STRANGER, VIEWER]) expect(office.slack.as(user).screen.modal).toBeUndefined();
    expect(privately(office, BUYER2)).toHaveLength(1);
    const { entries } = await reaches(office, purchase.id, 'completed');
    expect(entries.some(({ detail }) => detail.kind === 'answer_opened')).toBe(false);
  });
});

/** A purchase that was sent, and nobody knows what became of it. */
async function unknown(in_?: Office): Promise<{ office: Office; id: string }> {
  const office = in_ ?? (await openOffice());
  office.vendor.behave();
  office.vendor.next('create', { name: 'reset_before_answer' });
  const { purchase } = await approved(office, 'US 10', 'unknown');
  await cardWith(office, '[It was placed]');
  return { office, id: purchase.id };
}
