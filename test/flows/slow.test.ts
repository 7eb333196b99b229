import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, type Office, openOffice, STRANGER } from '../support/office.ts';
import { whileTimePasses } from '../support/passing.ts';
import {
  askFor,
  command,
  faultGroups,
  file,
  hears,
  logged,
  modalText,
  openDecision,
  press,
  reaches,
  until,
} from '../support/steps.ts';

describe('when others are slow', () => {
  it('a group lookup of 4 s opens a loading view at once, shows nothing of the desk, and says that it cannot check', async () => {
    const office = await hurried();
    const hang = { kind: 'hang', when: 'before' } as const;
    const rule = faultGroups(office, hang);
    const bea = await command(office, 'buy US 7');
    await until(() => rule.hits > 0);
    office.clock.advance(400);
    await bea.waitFor('One moment…');
    expect(modalText(bea)).not.toMatch(/US|7|\$|Quantity/);
    office.clock.advance(2_000);
    await bea.waitFor('could not be checked');
    expect(await office.records()).toEqual([]);
  });

  it('a group lookup that takes a while shows the form in the loading view, to those who may', async () => {
    const office = await hurried();
    faultGroups(office, { kind: 'delay', ms: 600 });
    const bea = await command(office, 'buy US 7');
    await bea.waitFor('One moment…');
    await bea.waitFor('Quantity: 7');
    office.clock.advance(61_000);
    const sue = await command(office, 'buy US 7', STRANGER);
    await sue.waitFor('One moment…');
    await sue.waitFor('You are not in a group that may buy');
    expect(modalText(sue)).not.toContain('US');
  });

  it('a vendor that takes 10 s keeps neither form nor review nor anybody’s ack', async () => {
    const office = await hurried();
    office.vendor.always('balance', { name: 'hold' });
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('reading the balance…');
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 1 IP');
    await command(office, 'balance', LEAD);
    await command(office, 'requests', LEAD);
    await hears(office, LEAD, 'No request is open');
    office.vendor.behave();
    office.vendor.release();
    await hears(office, LEAD, '$1,000.00');
  });

  it('a person who asks for the balance hears within seconds that it could not be read', async () => {
    const office = await hurried();
    office.vendor.always('balance', { name: 'hold' });
    await command(office, 'balance', LEAD);
    await office.vendor.until(() => office.vendor.held === 1);
    office.clock.advance(5_000);
    await hears(office, LEAD, 'could not be read');
  });

  it('a modal that was closed while it loaded is let go', async () => {
    const office = await hurried();
    faultGroups(office, { kind: 'delay', ms: 600 });
    const bea = await command(office, 'buy US 7');
    await bea.waitFor('One moment…');
    await bea.close({ all: true });
    await until(() => office.lines.some(({ message }) => message.includes('closed before it could be updated')));
    expect(bea.screen.ephemerals).toEqual([]);
  });

  it('a trigger that ran out is no more than a sentence, for a card as for a command', async () => {
    const office = await hurried();
    const id = await file(office, 'US 10');
    office.slack.faults.add('views.open', { kind: 'error', code: 'expired_trigger_id' });
    await press(office, id, 'Approve', LEAD);
    await hears(office, LEAD, 'please do that again');
    await reaches(office, id, 'requested');
  });

  it('an answer that cannot be given where it was asked for comes by direct message', async () => {
    const office = await hurried();
    office.slack.faults.add('response_url', { kind: 'status', status: 500 }, { times: Infinity });
    const bea = await command(office, 'balance');
    await bea.waitFor((screen) => screen.dm.some((message) => bea.read(message).includes('$1,000.00')));
    expect(bea.screen.ephemerals).toEqual([]);
  });
});

