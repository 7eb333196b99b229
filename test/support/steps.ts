import { vi } from 'vitest';
import {
  type ApiCall,
  type Delivery,
  type Fault,
  type Hands,
  type Message,
  PATIENCE_MS,
} from '../../sandbox/slack/index.ts';
import type { Purchase, State } from '../../src/purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import type { Office } from './office.ts';
import { BUYER, LEAD, VIEWER } from './office.ts';
import { allWait } from './passing.ts';

/** The id of the order that the local vendor places first: above 2^53. */
export const FIRST_ORDER = '9007199254740993';

/** Types the command as a person with nothing else open. */
export async function command(office: Office, text: string, as = BUYER): Promise<Hands> {
  const person = office.slack.as(as);
  if (person.screen.modal) await person.close({ all: true });
  await person.command('/proxy', text);
  return person;
}

/** The buy form with what is typed after `/proxy buy`, once it shows the balance. */
export async function openForm(office: Office, typed: string, as = BUYER): Promise<Hands> {
  const person = await command(office, `buy ${typed}`, as);
  await person.waitFor('Buy proxies');
  await person.waitFor(/Balance: (?!reading)/);
  return person;
}

/** Asks for what is typed after `/proxy buy`, up to the review. */
export async function askFor(office: Office, typed: string, as = BUYER, reason = 'scraping the catalogue') {
  const person = await openForm(office, typed, as);
  await person.type('Reason', reason);
  await person.submit('Review');
  return person;
}

/** Files a request that needs approval, and waits for its card. @returns the purchase's id. */
export async function file(office: Office, typed: string, as = BUYER, reason?: string): Promise<string> {
  return filed(office, await askFor(office, typed, as, reason), 'Ask for approval');
}

/** Buys within the free allowance. @returns the purchase's id. */
export async function buyNow(office: Office, typed: string, as = BUYER): Promise<string> {
  return filed(office, await askFor(office, typed, as), 'Buy now');
}

/** Submits the review, and waits for what is posted. @returns the id of the purchase that it filed. */
export async function filed(office: Office, person: Hands, button: string): Promise<string> {
  const { id, state } = await submitted(office, person, button);
  await person.waitFor((screen) => screen.dm.some((message) => person.read(message).includes(id)));
  if (state === 'requested') await office.slack.as(LEAD).waitFor(id);
  return id;
}

/** Submits the review. @returns the purchase that it filed. */
export async function submitted(office: Office, person: Hands, button: string): Promise<Purchase> {
  const before = (await office.records()).length;
  await person.submit(button);
  const record = (await office.records())[before];
  if (!record) throw new Error(`nothing was filed\n${person.screen.text()}`);
  return record.purchase;
}

/** The renew form, filled in up to the review. */
export async function renew(office: Office, orderId: string, as = BUYER, reason = 'another month') {
  const person = await command(office, `renew ${orderId}`, as);
  await person.waitFor('Renew order');
  await person.waitFor(/Balance: (?!reading)/);
  await person.type('Reason', reason);
  return person;
}

/** An approver presses a button of the card, up to its modal. */
export async function openDecision(office: Office, id: string, button: string, as = LEAD): Promise<Hands> {
  const person = office.slack.as(as);
  if (person.screen.modal) await person.close({ all: true });
  await press(office, id, button, as);
  await person.waitFor((screen) => screen.modal?.submit);
  return person;
}

/** An approver presses the card's button and submits the modal. */
export async function decide(office: Office, id: string, button: 'Approve' | 'Reject', as = LEAD, reason = 'not now') {
  const person = await openDecision(office, id, button, as);
  if (button === 'Reject') await person.type('Reason', reason);
  return person.submit(button);
}

/** Files, approves, and waits for what becomes of it. */
export async function approved(office: Office, typed: string, state: State): Promise<PurchaseRecord> {
  const id = await file(office, typed);
  await decide(office, id, 'Approve');
  return reaches(office, id, state);
}

/** The newest message about this purchase that offers the button. */
export function cardOf(office: Office, id: string, button: string, as = LEAD): Message {
  const person = office.slack.as(as);
  return person.message((_, text) => text.includes(id) && text.includes(`[${button}]`));
}

/** Somebody asks for the balance until it is kept as the vendor has it now: beside a reading that was asked for before it may prove nothing. */
export async function readNow(office: Office): Promise<void> {
  const { database, account } = office.books;
  const count = async () => {
    const [row] = await database.read((sql) => sql.all('SELECT MAX(seq) AS last FROM balance_readings'));
    return Number(row?.['last'] ?? 0);
  };
  for (;;) {
    const before = await count();
    office.clock.advance(2_000);
    await command(office, 'balance', VIEWER);
    await until(async () => (await count()) > before, 'the reading');
    if (Number((await account.latest())?.balance) === Number(office.vendor.balance)) return;
  }
}

/** Waits until everything that is owed has been posted, and is written down as posted. */
export function delivered(office: Office) {
  const { database, status } = office.books;
  const isToBeOwed = () => database.read((sql) => sql.all('SELECT 1 FROM desk WHERE redraw_after IS NOT NULL'));
  return until(async () => {
    // What is being looked at may yet lead to something that is owed.
    await allWait(office);
    return (await isToBeOwed()).length === 0 && (await status.counts()).notices.count === 0;
  }, 'the delivery of what is owed');
}

