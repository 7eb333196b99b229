import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice, policyOf } from '../support/office.ts';
import { allWait } from '../support/passing.ts';
import { MONTHLY, plansYaml, YEARLY } from '../support/plan.ts';
import {
  askFor,
  buyNow,
  cardWith,
  comesTo,
  command,
  decide,
  dmWith,
  file,
  hears,
  modalText,
  privately,
  reaches,
  submitted,
  until,
} from '../support/steps.ts';

describe('the one place from which money leaves', () => {
  it('sends one purchase at a time, each once, with two processes on one ledger', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 100 }` });
    await office.another();
    const ids: string[] = [];
    for (const [who, typed] of [
      [BUYER, 'US 1'],
      [BUYER2, 'DE 2'],
      [LEAD2, 'FR 3'],
      [BUYER, 'NL 4'],
    ] as const)
      ids.push((await submitted(office, await askFor(office, typed, who), 'Buy now')).id);
    for (const id of ids) await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(4);
    const orders = (await office.records()).map(({ purchase }) => purchase.orderId);
    expect(new Set(orders).size).toBe(4);
  });

  it('is stopped by a freeze, which review, card and lists show, and goes on when it ends', async () => {
    const office = await openOffice();
    await command(office, 'freeze the invoice is <late>', LEAD);
    await hears(office, LEAD, 'Spending is frozen: the invoice is <late>');
    await cardWith(office, 'Spending was frozen by @lea: the invoice is <late>');
    const bea = await askFor(office, 'US 10');
    expect(modalText(bea)).toContain('Spending is frozen');
    const { id } = await submitted(office, bea, 'Ask for approval');
    expect(modalText(bea)).toContain('Spending is frozen');
    await cardWith(office, id);
    await decide(office, id, 'Approve');
    await dmWith(office, BUYER, 'Spending is frozen');
    for (const text of ['balance', 'requests']) await command(office, text, BUYER2);
    await until(() => privately(office, BUYER2).filter((said) => said.includes('Spending is frozen')).length === 2);
    await reaches(office, id, 'approved');
    expect(office.vendor.posts).toBe(0);

    await command(office, 'freeze again', LEAD2);
    await hears(office, LEAD2, 'frozen already, by @lea');
    await command(office, 'unfreeze', LEAD2);
    await cardWith(office, 'no longer frozen, by @lou');
    await reaches(office, id, 'completed');
    await command(office, 'unfreeze', LEAD2);
    await hears(office, LEAD2, 'Spending is not frozen');
  });

  it('can be stopped by approvers alone, with rights asked afresh', async () => {
    const office = await openOffice();
    await command(office, 'freeze please', BUYER);
    await hears(office, BUYER, 'not in a group that may approve, settle or freeze');
    office.slack.settings.events.splice(0);
    await command(office, 'balance', LEAD);
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD2] });
    await command(office, 'freeze please', LEAD);
    await hears(office, LEAD, 'not in a group');
    expect(await office.books.ledger.freeze()).toBeNull();
  });

  it.each([
    [
      'the limit of an order was lowered',
      { limits: 'limits: { ips_per_order: 9 }' },
      'the limit is now 9 IPs an order',
    ],
    [
      'the limit of a person was lowered',
      { limits: 'limits: { ips_per_person_per_day: 9 }' },
      'the limit is now 9 IPs a person',
    ],
    ['the plan is gone', { plans: plansYaml(YEARLY) }, 'is no longer offered'],
    [
      'the plan is another product now',
      { plans: plansYaml({ ...MONTHLY, networkType: 'datacenter' }) },
      'is no longer offered',
    ],
  ])('sends nothing when %s between the approval and the sending, and tells both', async (_, change, why) => {
    const { office, id } = await approvedWhileFrozen();
    await office.restart(policyOf(change));
    await command(office, 'unfreeze', LEAD);
    expect((await reaches(office, id, 'declined')).purchase).toMatchObject({ declinedHow: 'not_sent' });
    await dmWith(office, BUYER, why);
    await cardWith(office, why);
    expect(office.vendor.posts).toBe(0);
  });

  it('sends nothing on the requester’s own confirmation when the allowance was lowered meanwhile', async () => {
    const office = await openOffice();
    await command(office, 'freeze wait', LEAD);
    const id = await buyNow(office, 'US 5');
    await office.restart(policyOf({ approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 4 }` }));
    await command(office, 'unfreeze', LEAD);
    expect((await reaches(office, id, 'declined')).purchase.why).toContain('it now needs approval');
    expect(office.vendor.posts).toBe(0);
  });

  it('sends two requests that fit under the limit together, in whatever order they are approved', async () => {
    const office = await openOffice({ limits: 'limits: { ips_per_person_per_day: 20 }' });
    const first = await file(office, 'US 10');
    const second = await file(office, 'DE 10');
    await decide(office, second, 'Approve');
    await reaches(office, second, 'completed');
    await decide(office, first, 'Approve');
    await reaches(office, first, 'completed');
    expect(office.vendor.posts).toBe(2);
  });

  it('goes on with what others asked for while one person cannot be looked up, and comes back to theirs', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 100 }` });
    await command(office, 'freeze until both wait', LEAD);
    await hears(office, LEAD, 'Spending is frozen');
    const held = (await submitted(office, await askFor(office, 'US 1', BUYER), 'Buy now')).id;
    const next = (await submitted(office, await askFor(office, 'DE 2', BUYER2), 'Buy now')).id;
    const only = ({ args }: { args: Record<string, unknown> }) => args['user'] === BUYER;
    office.slack.faults.add('users.info', { kind: 'error', code: 'some_new_code' }, { times: Infinity, only });
    await command(office, 'unfreeze', LEAD);
    await reaches(office, next, 'completed');
    expect((await reaches(office, held, 'approved')).purchase.requester).toBe(BUYER);
    office.slack.faults.clear();
    await comesTo(office, held, 'completed', 5_000);
    expect(office.vendor.posts).toBe(2);
  });

  it('waits for the answer of what this very process sends, though the clock jumps past the deadline meanwhile', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'hold' });
    const { id } = await submitted(office, await askFor(office, 'US 1'), 'Buy now');
    await office.vendor.until(() => office.vendor.held === 1);
    office.clock.advance(60 * 60_000);
    await allWait(office);
    await reaches(office, id, 'sending');
    office.vendor.release();
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('sends what cannot be afforded and lets the vendor say no, since no price is known', async () => {
    const office = await openOffice({ vendor: { balance: '3.20' } });
    await reaches(office, await buyNow(office, 'US 1'), 'completed');
    office.vendor.balance = '3.19';
    const { purchase } = await reaches(office, await buyNow(office, 'DE 1'), 'declined');
    expect(purchase.why).toBe('insufficient balance');
    await dmWith(office, BUYER, 'insufficient balance');
  });
});

/** An approved request of 10 IPs that waits behind a freeze. */
async function approvedWhileFrozen(): Promise<{ office: Office; id: string }> {
  const office = await openOffice();
  await command(office, 'freeze wait', LEAD);
  const id = await file(office, 'US 10');
  await decide(office, id, 'Approve');
  await reaches(office, id, 'approved');
  return { office, id };
}
