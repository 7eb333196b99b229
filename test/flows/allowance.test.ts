import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, openOffice } from '../support/office.ts';
import { askFor, buyNow, decide, file, filed, modalText, reaches } from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;

describe('the free allowance and the limits', () => {
  it('let a person buy up to the allowance, and not one more', async () => {
    const office = await openOffice();
    expect(modalText(await askFor(office, 'US 6'))).toContain('Needs approval');
    await reaches(office, await buyNow(office, 'US 5'), 'completed');
    expect(modalText(await askFor(office, 'DE 1'))).toContain('Needs approval');
    // Everybody has one of their own.
    await reaches(office, await buyNow(office, 'DE 5', BUYER2), 'completed');
  });

  it('count a rolling 24 hours from when each was bought', async () => {
    const office = await openOffice();
    await reaches(office, await buyNow(office, 'US 3'), 'completed');
    office.clock.advance(12 * HOUR);
    await reaches(office, await buyNow(office, 'DE 2'), 'completed');
    office.clock.advance(12 * HOUR - 60_000);
    expect(modalText(await askFor(office, 'FR 1'))).toContain('Needs approval');
    office.clock.advance(61_000);
    expect(modalText(await askFor(office, 'FR 4'))).toContain('Needs approval');
    await reaches(office, await buyNow(office, 'FR 3'), 'completed');
  });

  it('count what may yet be spent, and give back what was not', async () => {
    const office = await openOffice({ limits: 'limits: { ips_per_order: 500, ips_per_person_per_day: 20 }' });
    const id = await file(office, 'US 15');
    expect(modalText(await askFor(office, 'DE 1'))).toContain('Needs approval');
    const bea = await askFor(office, 'DE 6');
    expect(modalText(bea)).toContain('you have 15 of 20 in the last 24 hours already');
    expect(modalText(bea)).toContain('Up to 5 would still fit');
    await decide(office, id, 'Reject');
    await reaches(office, id, 'rejected');
    await reaches(office, await buyNow(office, 'DE 5'), 'completed');
  });

  it('count an unknown outcome as spent', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'reset_before_answer' });
    await reaches(office, await buyNow(office, 'US 5'), 'unknown');
    expect(modalText(await askFor(office, 'DE 1'))).toContain('Needs approval');
  });

  it('let only one of two of the same person through who both fit alone, filed at once from two places', async () => {
    const office = await openOffice();
    const first = await askFor(office, 'US 3');
    const view = first.screen.modal;
    if (!view) throw new Error('no review');
    const second = await sideBySide(office, 'DE 3');
    await Promise.all([office.slack.interactions.submit(view), second()]);
    const records = await office.records();
    expect(records).toHaveLength(1);
    expect(records[0]?.purchase.quantity).toBe(3);
  });

  it('say at the submit that the allowance was used meanwhile, file nothing, and then take it as a request', async () => {
    const office = await openOffice();
    const second = await sideBySide(office, 'DE 3');
    const bea = await askFor(office, 'US 3');
    await second();
    await bea.submit('Buy now');
    expect(modalText(bea)).toContain('your free allowance was used in the meantime');
    expect(modalText(bea)).toContain('Needs approval');
    expect(await office.records()).toHaveLength(1);
    await filed(office, bea, 'Ask for approval');
    expect(office.vendor.posts).toBeLessThanOrEqual(1);
  });

  it('take the two ids of one person in an organisation as one', async () => {
    const office = await openOffice();
    office.slack.world.setPerson(BUYER, { enterpriseUserId: 'W0BEA' });
    office.slack.world.setPerson('W0BEA', { name: 'bea-org', enterpriseUserId: 'W0BEA' });
    await office.slack.world.setGroup('S0BUYERS', { members: [BUYER, 'W0BEA'] });
    await reaches(office, await buyNow(office, 'US 3'), 'completed');
    expect(modalText(await askFor(office, 'DE 3', 'W0BEA'))).toContain('Needs approval');
    await reaches(office, await buyNow(office, 'DE 2', 'W0BEA'), 'completed');
    expect((await office.records())[1]?.purchase.requester).toBe('W0BEA');
  });
});

/** The same person's review in a second window, submitted when it is called. */
async function sideBySide(office: Awaited<ReturnType<typeof openOffice>>, typed: string) {
  const open = Object.values(office.slack.state.views);
  const stack = office.slack.state.stacks[BUYER] ?? [];
  office.slack.state.stacks[BUYER] = [];
  const person = await askFor(office, typed);
  const view = person.screen.modal;
  if (!view) throw new Error('no review');
  office.slack.state.stacks[BUYER] = stack;
  for (const other of open) office.slack.state.views[other.id] ??= other;
  return () => office.slack.interactions.submit(view);
}
