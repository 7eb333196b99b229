import { describe, expect, it } from 'vitest';
import { ledgerCommand } from '../ledger/command.ts';
import { BUYER, CHANNEL, LEAD, LEAD2, type Office, openOffice, VIEWER } from '../support/office.ts';
import {
  buyNow,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  file,
  hears,
  modalText,
  openDecision,
  press,
  privately,
  reaches,
  readNow,
  until,
} from '../support/steps.ts';

const QUARTER = 15 * 60_000;
const WATCHED = { balance: 'balance: { read_every: 15m }' };
const LEFT = '$48.00 left the account between';

/** All messages with these words in the approvals channel. */
function told(office: Office, words: string): string[] {
  const lea = office.slack.as(LEAD);
  return (lea.screen.channels['approvals'] ?? [])
    .map((message) => lea.read(message))
    .filter((text) => text.includes(words));
}

/** $48.00 have left the account, and people were told. */
async function fallen(office: Office): Promise<void> {
  await readNow(office);
  office.vendor.balance = '952.00';
  await readNow(office);
  await cardWith(office, LEFT);
  await delivered(office);
}

describe('money that leaves while nothing is sent', () => {
  it('is told once, in the approvals channel, with both times and balances, whoever reads and restarts', async () => {
    const office = await openOffice(WATCHED);
    await office.another();
    await readNow(office);
    office.vendor.balance = '952.00';
    office.clock.advance(QUARTER);
    const text = office.slack.as(LEAD).read(await cardWith(office, LEFT));
    expect(text).toMatch(/\$48\.00 left the account between .+ and .+, and Proxy Desk sent nothing/);
    expect(text).toContain('somebody used the console, or the token is known to somebody else');
    expect(text).toContain('The balance was $1,000.00 before, and $952.00 after');
    expect(text).toContain('[I know about it]');
    expect(text).toContain('[Freeze spending]');
    await delivered(office);
    await office.restart();
    // A clock that jumps back, and further readings, change nothing.
    office.clock.advance(-3 * QUARTER);
    await readNow(office);
    office.clock.advance(6 * QUARTER);
    await readNow(office);
    await delivered(office);
    expect(told(office, 'left the account')).toHaveLength(1);
    expect(await office.books.ledger.freeze()).toBeNull();
  });

  it('tells who knows about it, since when and why wherever what left is told: /proxy spend, its CSV, the ledger command', async () => {
    const office = await openOffice();
    await fallen(office);
    const lea = office.slack.as(LEAD);
    await press(office, LEFT, 'I know about it', LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', '=a "test" of <!channel>, in the console');
    await lea.submit('Save');
    await cardWith(office, '@lea knows about it');
    const vic = await command(office, 'spend', VIEWER);
    await hears(
      office,
      VIEWER,
      /• −\$48\.00, read .*: @lea knows about it, said .*: “＝?=?a "test" of .*in the console”/,
    );
    await vic.pressOn(vic.message('[Download CSV]'), 'Download CSV');
    await hears(office, VIEWER, 'The CSV is in your direct messages with Proxy Desk.');
    const csv = String([...office.slack.files.values()].find(({ name }) => name.endsWith('.csv'))?.bytes);
    expect(csv).toMatch(
      /,elsewhere,.*,U0LEAD,\d{4}-\d\d-\d\dT[\d:.]+Z,"'=a ""test"" of <!channel>, in the console"\r\n/,
    );
    const { database } = office.config;
    const json = await ledgerCommand(database, 'movements', '--json');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    expect(JSON.parse(json.out)).toMatchObject({
      difference: '-48.00',
      kind: 'elsewhere',
      known: { by: LEAD, at, note: '=a "test" of <!channel>, in the console' },
    });
    const table = await ledgerCommand(database, 'movements');
    expect(table.out).toMatch(
      /KNOWN\n.*elsewhere +- +U0LEAD \d{4}-\d\d-\d\d [\d:]{8}: =a "test" of <!channel>, in the console\n/,
    );
  });

  it('is known to whoever says so, once, with a note: an entry, and the message says it and has no buttons', async () => {
    const office = await openOffice();
    await fallen(office);
    const lea = office.slack.as(LEAD);
    await press(office, LEFT, 'I know about it', LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    expect(modalText(lea)).toContain(LEFT);
    await lea.type('Note', 'bought a test order in the console');
    const lou = office.slack.as(LEAD2);
    await press(office, LEFT, 'I know about it', LEAD2);
    await lou.waitFor((screen) => screen.modal?.submit);
    await lou.type('Note', 'so do I');
    await lea.submit('Save');
    const text = lea.read(await cardWith(office, '@lea knows about it'));
    expect(text).toContain('“bought a test order in the console”');
    expect(text).not.toContain('[I know about it]');
    expect(text).not.toContain('[Freeze spending]');
    await lou.submit('Save');
    await lou.waitFor((screen) => screen.modal && lou.read(screen.modal).includes('@lea has said already'));
    const entries = await office.books.database.read((sql) =>
      sql.all(`SELECT by, kind, detail FROM entries WHERE reading IS NOT NULL ORDER BY seq`),
    );
    expect(entries).toEqual([
      { by: LEAD, kind: 'fall_known', detail: '{"note":"bought a test order in the console"}' },
      { by: LEAD2, kind: 'refused', detail: '{"action":"look into a fall","refused":"fall_known"}' },
    ]);
    await delivered(office);
    expect(told(office, LEFT)).toHaveLength(1);
  });

  it('freezes spending at the button, for the reason that names it, however often the click is delivered', async () => {
    const office = await openOffice();
    await fallen(office);
    const click = await press(office, LEFT, 'Freeze spending', LEAD);
    await cardWith(office, 'Spending was frozen by @lea: $48.00 left the account between');
    await until(async () => (await office.books.ledger.freeze())?.by === LEAD, 'the freeze');
    await delivered(office);
    const text = office.slack.as(LEAD).read(await cardWith(office, 'Proxy Desk sent nothing'));
    expect(text).toContain('Spending is frozen');
    expect(text).toContain('[I know about it]');
    expect(text).not.toContain('[Freeze spending]');
    await command(office, 'unfreeze', LEAD2);
    await cardWith(office, 'no longer frozen');
    await office.slack.redeliver(click);
    await readNow(office);
    await delivered(office);
    expect(await office.books.ledger.freeze()).toBeNull();
    expect(told(office, 'Spending was frozen')).toHaveLength(1);
  });

  it('is nothing that others than approvers may speak of', async () => {
    const office = await openOffice();
    await fallen(office);
    await press(office, LEFT, 'Freeze spending', BUYER);
    await hears(office, BUYER, /approve/);
    await press(office, LEFT, 'I know about it', BUYER);
    await until(() => privately(office, BUYER).length >= 2, 'two refusals');
    expect(await office.books.ledger.freeze()).toBeNull();
    expect(office.slack.as(BUYER).screen.modal).toBeUndefined();
  });

  it('freezes by itself above what the policy allows, once, also when an approver has ended that freeze', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: off, freeze_on_unexplained_above: 40 }' });
    await readNow(office);
    office.vendor.balance = '960.00';
    await readNow(office);
    await cardWith(office, '$40.00 left the account');
    expect(await office.books.ledger.freeze()).toBeNull();
    office.vendor.balance = '919.99';
    await readNow(office);
    await cardWith(office, 'Spending was frozen by Proxy Desk itself: $40.01 left the account between');
    expect(await office.books.ledger.freeze()).toMatchObject({ by: 'desk' });
    await delivered(office);
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen');
    await office.restart();
    await readNow(office);
    await delivered(office);
    expect(await office.books.ledger.freeze()).toBeNull();
    expect(told(office, 'Spending was frozen')).toHaveLength(1);
  });

  it('stops what an own reading before sending shows: nothing is sent over it', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: off, freeze_on_unexplained_above: 40 }' });
    const id = await file(office, 'US 10');
    await delivered(office);
    office.vendor.balance = '900.00';
    await decide(office, id, 'Approve');
    await cardWith(office, 'Spending was frozen by Proxy Desk itself');
    await delivered(office);
    await reaches(office, id, 'approved');
    expect(office.vendor.posts).toBe(0);
  });

  it('is told to each approver by direct message where there is no approvals channel', async () => {
    const office = await openOffice({ approvals: 'approvals: off' });
    await readNow(office);
    office.vendor.balance = '952.00';
    await readNow(office);
    for (const user of [LEAD, LEAD2]) await dmWith(office, user, LEFT);
    await press(office, LEFT, 'I know about it', LEAD);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', 'it was me');
    await lea.submit('Save');
    for (const user of [LEAD, LEAD2]) await dmWith(office, user, '@lea knows about it');
    await delivered(office);
    expect(office.slack.as(LEAD2).screen.dm).toHaveLength(1);
  });

  it('waits until an unknown purchase is settled that may have taken it, and says then that something was sent', async () => {
    const office = await openOffice();
    await readNow(office);
    // It books nothing, so that a reading after it shows the same, however soon it comes.
    office.vendor.next('create', { name: 'empty', status: 502, charge: false });
    const id = await buyNow(office, 'US 3');
    await reaches(office, id, 'unknown');
    // Somebody uses the console.
    office.vendor.balance = '952.00';
    await readNow(office);
    await delivered(office);
    expect(told(office, 'left the account')).toEqual([]);
    const lea = await openDecision(office, id, 'It was not placed');
    await lea.type('Note', 'no such order in the console');
    await lea.submit('Settle');
    await reaches(office, id, 'declined');
    // Its last reading may still show that it was booked.
    await readNow(office);
    expect(told(office, 'left the account')).toEqual([]);
    office.clock.advance(60_000);
    const text = lea.read(await cardWith(office, 'left the account between'));
    expect(text).toContain('and nothing that Proxy Desk sent took it');
    await delivered(office);
    expect(told(office, 'left the account')).toHaveLength(1);
  });
});

