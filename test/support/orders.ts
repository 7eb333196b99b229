import type { Hands, Message } from '../../sandbox/slack/index.ts';
import type { ImportedOrder } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import { BUYER, LEAD, type Office } from './office.ts';
import { MONTHLY } from './plan.ts';
import { command } from './steps.ts';

const DAY = 86_400_000;

export function daysAgo({ clock }: Office, days: number): number {
  return clock.now() - days * DAY;
}

/** An order that the bot did not make, as an approver wrote it down. */
export async function writeDown(office: Office, orderId: string, over: Partial<ImportedOrder> = {}): Promise<void> {
  const detail = {
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 3 }],
    boughtAt: daysAgo(office, 10),
    owner: null,
    note: null,
    ...over,
  } as const;
  const id = orderId as OrderId;
  await office.books.orders.change([id], () => ({ result: null, entries: [{ orderId: id, by: LEAD, detail }] }));
}

/** The newest private answer with these words. */
export async function shown(office: Office, user: string, words: string): Promise<string> {
  const person = office.slack.as(user);
  const isIt = (message: Message) => person.read(message).includes(words);
  return person.read(await person.waitFor((screen) => screen.ephemerals.findLast(isIt)));
}

export async function openOrder(office: Office, orderId: string, as = BUYER): Promise<Hands> {
  const person = await command(office, `orders ${orderId}`, as);
  await person.waitFor(({ modal }) => modal && person.read(modal).includes(`Order ${orderId}\n`));
  return person;
}

/** The same click by anybody, of a button that was never drawn so. */
export async function press(
  office: Office,
  delivery: Awaited<ReturnType<Hands['press']>>,
  user: string,
  button: { readonly action_id: string; readonly value: string },
): Promise<void> {
  if (!delivery) throw new Error('nothing was pressed');
  const [action] = delivery.body['actions'] as [object];
  const trigger = `${user} ${button.action_id} ${button.value.length}`;
  office.slack.state.triggers[trigger] = { id: trigger, user, at: Date.now(), used: false, viewId: null };
  const body = { ...delivery.body, user: { id: user }, trigger_id: trigger, actions: [{ ...action, ...button }] };
  await office.slack.deliver({ kind: 'interactive', type: 'block_actions', user, body });
}
