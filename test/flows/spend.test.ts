import { describe, expect, it } from 'vitest';
import { formatDollars, type Money } from '../../src/purchasing/model/money.ts';
import { BUYER, BUYER2, LEAD, type Office, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import { writeDown } from '../support/orders.ts';
import { allWait } from '../support/passing.ts';
import { buyNow, command, hears, reaches, until } from '../support/steps.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** What is bought costs 3.20 an IP. */
async function bought(office: Office, typed: string, as = BUYER): Promise<string> {
  const id = await buyNow(office, typed, as);
  await reaches(office, id, 'completed');
  await allWait(office);
  return id;
}

const csvs = (office: Office) => [...office.slack.files.values()].filter(({ name }) => name.endsWith('.csv'));

const free = { approvals: 'approvals: { channel: C0APPROVALS, free_up_to: 100 }' };

describe('/proxy balance', () => {
  it('says what has changed and from which readings, how long it may be enough, and what is due', async () => {
    const office = await openOffice(free);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Over 24 h: no reading that old');
    await hears(office, VIEWER, 'How long it is enough: not known yet');
    office.clock.advance(2 * DAY);
    await bought(office, 'US 10');
    office.clock.advance(HOUR);
    await command(office, 'balance', VIEWER);
    await hears(
      office,
      VIEWER,
      /Balance: \$968\.00, .*Over 24 h: −\$32\.00, from \$1,000\.00, read .*Over 7 days: no reading/s,
    );
    // 968 / (32 / 2.04 days) is 61.7 days.
    await hears(office, VIEWER, 'Enough for about 61 days: $32.00 left the account in the last 2 days, as observed.');
    await hears(office, VIEWER, 'Nothing waits to be sent.');
  });

  it('counts what is committed at prices that were observed, and says of what none was', async () => {
    const office = await openOffice(free);
    await bought(office, 'US 10');
    office.vendor.next('create', { name: 'hold', answer: { name: 'status', status: 502 } });
    const id = await buyNow(office, 'US 5');
    await office.vendor.until(() => office.vendor.held === 1);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'being sent or unknown: 1 purchase, about $16.00 at prices observed.');
    office.vendor.release();
    await reaches(office, id, 'unknown');
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, '1 with an unknown outcome');
  });

  it('says which orders will probably be renewed without a price', async () => {
    const office = await openOffice(free);
    await writeDown(office, '7', { owner: BUYER });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $1,000.00');
    office.clock.advance(2 * DAY);
    const bea = await command(office, 'orders 7', BUYER);
    await bea.waitFor('Order 7');
    await bea.press('Keep');
    await bea.waitFor('“Keep” was said');
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Not counted: 1 order that is probably renewed, and has no price observed yet.');
  });

  it('tells all of it although the vendor does not answer, but no days', async () => {
    const office = await openOffice(free);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $1,000.00');
    office.clock.advance(2 * DAY);
    office.vendor.always('balance', { name: 'html' });
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, /could not be read.*Over 24 h: it was \$1,000\.00, read /s);
  });
});

