import { describe, expect, it } from 'vitest';
import { inCents } from '../../src/purchasing/model/quotient.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import {
  askFor,
  buyNow,
  decide,
  delivered,
  file,
  filed,
  modalText,
  openDecision,
  openForm,
  reaches,
  until,
} from '../support/steps.ts';

const FREE = `approvals: { channel: ${CHANNEL}, free_up_to: 50 }`;
const LIMITS = 'ips_per_order: 500, ips_per_person_per_day: 1000';

/** Bought on one's own confirmation, once the readings after it tell what an IP costs. */
async function bought(office: Office, quantity: number, total: string, as = BUYER): Promise<void> {
  await reaches(office, await buyNow(office, `US ${quantity}`, as), 'completed');
  await priced(office, quantity, total);
}

async function priced(office: Office, quantity: number, total: string): Promise<void> {
  const of = { kind: 'buy', productId: 'lt-monthly', basket: [{ country: 'US', quantity }] } as const;
  await until(async () => {
    const [found] = await office.books.account.estimates([of]);
    return found !== undefined && inCents(found.amount) === total;
  });
}

/** The message about it that this person sees, as they read it. */
function messageAbout(office: Office, id: string, as = LEAD): string {
  const person = office.slack.as(as);
  const messages = [...person.screen.dm, ...(person.screen.channels['approvals'] ?? [])];
  return messages.map((message) => person.read(message)).find((text) => text.includes(id)) ?? '';
}

describe('what a purchase is expected to cost', () => {
  it('is not known before something like it was bought, then stands in form, review, card and approval as observed', async () => {
    const office = await openOffice({ approvals: FREE, vendor: { balance: '1000' } });
    expect(modalText(await openForm(office, 'US 15'))).toContain('no price observed yet for 🇺🇸 United States');
    await bought(office, 15, '48.00');

    const mixed = await openForm(office, 'US 10, DE 5');
    expect(modalText(mixed)).toContain('Cost of that: no price observed yet for 🇩🇪 Germany');
    const bea = await openForm(office, 'US 60');
    expect(modalText(bea)).toMatch(
      /about \$192\.00 at prices observed, latest .*, 1 purchase · about \$760\.00 would be left/,
    );
    await bea.submit('Review');
    expect(modalText(bea)).toMatch(/Cost: about \$192\.00 at prices observed, latest .*about \$760\.00 would be left/);
    const id = await filed(office, bea, 'Ask for approval');
    expect(messageAbout(office, id)).toMatch(/About \$192\.00 at prices observed/);
    expect(modalText(await openDecision(office, id, 'Approve'))).toMatch(/About \$192\.00 at prices observed/);
    await office.slack.as(LEAD).close({ all: true });
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await office.slack.as(LEAD).waitFor(/\$952\.00 → \$760\.00/);
    expect(messageAbout(office, id)).not.toContain('at prices observed');
  });

  it('is read anew at its submit: a review that showed another price files nothing, and says what has changed', async () => {
    const office = await openOffice({ approvals: FREE });
    await bought(office, 1, '3.20');
    const bea = await askFor(office, 'US 2');
    expect(modalText(bea)).toContain('about $6.40');
    office.vendor.pricePerIp = '4.00';
    await bought(office, 3, '12.00', BUYER2);
    await bea.submit('Buy now');
    expect(modalText(bea)).toContain(
      'the review said about $6.40 at prices observed, and now it is about $8.00 at prices observed',
    );
    expect(modalText(bea)).toContain('Cost: about $8.00');
    await reaches(office, await filed(office, bea, 'Buy now'), 'completed');
    expect(office.vendor.posts).toBe(3);
  });

  it('stands on the card as it was when it was asked for, beside what it is by now', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5 }` });
    await bought(office, 1, '3.20');
    const id = await file(office, 'US 10');
    office.vendor.pricePerIp = '4.00';
    await bought(office, 2, '8.00', BUYER2);
    const approve = modalText(await openDecision(office, id, 'Approve'));
    expect(approve).toMatch(/When it was asked for: about \$32\.00 at prices observed/);
    expect(approve).toMatch(/By now: about \$40\.00 at prices observed/);
    const [other] = (await office.records()).filter(({ purchase }) => purchase.requester === BUYER2);
    const told = () => messageAbout(office, other?.purchase.id ?? '', BUYER2);
    await delivered(office);
    expect(told()).toMatch(
      /\(−\$8\.00\).*\nExpected were about \$6\.40 at prices observed: a price has changed, or money moved/,
    );
  });
});

describe('limits in dollars', () => {
  it('let a first order through with somebody’s approval, and then hold to the cent', async () => {
    const office = await openOffice({
      approvals: `approvals: { channel: ${CHANNEL}, free_up_to_dollars: 32, renewals: false }`,
      limits: `limits: { ${LIMITS}, dollars_per_person_per_month: 64 }`,
    });
    const first = await askFor(office, 'US 1');
    expect(modalText(first)).toContain(
      'Needs approval: there are limits in dollars, and for this no price is observed yet',
    );
    const id = await filed(office, first, 'Ask for approval');
    expect(messageAbout(office, id)).toContain('No price observed yet for 🇺🇸 United States');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await priced(office, 1, '3.20');

    // 1 and 9 are 10 IPs, $32.00.
    await bought(office, 9, '28.80');
    const more = await askFor(office, 'US 2');
    expect(modalText(more)).toContain('Needs approval: $32.00 a day are free, of which about $32.00 are used');
    await reaches(office, await file(office, 'US 10'), 'requested');
    const over = await askFor(office, 'US 3');
    expect(modalText(over)).toContain(
      'you have spent or asked for about $64.00 of $64.00 in this calendar month (UTC) already',
    );
    expect(modalText(over)).toContain('Nothing is left until the month ends');
    expect(modalText(await askFor(office, 'US 3', BUYER2))).not.toContain('cannot be filed');
  });

  it('ask for two people above an amount, and where no price is known', async () => {
    const office = await openOffice({
      approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 5, two_people_above_dollars: 16 }`,
    });
    const first = await askFor(office, 'US 4', BUYER2);
    expect(modalText(first)).toContain(
      'Needs approval by two people: more than $16.00 do, and for this no price is observed yet',
    );
    const id = await filed(office, first, 'Ask for approval');
    await decide(office, id, 'Approve');
    expect((await office.records())[0]?.purchase.state).toBe('requested');
    await decide(office, id, 'Approve', LEAD2);
    await reaches(office, id, 'completed');
    await priced(office, 5, '16.00');
    await bought(office, 5, '16.00');
    expect(modalText(await askFor(office, 'US 1'))).toContain('by two people: more than $16.00 within 24 hours do');
  });
});
