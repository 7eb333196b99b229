import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openTab, PHONE, type Tab } from './browser.ts';
import { picture } from './screenshots.ts';
import { Seat } from './seat.ts';
import { type Served, serve } from './served.ts';

/** The first start unpacks the browser. */
const START_MS = 60_000;
const TEST_MS = 40_000;
/** Short: the bot gives a silent vendor up after it. */
const VENDOR_TIMEOUT_MS = 1_500;

let browser: Browser;
let served: Served;
let tabs: Tab[] = [];

beforeAll(async () => {
  [browser, served] = await Promise.all([launchBrowser(), serve({ vendorTimeoutMs: VENDOR_TIMEOUT_MS })]);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await served?.close();
}, START_MS);
afterEach(async () => {
  const complaints = tabs.flatMap((tab) => tab.complaints);
  await Promise.all(tabs.map(({ page }) => page.context().close()));
  tabs = [];
  // A modal stays open when its tab is closed, as in Slack.
  const open = Object.keys(served.slack.state.stacks).filter((user) => served.slack.state.stacks[user]?.length);
  await Promise.all(open.map((user) => served.slack.interactions.close(user, true)));
  served.vendor.behave();
  expect(complaints).toEqual([]);
  expect(served.slack.takeViolations()).toEqual([]);
});

async function sit(options?: BrowserContextOptions): Promise<Seat> {
  const tab = await openTab(browser, served.url, options);
  tabs.push(tab);
  await tab.page.getByRole('textbox', { name: 'Message #general' }).waitFor();
  return new Seat(tab.page);
}

test('two people buy: a form filled in by hand, an approval, a receipt; one POST reaches the vendor', {
  timeout: TEST_MS,
}, async () => {
  const postsBefore = served.vendor.posts;
  const seat = await sit();
  const { page } = seat;
  await picture(page, 'start');

  const box = page.getByRole('textbox', { name: 'Message #general' });
  await box.pressSequentially('/pr');
  await page.getByRole('option', { name: /\/proxy/ }).waitFor();
  await box.press('Tab');
  await box.pressSequentially('bu');
  await page.getByRole('option', { name: '/proxy buy' }).waitFor();
  await picture(page, 'completion');
  await box.press('Tab');
  await box.press('Enter');
  await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();

  await seat.choose('Plan', 'Static residential, monthly');
  const country = seat.dialog.getByRole('combobox', { name: 'Country' });
  await country.pressSequentially('germ');
  await page.getByRole('option', { name: /Germany/ }).waitFor();
  await picture(page, 'form');
  await country.press('Enter');
  await seat.dialog.getByLabel('Quantity').fill('10');
  await seat.press('Add country');
  const second = seat.dialog.getByRole('combobox', { name: 'Country' }).nth(1);
  await second.pressSequentially('us');
  await page.getByRole('option', { name: /United States$/ }).click();
  await seat.dialog.getByLabel('Quantity').nth(1).fill('5');
  await seat.dialog.getByLabel('Reason').fill('Price checks for the launch');
  await seat.press('Review');
  await seat.see('Buy 15 IPs', seat.dialog);
  await picture(page, 'review');
  await seat.press('Ask for approval');
  await seat.dialog.getByRole('heading', { name: 'Filed' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Clara approver ?, \d+ unread/ }).waitFor();
  await seat.be('Clara');
  await seat.go('approvals');
  await seat.see('Price checks for the launch', seat.lastMessage);
  await picture(page, 'card');
  await seat.pressOnCard('Approve');
  await seat.see(/15 IPs/, seat.dialog);
  await picture(page, 'approve');
  await seat.press('Approve');
  await seat.see('Bought', seat.lastMessage);
  await seat.see('(edited)', seat.lastMessage);
  await seat.see(/Approved by @Clara Nilsson/, seat.lastMessage);

  await seat.be('Ada');
  await seat.go('Proxy Desk');
  await seat.see('Bought', seat.lastMessage);
  await picture(page, 'receipt');
  const tools = page.getByRole('complementary', { name: 'Sandbox tools' });
  await expect.poll(() => tools.getByRole('textbox', { name: 'Balance' }).inputValue()).toBe('952.00');
  await tools.getByText('/v2/orders/create', { exact: true }).click();
  const sent = tools.locator('details[open]').last();
  await seat.see(/"quantity":15/, sent);
  await seat.see(/Bearer •••/, sent);
  await picture(page, 'vendor');
  expect(served.vendor.posts - postsBefore).toBe(1);
});

