import { describe, expect, it } from 'vitest';
import type { Fault, Message } from '../../sandbox/slack/index.ts';
import { freezeGoneBack } from '../../src/ledger/gone-back.ts';
import { GONE_BACK } from '../../src/purchasing/model/freeze.ts';
import { ending, goTo, keep } from '../support/ending.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, openOffice, policyOf } from '../support/office.ts';
import { allWait } from '../support/passing.ts';
import { buyNow, cardWith, delivered, press, reaches, readNow, until } from '../support/steps.ts';

const at = (text: string) => Date.parse(text);
const MINUTE = 60_000;
const DAY = 86_400_000;

const lines = (timeZone: string) => ({
  approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 100 }`,
  reports: `reports: { monthly: true, time_zone: ${timeZone} }`,
});

/** In January 2027, with nothing read yet. */
async function officeIn(timeZone = 'UTC', more = {}): Promise<Office> {
  const office = await openOffice({ ...lines(timeZone), ...more });
  goTo(office, at('2027-01-10T12:00Z'));
  return office;
}

async function bought(office: Office, typed: string, as = BUYER): Promise<string> {
  const id = await buyNow(office, typed, as);
  await reaches(office, id, 'completed');
  await allWait(office);
  // So that its last reading is over, and nothing else explains it.
  office.clock.advance(11 * MINUTE);
  await readNow(office);
  return id;
}

function messages(office: Office): readonly Message[] {
  const lea = office.slack.as(LEAD);
  return (lea.screen.channels['approvals'] ?? []).filter((message) => /^\w+ \d{4}: /.test(lea.read(message)));
}

const told = (office: Office) => messages(office).map((message) => office.slack.as(LEAD).read(message));

/** Waits for so many reports, and until all that is owed has come. */
async function reported(office: Office, count: number): Promise<readonly string[]> {
  await office.slack.as(LEAD).waitFor(() => messages(office).length >= count);
  await delivered(office);
  await allWait(office);
  expect(told(office)).toHaveLength(count);
  return told(office);
}

/** Nothing more comes, however long the bot looks. */
async function nothingMore(office: Office, count: number): Promise<void> {
  await allWait(office);
  await delivered(office);
  expect(told(office)).toHaveLength(count);
}

const csvs = (office: Office) =>
  [...office.slack.files.values()].filter(({ name, completed }) => name.endsWith('.csv') && completed);

function under(office: Office, message: Message | undefined): readonly string[] {
  if (!message) throw new Error('there is no report');
  const lea = office.slack.as(LEAD);
  return lea.screen.replies(message).map((reply) => lea.read(reply));
}

describe('a month is reported to the approvals channel', () => {
  it.each([
    ['Pacific/Kiritimati', '2027-01-31T19:00Z', '2027-02-28T19:00Z'],
    ['Pacific/Pago_Pago', '2027-02-01T20:00Z', '2027-03-01T20:00Z'],
    ['Europe/Berlin', '2027-02-01T08:00Z', '2027-03-01T08:00Z'],
  ])(
    'once, at nine of the first in %s, over two processes and a restart after each step',
    async (zone, first, second) => {
      const office = await officeIn(zone);
      await office.another();
      await readNow(office);
      goTo(office, at(first) - MINUTE);
      await nothingMore(office, 0);
      await office.restart();
      goTo(office, at(first));
      const [january] = await reported(office, 1);
      expect(january).toContain('January 2027: $0.00 spent by purchases');
      expect(january).not.toContain('Late');
      await office.restart();
      goTo(office, at(first) + DAY);
      // The clock jumps back over the first, and comes to it again.
      goTo(office, at(first) - 2 * DAY);
      await nothingMore(office, 1);
      goTo(office, at(first) + MINUTE);
      await nothingMore(office, 1);
      goTo(office, at(second));
      expect((await reported(office, 2))[1]).toContain('February 2027');
      expect(csvs(office).map(({ name }) => name)).toEqual(['spending-2027-01.csv', 'spending-2027-02.csv']);
    },
  );

  it('at nine of clocks that summer time has put forward and back', async () => {
    const office = await officeIn('Europe/Berlin');
    goTo(office, at('2027-03-20T12:00Z'));
    await readNow(office);
    goTo(office, at('2027-04-01T06:59Z'));
    await nothingMore(office, 0);
    goTo(office, at('2027-04-01T07:00Z'));
    await reported(office, 1);
    // Of what was due for longer than two months nobody hears any more.
    goTo(office, at('2027-10-20T12:00Z'));
    await nothingMore(office, 1);
    goTo(office, at('2027-11-01T07:59Z'));
    await nothingMore(office, 1);
    goTo(office, at('2027-11-01T08:00Z'));
    expect((await reported(office, 2))[1]).toContain('October 2027');
  });

  it('late, once, and says so, where nobody was there on the first', async () => {
    const office = await officeIn();
    await readNow(office);
    await office.bot.stop();
    goTo(office, at('2027-02-03T03:00Z'));
    await office.restart();
    const [january] = await reported(office, 1);
    expect(january).toContain('January 2027');
    expect(january).toContain('Late: it was due');
    await office.restart();
    goTo(office, at('2027-03-01T09:00Z'));
    const [, february] = await reported(office, 2);
    expect(february).not.toContain('Late');
  });

  it('the last that it has seen, where it was away for two: what left meanwhile is in the month in which it is read again', async () => {
    const office = await officeIn();
    await readNow(office);
    await office.bot.stop();
    office.vendor.balance = '900.00';
    goTo(office, at('2027-03-05T03:00Z'));
    await office.restart();
    expect((await reported(office, 1))[0]).toContain('January 2027');
    await readNow(office);
    goTo(office, at('2027-04-01T09:00Z'));
    const [, march] = await reported(office, 2);
    expect(march).toContain('March 2027');
    expect(march).toContain('Left with nothing sent, unexplained: −$100.00, 1 movement');
  });

  it('once more where the ledger went back in time to before it was posted, and says that it may be the second', async () => {
    const office = await officeIn();
    await readNow(office);
    await office.bot.stop();
    goTo(office, at('2027-01-28T12:00Z'));
    await office.books.database.write((sql) => freezeGoneBack(sql, `${GONE_BACK.backup}2027-01-28T12:00:00.000Z`));
    goTo(office, at('2027-02-03T12:00Z'));
    await office.restart();
    const [january] = await reported(office, 1);
    expect(january).toContain('The ledger went back in time');
    expect(january).toContain('This report may have been posted before.');
  });

  it('only from the month on in which the policy asks for it, and says since when the balance is watched', async () => {
    const office = await officeIn('UTC', { reports: 'reports: { monthly: false }' });
    await readNow(office);
    goTo(office, at('2027-02-10T12:00Z'));
    office.bot.usePolicy(policyOf(lines('UTC')));
    await nothingMore(office, 0);
    goTo(office, at('2027-03-01T09:00Z'));
    const [february] = await reported(office, 1);
    expect(february).toContain('February 2027');
    expect(february).toContain('in January 2027, watched since');
    expect(february).not.toContain('nothing is known of before');
  });

  it('of the month in which it begins, with since when, and of none before', async () => {
    const office = await officeIn();
    await nothingMore(office, 0);
    await readNow(office);
    goTo(office, at('2027-02-01T09:00Z'));
    const [january] = await reported(office, 1);
    expect(january).toMatch(/The balance is watched since .*: nothing is known of before/);
    expect(january).not.toContain('December');
  });

  it('not where the balance was never read in it', async () => {
    const office = await officeIn();
    await allWait(office);
    goTo(office, at('2027-02-01T09:00Z'));
    await nothingMore(office, 0);
  });

  it('to each approver by direct message where there is no approvals channel', async () => {
    const office = await officeIn('UTC', { approvals: 'approvals: off' });
    await readNow(office);
    goTo(office, at('2027-02-01T09:00Z'));
    for (const user of [LEAD, LEAD2]) {
      const person = office.slack.as(user);
      const message = await person.waitFor(({ dm }) => dm.find((one) => person.read(one).includes('January 2027')));
      await person.waitFor(({ replies }) => replies(message).length === 1);
    }
    await delivered(office);
    expect(csvs(office)).toHaveLength(2);
    for (const user of [LEAD, LEAD2]) expect(office.slack.as(user).screen.dm).toHaveLength(1);
  });
});

describe('the report', () => {
  it('says where the money went, what nobody explains, what is open, what ended, and what will be renewed', async () => {
    const office = await officeIn();
    const one = await bought(office, 'US 10');
    goTo(office, at('2027-02-05T12:00Z'));
    await bought(office, 'US 5');
    await bought(office, 'DE 3', BUYER2);
    office.vendor.balance = '1450.40';
    await readNow(office);
    office.vendor.balance = '1402.40';
    await readNow(office);
    await cardWith(office, '$48.00 left the account between');
    await press(office, '$48.00 left', 'I know about it', LEAD);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    await lea.type('Note', 'a test <!channel> *order* https://example.com');
    await lea.submit('Save');
    await cardWith(office, '@lea knows about it');
    office.vendor.balance = '1390.40';
    await readNow(office);
    await ending(office, '1001', at('2027-02-14T12:00Z'), { owner: BUYER2 });
    await ending(office, '1002', at('2027-03-14T12:00Z'), { basket: [{ country: 'US', quantity: 5 }] });
    await keep(office, '1002', at('2027-03-14T12:00Z'));
    await ending(office, '1003', at('2027-03-20T12:00Z'), { basket: [{ country: 'FR', quantity: 1 }] });
    await keep(office, '1003', at('2027-03-20T12:00Z'));
    office.vendor.next('create', { name: 'empty', status: 502 });
    const unknown = await buyNow(office, 'GB 3');
    await reaches(office, unknown, 'unknown');
    await delivered(office);
    goTo(office, at('2027-03-01T09:00Z'));
    const february = (await reported(office, 2))[1] ?? '';
    for (const part of [
      'February 2027: $25.60 spent by purchases',
      '$32.00 in January 2027, watched since 2027-01-10',
      '@bea: $16.00, 1 purchase, 5 IPs',
      '@bob: $9.60, 1 purchase, 3 IPs',
      'Static residential, monthly: $25.60, 2 purchases, 8 IPs',
      'United States: $16.00',
      'Germany: $9.60',
      'Topped up: +$',
      'Left with nothing sent, unexplained: −$60.00, 2 movements',
      '@lea knows about it, “a test <!channel> ＊order＊ https：//example.com”',
      'Unknown, a purchase may explain it: −$9.60',
      ': nobody has said that they know about it',
      'Unknown outcomes still open: 1',
      `request ${unknown}`,
      'buy 3 IPs (GB 3) for @bea',
      'Orders that ended, by our reckoning: 2',
      '1001, 2 IPs (US 2), about',
      'Renewals due in March 2027, of what is kept or was renewed before: 2 orders',
      '1003, 1 IP (FR 1), ends about',
      'no price observed yet',
      '[Download CSV]',
      'never a quote',
    ])
      expect(february).toContain(part);
    expect(february).not.toContain(one);
    const [, message] = messages(office);
    expect(JSON.stringify(message?.blocks)).toMatch(new RegExp(`/archives/${CHANNEL}/p\\d+\\|request ${unknown}>`));
    const [thread = '', ...others] = under(office, message);
    expect(others).toEqual([]);
    expect(thread).toContain('spending-2027-02.csv');
    expect(thread).toContain('spending-2027-02.png');
    const csv = String(csvs(office).at(-1)?.bytes);
    expect(csv.split('\r\n')[0]).toBe(
      'from,to,before,after,difference,kind,purchases,requesters,approvers,what,plans,baskets,order_id,known_by,known_at,note',
    );
    expect(csv).not.toContain(one);
    // The button gives the same, by direct message, whenever it is pressed.
    goTo(office, at('2027-04-20T12:00Z'));
    await reported(office, 3);
    const count = csvs(office).length;
    if (message) await lea.pressOn(message, 'Download CSV');
    await until(() => csvs(office).length > count, 'the CSV');
    expect(String(csvs(office).at(-1)?.bytes)).toBe(csv);
  });
});

describe('the CSV under a report', () => {
  async function withFault(method: string, fault: Fault, times = 1) {
    const office = await officeIn();
    await readNow(office);
    const played = office.slack.faults.add(method, fault, { times });
    goTo(office, at('2027-02-01T09:00Z'));
    await until(() => played.hits === times, 'the fault');
    expect(told(office)).toHaveLength(1);
    return office;
  }

  const shares = (office: Office) =>
    office.slack.calls.filter(({ method }) => method === 'files.completeUploadExternal');

  it.each<[string, Fault]>([
    ['files.getUploadURLExternal', { kind: 'status', status: 500 }],
    ['files.getUploadURLExternal', { kind: 'reset', when: 'after' }],
    ['upload', { kind: 'status', status: 500 }],
    ['files.completeUploadExternal', { kind: 'rate_limit', retryAfter: 2 }],
    ['files.completeUploadExternal', { kind: 'error', code: 'channel_not_found' }],
  ])('comes a little later, once, where Slack certainly did not take it: %s', async (method, fault) => {
    const office = await withFault(method, fault);
    await until(() => {
      office.clock.advance(10_000);
      return under(office, messages(office)[0]).length === 1;
    }, 'the CSV');
    await office.restart();
    office.clock.advance(DAY);
    await nothingMore(office, 1);
    expect(under(office, messages(office)[0])).toHaveLength(1);
  });

  it.each<[string, number, Fault]>([
    ['was taken', 1, { kind: 'reset', when: 'after' }],
    ['was not', 0, { kind: 'reset', when: 'before' }],
  ])('is not put there again where nobody can tell, whether it %s; the button gives it', async (_, count, fault) => {
    const office = await withFault('files.completeUploadExternal', fault);
    await delivered(office);
    expect(shares(office)).toHaveLength(1);
    await office.restart();
    office.clock.advance(2 * DAY);
    await nothingMore(office, 1);
    expect(shares(office)).toHaveLength(1);
    expect(under(office, messages(office)[0])).toHaveLength(count);
    const lea = office.slack.as(LEAD);
    const [message] = messages(office);
    if (message) await lea.pressOn(message, 'Download CSV');
    await until(() => csvs(office).length === count + 1, 'the CSV');
  });

  it('is given up after a day, and holds up no report', async () => {
    const fault = { kind: 'error', code: 'missing_scope' } as const;
    const office = await withFault('files.getUploadURLExternal', fault);
    office.slack.faults.add('files.getUploadURLExternal', fault, { times: Infinity });
    for (let hours = 0; hours < 50; hours += 1) {
      office.clock.advance(30 * MINUTE);
      await allWait(office);
    }
    const tried = office.slack.calls.filter(({ method }) => method === 'files.getUploadURLExternal').length;
    office.clock.advance(2 * DAY);
    await nothingMore(office, 1);
    expect(office.slack.calls.filter(({ method }) => method === 'files.getUploadURLExternal')).toHaveLength(tried);
  });
});
