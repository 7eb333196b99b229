import type { Delivery } from '../../../sandbox/slack/index.ts';
import type { LedgerLine } from '../../support/books.ts';
import { LEAD, LEAD2, LEAD3, type Site } from '../../support/site.ts';
import { markKept, ordersThatEnd } from '../../support/site-orders.ts';
import { cardsOf, directsOf } from '../../support/site-steps.ts';
import { renewalsOf } from './invariants.ts';
import { type Clicks, look, openFromCard, PATIENCE, REASON, somehow } from './people.ts';
import type { Renewals } from './plan.ts';

// What people do with orders that end: they keep them, renew several at once, decide on all rows together, and settle.

type Together = Renewals['together'];

/** For whoever may not: it is refused where the modal would open, or opens late. */
const BRIEFLY = { timeout: 1_500 };

/** What this approver says of the batch: yes to all of it, to all but the row that is struck out, or no. */
export interface Said {
  readonly lead: string;
  readonly says: 'yes' | 'yes but one' | 'no';
}

export function saidOf(decision: Together['decision']): readonly Said[] {
  switch (decision) {
    case 'approve':
      return [{ lead: LEAD, says: 'yes' }];
    case 'strike one out':
      return [{ lead: LEAD, says: 'yes but one' }];
    case 'reject':
      return [{ lead: LEAD, says: 'no' }];
    case 'both at once':
      return [
        { lead: LEAD, says: 'yes but one' },
        { lead: LEAD2, says: 'yes' },
      ];
    default:
      return decision satisfies never;
  }
}

/** By a bot that has ended since: what is kept is filed by whichever starts next. */
export async function ownOrders(site: Site, { together, kept }: Renewals): Promise<void> {
  const bot = await site.start();
  await ordersThatEnd(site, [kept.order, ...together.orders]);
  await markKept(site, kept.order, kept.by);
  await bot.end('SIGTERM');
}

/** Slack delivers each submit again, as it does where an answer was lost. @returns what delivers all of them again, long after */
export function deliverTwice({ slack }: Site, { deliveredTwice }: Renewals): () => Promise<unknown> {
  const submitted: Delivery[] = [];
  slack.on((event) => {
    if (event.type !== 'delivery_settled') return;
    const { delivery } = event;
    if (delivery.type !== 'view_submission' || delivery.retryNum > 0) return;
    submitted.push(delivery);
    if (deliveredTwice === 'at once') slack.redeliver(delivery).catch(() => undefined);
  });
  return () => Promise.allSettled(submitted.map((delivery) => slack.redeliver(delivery)));
}

/** Up to the last submit, which is left to the caller. */
export async function prepareTogether(site: Site, { orders, by }: Together) {
  const person = site.slack.as(by);
  if (person.screen.modal) await person.close({ all: true });
  await person.command('/proxy', 'renew');
  await person.waitFor(/Renew several.*Balance: (?!reading)/s, PATIENCE);
  for (const order of orders) {
    await person.suggest('Orders', order);
    await person.pick('Orders', new RegExp(`^${order} `));
  }
  await person.type('Reason', REASON);
  await person.submit('Review');
  return person;
}

export async function fileTogetherSomehow(site: Site, together: Together): Promise<string> {
  const filed = async () => (await look(site)).find(({ batch }) => batch !== null)?.batch;
  await somehow(
    'to renew several',
    async () => (await filed()) !== undefined,
    async () => (await prepareTogether(site, together)).submit('Ask for approval'),
  );
  return (await filed()) ?? '';
}

/** Opens the modals; the decisions are made when what is returned is called. */
export async function openTogether(site: Site, { decision, struck }: Together, batch: string, clicks: Clicks) {
  const rows = (await look(site)).filter((line) => line.batch === batch);
  const opened = saidOf(decision).map(async ({ lead, says }) => {
    const person = await openFromCard(site, batch, says === 'no' ? 'Reject' : 'Approve', lead);
    if (says === 'yes but one') await person.tick(`Order ${struck}`);
    if (says !== 'yes') await person.type('Reason', 'not now');
    return () => {
      for (const { id } of says === 'no' ? [] : rows) if (!clicks.has(id)) clicks.set(id, Date.now());
      return person.submit();
    };
  });
  const submits = await Promise.all(opened);
  return () => Promise.allSettled(submits.map((submit) => submit()));
}

export async function decideTogetherSomehow(
  site: Site,
  together: Together,
  batch: string,
  clicks: Clicks,
): Promise<void> {
  await somehow(
    `to decide ${batch}`,
    async () => (await look(site)).every((line) => line.batch !== batch || line.state !== 'requested'),
    async () => {
      await site.slack.as(LEAD).waitFor(() => cardsOf(site, batch).length > 0, PATIENCE);
      const decide = await openTogether(site, together, batch, clicks);
      await decide();
    },
  );
}

/** Whoever may not, tries; what opens all the same is submitted. */
export async function tryInVain(site: Site, id: string, by: string): Promise<void> {
  if (by !== LEAD3) return;
  try {
    const person = await openFromCard(site, id, 'Approve', by, BRIEFLY);
    await person.submit();
  } catch {
    // As it should be.
  }
}

/** They look into the vendor's console first. */
export async function settle(site: Site, { id, orderId }: LedgerLine, by = LEAD2, patience = PATIENCE): Promise<void> {
  const placed = renewalsOf(site.vendor, orderId) > 0;
  const person = await openFromCard(site, id, placed ? 'It was placed' : 'It was not placed', by, patience);
  await person.type('Note', 'as the console shows');
  await person.submit('Settle');
}

export async function settleSomehow(site: Site, line: LedgerLine): Promise<void> {
  await somehow(
    `to settle ${line.id}`,
    async () => (await look(site)).every(({ id, state }) => id !== line.id || state !== 'unknown'),
    () => settle(site, line),
  );
}

/** Where it waits for money that does not come. */
export async function withdrawSomehow(site: Site, { by }: Together, batch: string): Promise<void> {
  await somehow(
    `to withdraw ${batch}`,
    async () => (await look(site)).every((line) => line.batch !== batch || line.state !== 'approved'),
    async () => {
      const offers = directsOf(site, batch, by).find(({ blocks }) => JSON.stringify(blocks).includes('"Withdraw"'));
      if (!offers) throw new Error(`${batch} cannot be withdrawn`);
      await site.slack.as(by).pressOn(offers, 'Withdraw');
    },
  );
}