test('a rejection reaches the requester with its reason, and nothing is sent', { timeout: TEST_MS }, async () => {
  const postsBefore = served.vendor.posts;
  const seat = await sit();
  await seat.askForApproval('FR 20', 'A crawl');
  await seat.be('David');
  await seat.go('approvals');
  await seat.see('A crawl', seat.lastMessage);
  await seat.pressOnCard('Reject');
  await seat.dialog.getByRole('textbox').fill('Not this month');
  await seat.press('Reject');
  await seat.see(/rejected by/i, seat.lastMessage);
  await seat.be('Ada');
  await seat.go('Proxy Desk');
  await seat.see(/Not this month/, seat.page.getByRole('log'));
  expect(served.vendor.posts - postsBefore).toBe(0);
});

test.each([
  ['Frank', 'not in a group'],
  ['Gina', 'Guests cannot use Proxy Desk'],
])('%s may not buy, and is told so privately', { timeout: TEST_MS }, async (name, sentence) => {
  const seat = await sit();
  await seat.be(name);
  await seat.command('/proxy buy US 3');
  await seat.see(sentence, seat.lastMessage);
  await seat.see('Only visible to you', seat.lastMessage);
  if (name === 'Gina') await picture(seat.page, 'refusal');
  await seat.be('Ben');
  await seat.see('very beginning of this channel');
  expect(await seat.page.getByText(sentence).count()).toBe(0);
});

test('a vendor that charges and never answers leaves the outcome unknown, until an approver settles it', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit({ colorScheme: 'dark' });
  const { page } = seat;
  await page.getByRole('button', { name: 'Never answer, but charge' }).click();
  await page.getByRole('status').getByText('Never answer (charges)').waitFor();
  // Ada has used her free allowance in the tests above.
  await seat.be('Ben');
  await picture(page, 'start-dark');
  await seat.fillForm('NL 4', 'A test');
  await picture(page, 'form-dark');
  await seat.press('Review');
  await picture(page, 'review-dark');
  await seat.press('Buy now');
  await seat.dialog.getByRole('heading', { name: 'Filed' }).waitFor();
  await page.keyboard.press('Escape');
  await seat.be('David');
  await seat.go('approvals');
  await seat.see('It was placed', seat.lastMessage);
  await picture(page, 'unknown-dark');
  await seat.pressOnCard('It was placed');
  await seat.dialog.getByLabel(/note/i).fill("It is in the vendor's console");
  await seat.press(await submitOf(seat));
  await seat.see(/Settled as placed by @David Cohen/, seat.lastMessage);
  await seat.be('Ben');
  await seat.go('Proxy Desk');
  await seat.see(/Settled as placed/, page.getByRole('log'));
  await picture(page, 'receipt-dark');
});

test('a pasted list with a mistake names it; a right one fills the rows, and the focus comes back', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit();
  await seat.fillForm('', '');
  await seat.press('Paste a list');
  await seat.dialog.getByRole('heading', { name: 'Paste a list' }).waitFor();
  const list = seat.dialog.getByRole('textbox');
  await list.fill('US 10, Atlantis 5');
  await seat.press('Add');
  await seat.dialog
    .getByRole('alert')
    .getByText(/Atlantis/)
    .waitFor();
  await list.fill('US 10\nDE 5\nJP 2');
  await seat.press('Add');
  await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
  await expect.poll(() => seat.dialog.getByLabel('Quantity').count()).toBe(3);
  await expect.poll(() => values(seat, 'Quantity')).toEqual(expect.arrayContaining(['10', '5', '2']));
  await seat.page.locator('[data-element]:focus', { hasText: 'Paste a list' }).waitFor();
  await seat.page.keyboard.press('Escape');
});

