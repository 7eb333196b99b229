import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../sandbox/slack/index.ts';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import { approved, cardOf, delivered, file, hears, modalText, reaches, refusalsIn } from '../support/steps.ts';

describe('a button of a message', () => {
  it('Withdraw is refused where no message of the purchase lives, as an entry, and nothing happens', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await deliver(office, BUYER, elsewhere(await click(office, id, 'Withdraw', BUYER)));
    await hears(office, BUYER, 'does not belong here');
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${BUYER} withdraw: wrong_card`]);
    await deliver(office, BUYER, await click(office, id, 'Withdraw', BUYER));
    await reaches(office, id, 'withdrawn');
  });

  it.each(['Enter order id', 'Show the answer'])(
    '%s is refused where no message of the purchase lives, and nothing opens',
    async (button) => {
      const office = await openOffice();
      office.vendor.next('create', { name: 'no_order_id' });
      const { purchase } = await approved(office, 'US 10', 'completed');
      const bea = office.slack.as(BUYER);
      await bea.waitFor((screen) => screen.dm.some((message) => bea.read(message).includes(`[${button}]`)));
      await bea.close({ all: true });
      await deliver(office, BUYER, elsewhere(await click(office, purchase.id, button, BUYER)));
      await hears(office, BUYER, 'does not belong here');
      expect(bea.screen.modal).toBeUndefined();
      const { entries } = await reaches(office, purchase.id, 'completed');
      expect(entries.some(({ detail }) => detail.kind === 'answer_opened')).toBe(false);
      await deliver(office, BUYER, await click(office, purchase.id, button, BUYER));
      await bea.waitFor((screen) => screen.modal);
    },
  );

  it.each([
    ['Approve', LEAD],
    ['Reject', LEAD],
    ['Withdraw', BUYER],
  ])(
    '%s of one purchase on the message of another is refused, as an entry, and that message stays as it is',
    async (button, user) => {
      const office = await openOffice();
      const id = await file(office, 'US 10');
      const other = await file(office, 'DE 10');
      await delivered(office);
      const person = office.slack.as(user);
      const before = person.read(cardOf(office, other, button, user));
      const body = await click(office, other, button, user);
      const [action] = body['actions'] as [object];
      await deliver(office, user, { ...body, actions: [{ ...action, value: id }] });
      await hears(office, user, 'does not belong here');
      expect(person.screen.modal?.submit).toBeFalsy();
      expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([
        `${user} ${button.toLowerCase()}: wrong_card`,
      ]);
      expect(refusalsIn(await reaches(office, other, 'requested'))).toEqual([]);
      expect(office.slack.callsTo('chat.update')).toEqual([]);
      expect(person.read(cardOf(office, other, button, user))).toBe(before);
    },
  );

  it.each(['Enter order id', 'Show the answer'])(
    '%s of one purchase on the message of another is refused, as an entry',
    async (button) => {
      const office = await openOffice();
      office.vendor.next('create', { name: 'no_order_id' });
      const { purchase } = await approved(office, 'US 10', 'completed');
      office.vendor.next('create', { name: 'no_order_id' });
      const { purchase: other } = await approved(office, 'DE 10', 'completed');
      const bea = office.slack.as(BUYER);
      await bea.waitFor((screen) =>
        screen.dm.some((message) => [other.id, `[${button}]`].every((words) => bea.read(message).includes(words))),
      );
      await bea.close({ all: true });
      const body = await click(office, other.id, button, BUYER);
      const [action] = body['actions'] as [object];
      await deliver(office, BUYER, { ...body, actions: [{ ...action, value: purchase.id }] });
      await hears(office, BUYER, 'does not belong here');
      expect(bea.screen.modal).toBeUndefined();
      expect(refusalsIn(await reaches(office, purchase.id, 'completed'))).toEqual([
        `${BUYER} ${button.toLowerCase()}: wrong_card`,
      ]);
    },
  );

  it('counts where Slack names its place only in the container', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const other = await file(office, 'DE 10');
    await deliver(office, LEAD, onlyContainer(await click(office, id, 'Approve', LEAD)));
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    expect(modalText(lea)).toContain('10 IPs');
    await lea.submit('Approve');
    await reaches(office, id, 'completed');
    await deliver(office, BUYER, onlyContainer(await click(office, other, 'Withdraw', BUYER)));
    await reaches(office, other, 'withdrawn');
  });
});

type Body = Record<string, unknown>;

const elsewhere = (body: Body): Body => ({
  ...body,
  message: undefined,
  channel: { id: 'C0GENERAL', name: 'general' },
  container: { type: 'message', message_ts: '1.0', channel_id: 'C0GENERAL' },
});
const onlyContainer = (body: Body): Body => ({ ...body, message: undefined, channel: undefined });

/** What Slack would deliver for this press; it has not arrived. */
async function click(office: Office, id: string, button: string, user: string): Promise<Body> {
  const { settings, sockets } = office.slack;
  const before = { ...settings };
  const card = cardOf(office, id, button, user);
  Object.assign(settings, { ackLimitMs: 20, allowLateAck: true });
  sockets.loseNext();
  const delivery = await office.slack.as(user).pressOn(card, button);
  Object.assign(settings, before);
  expect(delivery?.failure).toBe('operation_timeout');
  return delivery?.body ?? {};
}

async function deliver(office: Office, user: string, body: Body): Promise<Delivery> {
  const delivery = await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user, body });
  expect(delivery.failure).toBeNull();
  return delivery;
}
