import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../sandbox/slack/index.ts';
import { BUYER, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { allWait } from '../support/passing.ts';
import {
  askFor,
  bodies,
  command,
  file,
  filed,
  hears,
  lost,
  modalText,
  openDecision,
  openForm,
  privately,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

describe('what Slack delivers twice', () => {
  it('counts once where it is a form: the review that is shown can still be submitted, and files one purchase', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2');
    await bea.type('Reason', 'testing');
    const form = await bea.submit('Review');
    await again(office, form.delivery);
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(await office.records()).toHaveLength(1);
    expect(office.vendor.posts).toBe(1);
  });

  it('counts once where it is everything: one purchase, one approval, one request to the vendor', async () => {
    const office = await openOffice();
    const repeats = everythingTwice(office);
    const bea = await openForm(office, 'US 10');
    await bea.press('Add country');
    await bea.waitFor(() => countries(modalText(bea)) === 2);
    const [germany = ''] = await bea.suggest('Country', 'germ', { nth: 2 });
    await bea.pick('Country', germany, { nth: 2 });
    await bea.type('Quantity', '4', { nth: 2 });
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    await repeats.ended();
    const id = await filed(office, bea, 'Ask for approval');
    const lea = await openDecision(office, id, 'Approve');
    await lea.submit('Approve');
    const completed = await reaches(office, id, 'completed');
    await repeats.ended();
    await allWait(office);
    // A trigger opens one view: the repeated command and click open no second one.
    expect(new Set(office.slack.takeViolations().map(({ what }) => what))).toEqual(new Set(['exchanged_trigger_id']));
    for (const who of [BUYER, LEAD]) expect(privately(office, who)).toEqual([]);
    expect(refusalsIn(completed)).toEqual([]);
    expect(await office.records()).toHaveLength(1);
    expect(completed.purchase.quantity).toBe(14);
    expect(bodies(office)).toHaveLength(1);
  });

  it('adds a pasted list once', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', 'FR 1\nUS 1');
    const pasted = await bea.submit('Add');
    await bea.waitFor('Total 3 IPs');
    await again(office, pasted.delivery);
    await bea.type('Reason', 'testing');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 3 IPs');
    // A second list of the same words is another one.
    await bea.close();
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    await bea.type('Countries and quantities', 'FR 1\nUS 1');
    await bea.submit('Add');
    await bea.waitFor('Total 5 IPs');
  });

  it('adds one row for one press of Add country, and keeps what was typed since', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    const pressed = await bea.press('Add country');
    await bea.waitFor(() => countries(modalText(bea)) === 2);
    await bea.type('Quantity', '3', { nth: 1 });
    const drawn = office.slack.callsTo('views.update').length;
    await again(office, pressed);
    await until(() => office.slack.callsTo('views.update').length > drawn);
    expect(countries(modalText(bea))).toBe(2);
    await bea.press('Add country');
    await bea.waitFor(() => countries(modalText(bea)) === 3);
    expect(modalText(bea)).toContain('Total 3 IPs');
  });

  it('is no refusal where it is a decision, and leaves no entry', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const approval = await lea.submit('Approve');
    await reaches(office, id, 'completed');
    expect(shown(await again(office, approval.delivery))).toBe('{}');
    const { entries } = await reaches(office, id, 'completed');
    expect(entries.filter(({ by }) => by === LEAD)).toHaveLength(1);

    const other = await file(office, 'DE 10');
    await openDecision(office, other, 'Reject');
    await lea.type('Reason', 'too many');
    const rejection = await lea.submit('Reject');
    await reaches(office, other, 'rejected');
    expect(shown(await again(office, rejection.delivery))).toBe('{}');
    expect(refusalsIn(await reaches(office, other, 'rejected'))).toEqual([]);
  });

  it('is no error where it is a freeze: it says again that spending is frozen', async () => {
    const office = await openOffice();
    const frozen = await office.slack.as(LEAD).command('/proxy', 'freeze an odd invoice');
    await hears(office, LEAD, 'Spending is frozen: an odd invoice');
    await again(office, frozen);
    await until(() => privately(office, LEAD).length === 2);
    for (const said of privately(office, LEAD)) expect(said).toContain('Spending is frozen: an odd invoice');
    // Another freeze is told who was first.
    await command(office, 'freeze an odd invoice', LEAD2);
    await hears(office, LEAD2, 'frozen already, by @lea');
  });
});

describe('a review that is submitted late', () => {
  it('files nothing when something else is shown by then, and says that it was an earlier one', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const late = await lost(office, async () => (await bea.submit('Buy now')).delivery);
    await bea.close();
    await bea.type('Quantity', '3');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 3 IPs');
    const { ack } = await again(office, late);
    expect(shown({ ack })).toContain('earlier review');
    expect(shown({ ack })).toContain('Buy 3 IPs');
    expect(await office.records()).toEqual([]);
    // What is on the screen is still what would be filed.
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect((await office.records()).map(({ purchase }) => purchase.quantity)).toEqual([3]);
  });

  it('is one review, whichever of its deliveries came first', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 2');
    const late = await lost(office, async () => (await bea.submit('Buy now')).delivery);
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(shown(await again(office, late))).toContain('Filed: Buy 2 IPs');
    expect(await office.records()).toHaveLength(1);
    expect(privately(office, BUYER)).toEqual([]);
  });
});

const countries = (text: string) => text.match(/^Country/gm)?.length;
const shown = ({ ack }: Pick<Delivery, 'ack'>) => JSON.stringify(ack ?? {});

/** The same delivery once more; its answer is recorded, not shown. */
async function again(office: Office, delivery: Delivery | null): Promise<Delivery> {
  if (!delivery) throw new Error('nothing was sent');
  const repeated = await office.slack.redeliver(delivery);
  expect(repeated.failure).toBeNull();
  return repeated;
}

/** As soon as something is acknowledged, it comes again. */
function everythingTwice({ slack }: Office) {
  const repeats: Promise<Delivery>[] = [];
  slack.on((event) => {
    if (event.type === 'delivery_settled' && event.delivery.retryNum === 0)
      repeats.push(slack.redeliver(event.delivery));
  });
  return {
    async ended() {
      for (const { failure } of await Promise.all(repeats)) expect(failure).toBeNull();
    },
  };
}