test("what is wrong stands at its field: first Slack's own checks, then the bot's", { timeout: TEST_MS }, async () => {
  const seat = await sit();
  await seat.command('/proxy buy');
  await seat.dialog.waitFor();
  await seat.dialog.getByLabel('Quantity').fill('0');
  await seat.press('Review');
  await seat.see('Please enter a number that is at least 1.', seat.dialog);
  expect(await seat.dialog.getByText('Please complete this required field.').count()).toBeGreaterThanOrEqual(2);
  await seat.dialog.locator('[aria-invalid=true]:focus').waitFor();
  await picture(seat.page, 'errors');
  await seat.choose('Plan', 'Datacenter, monthly');
  await seat.choose('Country', 'Spain (ES)');
  await seat.dialog.getByLabel('Quantity').fill('499');
  await seat.press('Add country');
  await expect.poll(() => seat.dialog.getByLabel('Quantity').count()).toBe(2);
  await seat.dialog.getByRole('combobox', { name: 'Country' }).nth(1).click();
  await seat.page.getByRole('option', { name: 'Italy (IT)' }).click();
  await seat.dialog.getByLabel('Quantity').nth(1).fill('9');
  await seat.dialog.getByLabel('Reason').fill('x');
  await seat.press('Review');
  await seat.see(/508 IPs in all/, seat.dialog);
  await seat.page.keyboard.press('Escape');
});

test('an approver whose screen is out of date is told who was first', { timeout: TEST_MS }, async () => {
  const postsBefore = served.vendor.posts;
  const late = await sit();
  await late.askForApproval('SE 7', 'Stale');
  await late.be('Clara');
  await late.go('approvals');
  await late.see('Stale', late.lastMessage);
  await late.page.getByRole('button', { name: 'Hold back edits' }).click();

  const first = await sit();
  await first.be('David');
  await first.go('approvals');
  await first.pressOnCard('Approve');
  await first.press('Approve');
  await first.see('Bought', first.lastMessage);

  await late.pressOnCard('Approve');
  await late.see(/was already approved by @David Cohen/, late.lastMessage);
  await picture(late.page, 'stale-card');
  expect(served.vendor.posts - postsBefore).toBe(1);
});

test('keys are enough: Tab stays in the modal, Escape closes it, and the focus is where it was', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit();
  const { page } = seat;
  await seat.command('/proxy buy');
  const plan = seat.dialog.getByRole('combobox', { name: 'Plan' });
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await plan.inputValue()).toBe('Static residential, quarterly');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await seat.dialog.waitFor();
  const stops = await seat.dialog
    .getByRole('button')
    .or(seat.dialog.getByRole('textbox'))
    .or(seat.dialog.getByRole('combobox'))
    .count();
  for (let step = 0; step < stops; step += 1) {
    await page.keyboard.press('Tab');
    expect(await page.locator('[role=dialog] :focus').count()).toBe(1);
  }
  expect(await page.locator('[role=combobox]:focus').count()).toBe(1);
  await page.keyboard.press('F6');
  await page.locator('.tools [role=tab]:focus').waitFor();
  await page.keyboard.press('F6');
  await page.keyboard.press('Escape');
  await seat.dialog.waitFor({ state: 'detached' });
  await page.locator('[data-composer]:focus').waitFor();
});