describe('a message that was posted twice, since Slack’s answer was lost', () => {
  it('leads to the one fall, and the copy that the ledger does not know loses its buttons', async () => {
    const office = await openOffice();
    await readNow(office);
    office.slack.faults.add(
      'chat.postMessage',
      { kind: 'reset', when: 'after' },
      { only: ({ args }) => args['channel'] === CHANNEL },
    );
    office.vendor.balance = '952.00';
    await readNow(office);
    await until(() => office.lines.some(({ message }) => message === 'a message could not be delivered'));
    office.clock.advance(2_000);
    const lea = office.slack.as(LEAD);
    const [copy] = await lea.waitFor((screen) => {
      const found = screen.channels['approvals'] ?? [];
      return found.length === 2 ? found : undefined;
    });
    if (!copy) throw new Error('two messages were expected');
    await delivered(office);
    await lea.pressOn(copy, 'I know about it');
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', 'it was me');
    await lea.submit('Save');
    await cardWith(office, '@lea knows about it');
    await lea.waitFor(() => told(office, '[I know about it]').length === 0);
    expect(told(office, 'second copy')).toHaveLength(1);
  });
});

describe('a top-up', () => {
  it('is told in one line, once, and nobody is asked anything', async () => {
    const office = await openOffice();
    await readNow(office);
    office.vendor.balance = '1500.00';
    await readNow(office);
    const text = office.slack.as(LEAD).read(await cardWith(office, '$500.00 came into the account between'));
    expect(text).toContain('the balance is $1,500.00');
    expect(text).not.toContain('[');
    await readNow(office);
    await delivered(office);
    expect(told(office, 'came into the account')).toHaveLength(1);
  });
});

describe('a low balance', () => {
  it('is told once below the line, and again only when it was above meanwhile', async () => {
    const office = await openOffice({ balance: 'balance: { read_every: off, warn_below: 100 }' });
    const balances = ['100.00', '99.99', '50.00', '100.01', '99.00', '105.00', '99.50', '98.00'];
    const counts = [0, 1, 1, 1, 1, 1, 2, 2];
    await readNow(office);
    for (const [index, balance] of balances.entries()) {
      office.vendor.balance = balance;
      await readNow(office);
      await delivered(office);
      expect([balance, told(office, 'less than $100.00').length]).toEqual([balance, counts[index]]);
    }
    expect(told(office, 'less than $100.00')[0]).toMatch(
      /The balance was \$99\.99 on \d{4}-\d\d-\d\d \d\d:\d\d UTC: less than \$100\.00 \(balance\.warn_below\)/,
    );
  });
});
