import { describe, expect, it } from 'vitest';
import { BUYER, BUYER2, CHANNEL, GUEST, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import {
  approved,
  askFor,
  cardWith,
  decide,
  file,
  hears,
  openDecision,
  openForm,
  press,
  privately,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

describe('a click counts only on the request it names, where its card lives', () => {
  it('is refused in another channel, and by direct message, as an entry', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const delivery = await press(office, id, 'Approve', LEAD);
    for (const channel of [{ id: 'C0GENERAL', name: 'general' }, { id: 'D0000001', name: 'directmessage' }, undefined])
      await deliver(office, 'block_actions', LEAD, { ...delivery.body, channel, container: { type: 'message' } });
    await until(() => privately(office, LEAD).filter((text) => text.includes('does not belong here')).length >= 2);
    await expect
      .poll(async () => refusalsIn(await reaches(office, id, 'requested')))
      .toEqual(Array(3).fill(`${LEAD} approve: wrong_card`));
  });

  it('does nothing for an id that is none, or of another kind, and says so', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const delivery = await press(office, id, 'Approve', LEAD);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal);
    await lea.close({ all: true });
    const [action] = delivery.body['actions'] as [object];
    // Five answers are all that one click's response_url takes.
    for (const value of ['P-00000000', '__proto__', "' OR 1=1 --", 'x'.repeat(2_000), undefined])
      await deliver(office, 'block_actions', LEAD, { ...delivery.body, actions: [{ ...action, value }] });
    await until(() => office.slack.callsTo('response_url').length >= 5);
    for (const text of privately(office, LEAD)) expect(text).toMatch(/no such request|Something went wrong/);
    // The settling button of an unknown outcome, pressed on what waits for a decision.
    const again = await press(office, id, 'Approve', LEAD2);
    const settle = { ...action, action_id: 'placed', value: id };
    await deliver(office, 'block_actions', LEAD2, { ...again.body, actions: [settle] });
    await hears(office, LEAD2, 'still waits for a decision');
    expect(lea.screen.modal).toBeUndefined();
    await expect
      .poll(async () => refusalsIn(await reaches(office, id, 'requested')))
      .toEqual([`${LEAD2} settle: wrong_state`]);
  });

  it('goes on only with the modal that was opened by the same person for the same thing', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const other = await file(office, 'DE 9', BUYER2);
    const lea = await openDecision(office, id, 'Approve');
    const form = await openForm(office, 'FR 8', BUYER);
    const drafts = {
      approve: lea.screen.modal?.privateMetadata ?? '',
      buy: form.screen.modal?.privateMetadata ?? '',
    };
    const sent = await lea.submit('Approve', { force: true }).then(({ delivery }) => delivery?.body ?? {});
    await reaches(office, id, 'completed');
    const view = sent['view'] as Record<string, unknown>;
    const submit = (user: string, callback_id: string, private_metadata: string) =>
      deliver(office, 'view_submission', user, { ...sent, view: { ...view, callback_id, private_metadata } });

    for (const callback of [
      'approve',
      'reject',
      'settle',
      'order_id',
      'buy',
      'buy_review',
      'renew',
      'renew_review',
      'paste',
    ])
      for (const [user, draft] of [
        // Somebody else's draft, one of another kind, the id of a purchase, nothing.
        [LEAD2, drafts.approve],
        [BUYER, drafts.approve],
        [BUYER, drafts.buy],
        [LEAD, drafts.buy],
        [LEAD, other],
        [LEAD, ''],
      ] as const) {
        const { failure, ack } = await submit(user, callback, draft);
        expect(failure, `${callback} ${draft}`).toBeNull();
        expect(ack, `${callback} ${draft}`).toBeTruthy();
      }
    expect((await office.records()).map(({ purchase }) => [purchase.id, purchase.state])).toEqual([
      [id, 'completed'],
      [other, 'requested'],
    ]);
    expect(office.vendor.posts).toBe(1);
  });

  it('lets nobody file what another person put together', async () => {
    const office = await openOffice();
    const bea = await askFor(office, 'US 3');
    const view = bea.screen.modal;
    if (!view) throw new Error('no review');
    for (const user of [BUYER2, GUEST, LEAD]) {
      const { ack } = await deliver(office, 'view_submission', user, {
        ...office.slack.deliveries.at(-1)?.body,
        view: { ...viewOf(office), id: view.id, callback_id: view.callbackId, private_metadata: view.privateMetadata },
      });
      expect(JSON.stringify(ack)).toContain('Nothing was filed');
    }
    expect(await office.records()).toEqual([]);
  });

  it('is told apart from a payload that lacks what Slack always sends: a sentence, and life goes on', async () => {
    const office = await openOffice();
    await approved(office, 'US 10', 'completed');
    const last = office.slack.deliveries.findLast(({ type }) => type === 'view_submission')?.body ?? {};
    const known = last['view'] as Record<string, unknown>;
    for (const view of [
      { ...known, callback_id: 'buy', state: undefined },
      { ...known, callback_id: 'reject', state: { values: null } },
      { ...known, callback_id: 'buy_review', private_metadata: undefined },
    ]) {
      const { ack, failure } = await deliver(office, 'view_submission', LEAD, { ...last, view });
      expect(failure).toBeNull();
      expect(JSON.stringify(ack)).toMatch(/reference|Nothing was filed/);
    }
    const next = await file(office, 'DE 10');
    await decide(office, next, 'Reject');
    await cardWith(office, 'Rejected');
    expect(office.vendor.posts).toBe(1);
  });
});

function deliver(office: Office, type: string, user: string, body: Record<string, unknown>) {
  const person = { id: user, team_id: 'T0TEAM' };
  return office.slack.deliver({ kind: 'interactive', type, user, body: { ...body, user: person } });
}

function viewOf(office: Office) {
  const body = office.slack.deliveries.findLast(({ type }) => type === 'view_submission')?.body;
  return { ...(body?.['view'] as object | undefined), title: { type: 'plain_text', text: CHANNEL } };
}