/** Looks again until it is there: for what no screen shows. */
export function until<T>(look: () => T | Promise<T>, what = 'what was waited for'): Promise<NonNullable<T>> {
  return vi.waitFor(
    async () => {
      const found = await look();
      if (!found) throw new Error(`${what} did not come`);
      return found;
    },
    { timeout: PATIENCE_MS, interval: 10 },
  );
}

/** Presses a button on the newest message about this purchase, once one offers it. */
export async function press(office: Office, id: string, button: string, as: string): Promise<Delivery> {
  const person = office.slack.as(as);
  const offers = (message: Message) => [id, `[${button}]`].every((words) => person.read(message).includes(words));
  const message = await person.waitFor((screen) => screen.messages.findLast(offers));
  const delivery = await person.pressOn(message, button);
  if (!delivery) throw new Error(`${button} was not confirmed`);
  return delivery;
}

/** Slack sends it over a dead connection: it did not arrive, and comes again later. */
export async function lost(office: Office, act: () => Promise<Delivery | null>): Promise<Delivery> {
  const { settings, sockets } = office.slack;
  const before = { ...settings };
  Object.assign(settings, { ackLimitMs: 20, allowLateAck: true });
  sockets.loseNext();
  const delivery = await act();
  Object.assign(settings, before);
  if (delivery?.failure !== 'operation_timeout') throw new Error('it arrived');
  return delivery;
}

/** Waits until the ledger says so. */
export function reaches(office: Office, id: string, state: State): Promise<PurchaseRecord> {
  return vi.waitFor(
    async () => {
      const record = await office.books.ledger.record(id);
      if (record?.purchase.state !== state)
        throw new Error(`${id} is ${record?.purchase.state}, not ${state} (${record?.purchase.why})`);
      return record;
    },
    { timeout: PATIENCE_MS, interval: 10 },
  );
}

/** Waits until a line of the bot's log has these words. */
export function logged(office: Office, words: string) {
  return until(() => office.lines.find(({ message }) => message.includes(words)), `the log line "${words}"`);
}

/** Waits for a direct message with these words. */
export function dmWith(office: Office, user: string, words: string): Promise<Message> {
  const person = office.slack.as(user);
  return person.waitFor((screen) => screen.dm.findLast((message) => person.read(message).includes(words)));
}

/** Waits for a message with these words in the approvals channel. */
export function cardWith(office: Office, words: string, as = LEAD): Promise<Message> {
  const person = office.slack.as(as);
  return person.waitFor((screen) =>
    screen.channels['approvals']?.findLast((message) => person.read(message).includes(words)),
  );
}

/** What was said privately to this person, the newest last. */
export function privately(office: Office, user: string): string[] {
  const person = office.slack.as(user);
  return person.screen.ephemerals.map((message) => person.read(message));
}

/** Waits for a private sentence. */
export function hears(office: Office, user: string, words: string | RegExp): Promise<string> {
  return until(
    () => privately(office, user).find((text) => (typeof words === 'string' ? text.includes(words) : words.test(text))),
    `"${words}", privately to ${user}, who heard: ${privately(office, user).join(' | ')}`,
  );
}

/** The bodies of all POSTs that the vendor received. */
export function bodies(office: Office): string[] {
  return office.vendor.requests.flatMap(({ raw }) => (raw.startsWith('POST ') ? [raw.split('\r\n\r\n')[1] ?? ''] : []));
}

/** What the open modal shows. */
export function modalText(person: Hands): string {
  const { modal } = person.screen;
  return modal ? person.read(modal) : '';
}

/** The whole decided refusals in a purchase's entries, oldest first. */
export function refusalsIn({ entries }: PurchaseRecord): string[] {
  return entries.flatMap(({ detail, by }) =>
    detail.kind === 'refused' ? [`${by} ${detail.action}: ${detail.refused}`] : [],
  );
}

/** Lets time pass in steps of `ms` until the ledger says so: where a wait begins only after what was just done. */
export function comesTo(office: Office, id: string, state: State, ms: number): Promise<PurchaseRecord> {
  return vi.waitFor(
    async () => {
      await allWait(office);
      office.clock.advance(ms);
      const record = await office.books.ledger.record(id);
      if (record?.purchase.state !== state) throw new Error(`${id} is ${record?.purchase.state}, not ${state}`);
      return record;
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
}

const readsAll = ({ args }: Pick<ApiCall, 'args'>) => args['include_users'] === 'true';

/** What the bot asked about the members of user groups, by either method. */
export function groupReads({ slack }: Office): readonly ApiCall[] {
  return [...slack.callsTo('usergroups.list').filter(readsAll), ...slack.callsTo('usergroups.users.list')];
}

/** From now on the members of groups cannot be read like this, by either method. */
export function faultGroups({ slack }: Office, fault: Fault, { times = Infinity } = {}): { readonly hits: number } {
  const all = slack.faults.add('usergroups.list', fault, { times, only: readsAll });
  const one = slack.faults.add('usergroups.users.list', fault, { times });
  return {
    get hits() {
      return all.hits + one.hits;
    },
  };
}