test('on a phone everything is reached, and nothing is wider than the screen', { timeout: TEST_MS }, async () => {
  const seat = await sit({ viewport: PHONE });
  const { page } = seat;
  const isNarrowEnough = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  await picture(page, 'phone-start');
  await seat.command('/proxy buy US 3');
  await seat.dialog.waitFor();
  await picture(page, 'phone-form');
  expect(await isNarrowEnough()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await seat.go('approvals');
  await seat.lastMessage.waitFor();
  await picture(page, 'phone-card');
  expect(await isNarrowEnough()).toBe(true);
  await page.getByRole('button', { name: 'Vendor & tools' }).click();
  await page.getByRole('textbox', { name: 'Balance' }).waitFor();
  await picture(page, 'phone-vendor');
  expect(await isNarrowEnough()).toBe(true);
});

test('the inspector shows each payload with the time of its acknowledgement, to be copied as JSON', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = seat;
  await seat.be('Erin');
  await seat.command('/proxy balance');
  await seat.see(/\$\d+\.\d\d/, seat.lastMessage);
  await page.getByRole('tab', { name: 'Inspector' }).click();
  const row = page.locator('details', { hasText: '/proxy balance' }).first();
  await row.locator('summary').click();
  await seat.see(/"command": "\/proxy"/, row);
  await seat.see(/^\d+ ms$/, row);
  await row.getByRole('button', { name: 'Copy as JSON' }).first().click();
  await row.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')));
  expect(copied).toMatchObject({ command: '/proxy', text: 'balance', user_id: 'U0ERIN' });
  await picture(page, 'inspector');
});

test('the Home tab, the read-only messages and a wrong command are as the manifest and Slack have them', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit();
  await seat.command('/nothing');
  await seat.see(/\/nothing is not a valid command/);
  await seat.go('Proxy Desk');
  await seat.see('Sending messages to this app has been turned off.');
  await seat.page.getByRole('tab', { name: 'Home' }).click();
  await seat.see('This app has no Home tab.');
});

test('what the page cannot draw is loud, a limit of Slack is an error of Slack, and letters stay letters', {
  timeout: TEST_MS,
}, async () => {
  const seat = await sit();
  const { page } = seat;
  await seat.go('approvals');
  const post = (blocks: unknown[]) =>
    fetch(`${served.slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.slack.tokens.bot}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0APPROVALS', text: 'x', blocks }),
    });
  await post([
    { type: 'markdown', text: 'x' },
    { type: 'section', text: { type: 'plain_text', text: '&amp;lt;b&gt; *not bold* <@U0ADA>' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*bold* `<b>` <script>alert(1)</script> <!subteam^S0LEADS>', verbatim: true },
    },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: 'withdraw',
          value: 'x',
          text: { type: 'plain_text', text: 'Sure?' },
          confirm: {
            title: { type: 'plain_text', text: 'Are you sure?' },
            text: { type: 'plain_text', text: 'It cannot be undone.' },
            confirm: { type: 'plain_text', text: 'Yes' },
            deny: { type: 'plain_text', text: 'No' },
          },
        },
      ],
    },
  ]);
  await seat.see('unsupported: markdown', seat.lastMessage);
  await seat.see('&lt;b> *not bold* <@U0ADA>', seat.lastMessage);
  await seat.see('@proxy-leads', seat.lastMessage);
  await seat.pressOnCard('Sure?');
  const asked = page.getByRole('alertdialog', { name: 'Are you sure?' });
  await asked.waitFor();
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await page.locator('[data-element]:focus', { hasText: 'Sure?' }).waitFor();

  await post([{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }]);
  await page.getByRole('tab', { name: /Inspector/ }).click();
  await seat.see(/chat.postMessage: invalid_blocks/);
  expect(served.slack.takeViolations()).toHaveLength(1);
});

async function submitOf(seat: Seat): Promise<string> {
  return (await seat.dialog.locator('button[type=submit]').textContent())?.trim() ?? '';
}

async function values(seat: Seat, label: string): Promise<string[]> {
  return Promise.all((await seat.dialog.getByLabel(label).all()).map((field) => field.inputValue()));
}
