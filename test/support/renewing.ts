import { expect } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import type { Batch } from '../../src/purchasing/model/batch.ts';
import type { State } from '../../src/purchasing/model/purchase.ts';
import { ending } from './ending.ts';
import { BUYER, LEAD, type Office, openOffice } from './office.ts';
import { buyNow, cardWith, command, reaches, until } from './steps.ts';

// Renewals that are asked for together, as people do it.

export const SOON_MS = 100;
const COUNTRIES = ['US', 'DE', 'FR'];

/** An office that owns so many orders of one IP each. */
export async function officeWith(count: number, lines: Parameters<typeof openOffice>[0] = {}, as = BUYER) {
  const office = await openOffice(lines);
  for (const country of COUNTRIES.slice(0, count))
    await reaches(office, await buyNow(office, `${country} 1`, as), 'completed');
  const orders = (await office.records()).map(({ purchase }) => purchase.orderId ?? '');
  return { office, orders };
}

/** The form, filled in. */
export async function choose(office: Office, orders: readonly string[], as = BUYER): Promise<Hands> {
  const person = await command(office, 'renew', as);
  await person.waitFor('Renew several');
  await person.waitFor(/Balance: (?!reading)/);
  for (const orderId of orders) {
    await person.suggest('Orders', orderId);
    await person.pick('Orders', new RegExp(`^${orderId} `));
  }
  await person.type('Reason', 'another month');
  return person;
}

export async function asked(office: Office, orders: readonly string[], as = BUYER): Promise<Batch> {
  const person = await choose(office, orders, as);
  await person.submit('Review');
  const batch = await filedBatch(office, person, 'Ask for approval');
  await cardWith(office, batch.id);
  return batch;
}

export async function filedBatch(office: Office, person: Hands, button: string): Promise<Batch> {
  const before = (await batches(office)).length;
  await person.submit(button);
  const batch = (await batches(office))[before];
  if (!batch) throw new Error(`nothing was filed\n${person.screen.text()}`);
  return batch;
}

export async function batches({ books }: Office): Promise<readonly Batch[]> {
  const rows = await books.database.read((sql) => sql.all('SELECT id FROM batches ORDER BY created_at'));
  return (await Promise.all(rows.map(({ id }) => books.ledger.batch(String(id))))).flatMap((batch) => batch ?? []);
}

export async function rowsOf({ books }: Office, { id }: Batch) {
  return (await books.ledger.batch(id))?.rows ?? [];
}

/** Lets time pass until its rows are there: Slack says how often rights may be asked for in a minute. */
export async function rowsReach(office: Office, batch: Batch, ...states: State[]) {
  let shown = '';
  const look = async () => {
    office.clock.advance(SOON_MS);
    shown = (await rowsOf(office, batch)).map(({ state }) => state).join();
    return shown === states.join();
  };
  await until(look).catch(() => expect(shown).toBe(states.join()));
  return rowsOf(office, batch);
}

/** The message that rang the requester's bell. */
export async function newsOf(office: Office, { id }: Batch): Promise<string> {
  const person = office.slack.as(BUYER);
  const isNews = (text: string) => text.includes(id) && text.includes('all about it');
  const news = await person.waitFor((screen) => screen.dm.findLast((message) => isNews(person.read(message))));
  return person.read(news);
}

export function messagesAbout(office: Office, user: string, words: string) {
  const person = office.slack.as(user);
  return person.screen.messages.filter((message) => person.read(message).includes(words));
}

export function cardOn(office: Office, id: string) {
  const person = office.slack.as(LEAD);
  const card = person.screen.channels['approvals']?.find((message) => person.read(message).includes(id));
  if (!card) throw new Error(`no card of ${id}`);
  return card;
}

/** Orders that end on a day, written down for their owner: nobody has to buy them. */
export async function ownsOrders(office: Office, count: number, endsAt: number): Promise<readonly string[]> {
  const orders = Array.from({ length: count }, (_, index) => String(1001 + index));
  for (const orderId of orders) await ending(office, orderId, endsAt);
  return orders;
}