describe('charts', () => {
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
  const BALANCE =
    /Balance from \$1,000\.00 on .* to \$968\.00 on .*; lowest \$968\.00, highest \$1,000\.00; left: Purchases \$32\.00\./;
  const chartsSent = (office: Office) =>
    office.slack.calls.filter(({ rawBody }) => rawBody.includes('data_visualization'));
  const withCharts = (office: Office) =>
    office.slack
      .as(VIEWER)
      .screen.ephemerals.filter(({ blocks }) => blocks.some(({ type }) => type === 'data_visualization'));

  /** A workspace of before that kind of block. */
  async function withoutCharts(): Promise<Office> {
    const office = await openOffice(free);
    office.slack.settings.takesCharts = false;
    await bought(office, 'US 10');
    return office;
  }

  it('are Slack’s own, follow the words, and say their figures in words too', async () => {
    const office = await openOffice(free);
    await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, 'Nothing was bought or renewed.');
    await bought(office, 'US 10');
    office.clock.advance(HOUR);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $968.00');
    await hears(
      office,
      VIEWER,
      /\(chart: Balance, the last 30 days \(UTC\); Balance: .* 1000, .* 968; Spent by purchases: .* 32/,
    );
    await hears(office, VIEWER, BALANCE);
    await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, /\(chart: What left, this month, .* \(UTC\); Purchases: .* 32/);
    await hears(office, VIEWER, /What left the account .* Purchases \$32\.00, Left elsewhere \$0\.00/);
    expect(chartsSent(office)).toHaveLength(2);
    expect(office.slack.files.size).toBe(0);
  });

  it('come as pictures where Slack refuses its own, in that very answer, and its own is not tried again', async () => {
    const office = await withoutCharts();
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $968.00');
    await hears(office, VIEWER, new RegExp(`\\(image: ${BALANCE.source}\\)`));
    await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, /\(image: What left the account .* Purchases \$32\.00, Left elsewhere \$0\.00/);
    expect(chartsSent(office)).toHaveLength(1);
    const pictures = [...office.slack.files.values()];
    expect(pictures).toHaveLength(2);
    for (const { bytes, completed } of pictures) {
      expect(completed).toBe(true);
      expect(bytes?.subarray(0, 4)).toEqual(PNG);
    }
  });

  it('are not shown twice where nobody knows whether Slack has shown one, and Slack’s own is tried again', async () => {
    const office = await openOffice(free);
    await bought(office, 'US 10');
    office.slack.faults.add(
      'response_url',
      { kind: 'reset', when: 'after' },
      { only: ({ rawBody }) => rawBody.includes('data_visualization') },
    );
    await command(office, 'balance', VIEWER);
    await until(
      () => office.lines.some(({ message }) => message === 'it is not known whether Slack has shown a chart'),
      'the log',
    );
    expect(withCharts(office)).toHaveLength(1);
    // Refused now: the picture that follows comes after any that the first answer would have led to.
    office.slack.settings.takesCharts = false;
    await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, /\(image: What left the account /);
    expect(chartsSent(office)).toHaveLength(2);
    expect(office.slack.files.size).toBe(1);
  });

  it('come as pictures by direct message where this place takes nothing more, and Slack’s own is tried again', async () => {
    const office = await openOffice(free);
    await bought(office, 'US 10');
    office.slack.faults.add(
      'response_url',
      { kind: 'status', status: 404 },
      { times: 2, only: ({ rawBody }) => /data_visualization|slack_file/.test(rawBody) },
    );
    await command(office, 'balance', VIEWER);
    const vic = office.slack.as(VIEWER);
    await vic.waitFor('[file: Balance, the last 30 days (UTC), balance.png]');
    await command(office, 'balance', VIEWER);
    await vic.waitFor(() => withCharts(office).length === 1);
  });

  it('come as pictures by direct message where Slack takes neither in a private answer, which is tried once', async () => {
    const office = await withoutCharts();
    office.slack.faults.add(
      'response_url',
      { kind: 'status', status: 400 },
      { only: ({ rawBody }) => rawBody.includes('slack_file') },
    );
    for (const times of [1, 2]) {
      await command(office, 'balance', VIEWER);
      const vic = office.slack.as(VIEWER);
      await vic.waitFor((screen) => screen.dm.filter(({ files }) => files).length === times);
      expect(vic.screen.text()).toContain('[file: Balance, the last 30 days (UTC), balance.png]');
    }
    const tried = office.slack.calls.filter(({ rawBody }) => rawBody.includes('slack_file'));
    expect(tried).toHaveLength(1);
  });

  it('are left out where Slack has none and the app may not upload: the words say all', async () => {
    const office = await withoutCharts();
    office.slack.settings.scopes = office.slack.settings.scopes.filter((scope) => scope !== 'files:write');
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $968.00');
    await until(() => office.lines.some(({ message }) => message === 'a chart could not be put into Slack'), 'the log');
  });
});

describe('the reading that is told', () => {
  it('belongs to what is told beside it, and to its chart', async () => {
    const office = await openOffice(free);
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, 'Balance: $1,000.00');
    office.clock.advance(2 * DAY);
    office.vendor.balance = '952.00';
    await command(office, 'balance', VIEWER);
    await hears(office, VIEWER, '$48.00 left the account in the last 2 days, as observed');
    await hears(office, VIEWER, /Balance from \$1,000\.00 .* to \$952\.00 /);
  });
});