describe('when something breaks here', () => {
  it('the person gets a private sentence with a reference that the log has too, and others are served', async () => {
    const office = await hurried();
    await office.books.database.write((sql) => sql.run('ALTER TABLE drafts RENAME TO elsewhere', {}));
    await command(office, 'buy US 1');
    const said = await hears(office, BUYER, 'Something went wrong here');
    const reference = /reference ([0-9a-f]{8})/.exec(said)?.[1];
    expect(office.lines.find(({ fields }) => Reflect.get(fields, 'reference') === reference)?.level).toBe('error');
    await command(office, 'balance', LEAD);
    await hears(office, LEAD, '$1,000.00');
    await office.books.database.write((sql) => sql.run('ALTER TABLE elsewhere RENAME TO drafts', {}));
    await (await command(office, 'buy US 1')).waitFor('Quantity: 1');
  });

  it('a submitted view says so in place of an answer, and nothing is half done', async () => {
    const office = await hurried();
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('Balance: $');
    await bea.submit('Review');
    await office.books.database.write((sql) => sql.run('ALTER TABLE notices RENAME TO elsewhere', {}));
    await bea.submit('Buy now');
    expect(modalText(bea)).toMatch(/Something went wrong here \(reference [0-9a-f]{8}\)/);
    await office.books.database.write((sql) => sql.run('ALTER TABLE elsewhere RENAME TO notices', {}));
    expect(await office.records()).toEqual([]);
    expect(office.vendor.posts).toBe(0);
  });

  it('a payload that lacks what every command has is answered before its ack runs out', async () => {
    const office = await hurried();
    await command(office, 'help');
    const known = office.slack.deliveries.find(({ type }) => type === 'command')?.body;
    const body = { ...known, text: undefined };
    const { ack, failure } = await office.slack.deliver({ kind: 'slash_commands', type: 'command', user: BUYER, body });
    expect(failure).toBeNull();
    expect(JSON.stringify(ack)).toMatch(/reference|\/proxy renew/);
  });
});

describe('when the ledger keeps a submitted view waiting', () => {
  it('the ack comes in time and says that it may still be filed; then the view says what became of it', async () => {
    const office = await hurried();
    const bea = await askFor(office, 'US 1');
    const unlock = lock(office);
    const submitting = bea.submit('Buy now');
    await whileTimePasses(office, submitting);
    expect((await submitting).delivery?.failure).toBeNull();
    expect(modalText(bea)).toContain('It may still be filed or decided');
    unlock();
    await bea.waitFor('Filed: Buy 1 IP');
    const [record] = await office.records();
    await reaches(office, record?.purchase.id ?? '', 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('and does not give way, nothing is filed, and the view says so', async () => {
    const office = await hurried();
    const bea = await askFor(office, 'US 1');
    const unlock = lock(office);
    await whileTimePasses(office, bea.submit('Buy now'));
    await bea.waitFor(/The ledger cannot be reached .* Nothing was filed or decided/);
    unlock();
    expect(await office.records()).toEqual([]);
    expect(office.vendor.posts).toBe(0);
  });
});

describe('every line of the log', () => {
  it('that a click brings about carries who clicked, for which purchase, and how often Slack has delivered it', async () => {
    const office = await hurried();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const pressed = office.slack.deliveries.findLast(({ type }) => type === 'block_actions');
    if (!pressed) throw new Error('nothing was pressed');
    await office.books.database.write((sql) => sql.run('ALTER TABLE drafts RENAME TO elsewhere', {}));
    await office.slack.redeliver(pressed);
    const line = await logged(office, 'a listener failed');
    expect(line.fields).toMatchObject({ user: LEAD, purchase: id, retry: 1, listener: expect.any(String) });
    await office.books.database.write((sql) => sql.run('ALTER TABLE elsewhere RENAME TO drafts', {}));
    await lea.close({ all: true });
  });
});

/** Another program holds the ledger's file. @returns how it lets go. */
function lock({ config: { database } }: Office): () => void {
  if (database.kind !== 'sqlite') throw new Error('no file to lock');
  const other = new DatabaseSync(database.path);
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

/** Slack gives 3 s from the click; what is waited for here takes longer, so that waiting for it would be seen. */
async function hurried(): Promise<Office> {
  const office = await openOffice({ hurried: true });
  office.slack.settings.ackLimitMs = 2_500;
  return office;
}
