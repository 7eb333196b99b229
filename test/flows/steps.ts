import type { Office } from './office.ts';
import { BUYER, LEAD } from './office.ts';

/** Asks for what is typed after `/proxy buy`, up to the last submit. */
export async function askFor(office: Office, typed: string, as = BUYER, reason = 'scraping the catalogue') {
  const person = office.slack.as(as);
  await person.command('/proxy', `buy ${typed}`);
  await person.waitFor('Buy proxies');
  await person.type('Reason', reason);
  await person.submit('Review');
  return person;
}

/** Files a request that needs approval, and waits for its card. @returns the purchase's id. */
export async function file(office: Office, typed: string, as = BUYER, reason?: string): Promise<string> {
  const before = (await office.records()).length;
  const person = await askFor(office, typed, as, reason);
  await person.submit('Ask for approval');
  const record = (await office.records())[before];
  if (!record) throw new Error('nothing was filed');
  await office.slack.as(LEAD).waitFor(record.purchase.id);
  return record.purchase.id;
}

/** An approver presses the card's button and submits the modal. */
export async function decide(office: Office, id: string, button: 'Approve' | 'Reject', as = LEAD, reason = 'not now') {
  const person = office.slack.as(as);
  await person.pressOn(person.message(id), button);
  await person.waitFor((screen) => screen.modal);
  if (button === 'Reject') await person.type('Reason', reason);
  return person.submit(button);
}