describe('/proxy spend', () => {
  it('puts what was spent down to people, plans and countries, and says what is no one’s', async () => {
    const office = await openOffice(free);
    await bought(office, 'US 10');
    await bought(office, 'US 5, DE 5', BUYER2);
    for (const balance of ['936.00', '900.00', '1400.00']) {
      office.vendor.balance = balance;
      office.clock.advance(HOUR / 60);
      await command(office, 'balance', VIEWER);
      await hears(office, VIEWER, `Balance: ${formatDollars(balance as Money)}`);
    }
    await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, 'This month: $64.00 spent by purchases');
    await hears(
      office,
      VIEWER,
      /Spent by purchases: −\$64\.00, 2 movements.*Topped up: \+\$500\.00, 1 movement.*Left elsewhere, with nothing sent: −\$36\.00, 1 movement/s,
    );
    await hears(office, VIEWER, /By person.*: \$32\.00, 1 purchase, 10 IPs.*: \$32\.00, 1 purchase, 10 IPs/s);
    await command(office, '  Spend 90D by Country', LEAD);
    await hears(office, LEAD, /United States: \$32\.00, 1 purchase, 10 IPs/);
    await hears(
      office,
      LEAD,
      /Purchases of several countries.*: \$32\.00, 1 purchase; nobody can tell each one's part/,
    );
  });

  it('is for those who see the balance or approve, and guesses at no word', async () => {
    const office = await openOffice();
    await command(office, 'spend', STRANGER);
    await hears(office, STRANGER, 'You are not in a group that may see what was spent');
    await command(office, 'spend this year', VIEWER);
    await hears(office, VIEWER, '“this year” cannot stand here');
    await command(office, 'spend by people', VIEWER);
    await hears(office, VIEWER, '“by people” cannot stand here');
    await command(office, 'spend by person by plan', VIEWER);
    await hears(office, VIEWER, '“by plan” cannot stand here');
    await command(office, 'spend last month by plan', VIEWER);
    await hears(office, VIEWER, 'Nothing was bought or renewed.');
  });

  it('gives the CSV by direct message to whoever may see it, and nothing in it runs', async () => {
    const office = await openOffice(free);
    const id = await bought(office, 'US 10');
    const vic = await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, '[Download CSV]');
    await vic.pressOn(vic.message('[Download CSV]'), 'Download CSV');
    await vic.waitFor(/\[file: Spending, this month, spending-[\d-]+-to-[\d-]+\.csv\]/);
    await hears(office, VIEWER, 'The CSV is in your direct messages with Proxy Desk.');
    const file = csvs(office)[0];
    const lines = String(file?.bytes).split('\r\n');
    expect(lines[0]).toBe(
      'from,to,before,after,difference,kind,purchases,requesters,approvers,what,plans,baskets,order_id,known_by,known_at,note',
    );
    expect(lines[1]).toContain(`,1000.00,968.00,-32.00,ours,${id},${BUYER},nobody,buy,lt-monthly,US 10,'`);
    expect(vic.screen.messages.filter(({ files }) => files)).toHaveLength(1);
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER, LEAD] });
    await vic.pressOn(vic.message('[Download CSV]'), 'Download CSV');
    await hears(office, VIEWER, 'You are not in a group that may see what was spent');
    expect(csvs(office)).toHaveLength(1);
  });

  it.each([
    [
      'files.getUploadURLExternal',
      { kind: 'error', code: 'missing_scope' } as const,
      'the app lacks the scope `files:write`',
    ],
    ['upload', { kind: 'status', status: 500 } as const, 'Slack did not take the file'],
    ['files.completeUploadExternal', { kind: 'reset', when: 'before' } as const, 'Slack did not take the file'],
  ])('says so where %s fails', async (method, fault, expected) => {
    const office = await openOffice();
    const vic = await command(office, 'spend', VIEWER);
    await hears(office, VIEWER, '[Download CSV]');
    office.slack.faults.add(method, fault);
    await vic.pressOn(vic.message('[Download CSV]'), 'Download CSV');
    await hears(office, VIEWER, expected.replaceAll('`', ''));
  });
});
