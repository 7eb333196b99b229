import { expect, test } from 'vitest';
import { picture } from '../screenshots.ts';
import type { Seat } from '../seat.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** In today's words and in tomorrow's. */
const BOUGHT = /Bought/;

/** People buy, decide, and are told. */
export function purchases(stage: Stage): void {
  test('what the first steps tell a newcomer works as it is told', { timeout: TEST_MS }, async () => {
    const postsBefore = stage.served.vendor.posts;
    const seat = await stage.sit();
    const { page } = seat;
    await picture(page, 'start');
    const [withinAllowance = '', beyondIt = ''] = await seat.firstSteps.getByText(/^\/proxy buy/).allTextContents();

    await seat.ask(withinAllowance, 'Buy now');
    await seat.go('Proxy Desk');
    await seat.see(BOUGHT, seat.lastMessage);

    await seat.go('general');
    await seat.ask(beyondIt, 'Ask for approval');
    await seat.be('Clara');
    await seat.go('approvals');
    await seat.pressOnCard('Approve');
    await seat.press('Approve');
    await seat.see(BOUGHT, seat.lastMessage);
    await seat.be('Ada');
    await seat.go('Proxy Desk');
    await seat.see(/15 IPs/, seat.lastMessage);
    expect(stage.served.vendor.posts - postsBefore).toBe(2);

    // Both at once: she may ask, and another one decides.
    await seat.be('Hana');
    await seat.go('general');
    await seat.ask('/proxy buy JP 6', 'Ask for approval');
    await seat.go('approvals');
    await seat.pressOnCard('Approve');
    await seat.see(/own request/, seat.lastMessage);
    await seat.see('Only visible to you', seat.lastMessage);
    // What waits counts towards her free allowance.
    await seat.go('Proxy Desk');
    await seat.pressOnCard('Withdraw');
    await seat.page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await seat.see(/withdrawn/i, seat.lastMessage);
    expect(stage.served.vendor.posts - postsBefore).toBe(2);
  });

  test('two people buy: a form filled in by hand, an approval, a receipt; one POST reaches the vendor', {
    timeout: TEST_MS,
  }, async () => {
    const postsBefore = stage.served.vendor.posts;
    const balanceBefore = Number(stage.served.vendor.balance);
    const seat = await stage.sit();
    const { page } = seat;

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
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await picture(page, 'form');
    await country.press('Enter');
    await seat.dialog.getByLabel('Quantity').fill('10');
    await seat.press('Add country');
    const second = seat.dialog.getByRole('combobox', { name: 'Country' }).nth(1);
    await second.pressSequentially('us');
    await page.getByRole('option', { name: 'United States' }).click();
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
    await seat.see(BOUGHT, seat.lastMessage);
    await seat.see('(edited)', seat.lastMessage);
    await seat.see(/Approved by @Clara Nilsson/, seat.lastMessage);

    await seat.be('Ada');
    await seat.go('Proxy Desk');
    await seat.see(BOUGHT, seat.lastMessage);
    await picture(page, 'receipt');
    const tools = page.getByRole('complementary', { name: 'Sandbox tools' });
    await expect
      .poll(() => tools.getByRole('textbox', { name: 'Balance' }).inputValue())
      .toBe((balanceBefore - 48).toFixed(2));
    // The newest stands first.
    await tools.getByText('/v2/orders/create', { exact: true }).first().click();
    const sent = tools.locator('details[open]').first();
    await seat.see(/"quantity":15/, sent);
    await seat.see(/Bearer •••/, sent);
    await picture(page, 'vendor');
    expect(stage.served.vendor.posts - postsBefore).toBe(1);
  });

  test('a rejection reaches the requester with its reason, and nothing is sent', { timeout: TEST_MS }, async () => {
    const postsBefore = stage.served.vendor.posts;
    const seat = await stage.sit();
    await seat.ask('/proxy buy FR 20', 'Ask for approval', { reason: 'A crawl' });
    await seat.be('David');
    await seat.go('approvals');
    await seat.see('A crawl', seat.lastMessage);
    await seat.pressOnCard('Reject');
    await seat.dialog.getByRole('textbox').fill('Not this month');
    await seat.press('Reject');
    await seat.see(/rejected by/i, seat.lastMessage);
    await seat.be('Ada');
    await seat.go('Proxy Desk');
    await seat.see(/Not this month/, seat.log);
    expect(stage.served.vendor.posts - postsBefore).toBe(0);
  });

  test.each([
    ['Frank', 'not in a group'],
    ['Gina', 'Guests cannot use Proxy Desk'],
  ])('%s may not buy, and is told so privately', { timeout: TEST_MS }, async (name, sentence) => {
    const seat = await stage.sit();
    await seat.be(name);
    await seat.command('/proxy buy US 3');
    await seat.see(sentence, seat.lastMessage);
    await seat.see('Only visible to you', seat.lastMessage);
    if (name === 'Gina') await picture(seat.page, 'refusal');
    await seat.be('Ben');
    await seat.see('very beginning of this channel');
    expect(await seat.page.getByText(sentence).count()).toBe(0);
  });

  test('the last of the first steps: a vendor that charges and never answers leaves the outcome unknown, until an approver settles it', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ colorScheme: 'dark' });
    const { page } = seat;
    await seat.firstSteps.getByText('Never answer, but charge').waitFor();
    await page.getByRole('button', { name: 'Never answer, but charge' }).click();
    await page.getByRole('status').getByText('Never answer (charges)').waitFor();
    await picture(page, 'start-dark');
    const told = await seat.firstSteps
      .getByText(/^\/proxy buy/)
      .last()
      .textContent();
    await seat.be('Ben');
    await seat.ask(told ?? '', 'Buy now', { look: (at) => picture(page, `${at}-dark`) });
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
    await seat.see(/Settled as placed/, seat.log);
    await picture(page, 'receipt-dark');
  });

  test('an approver whose screen is out of date is told who was first', { timeout: TEST_MS }, async () => {
    const postsBefore = stage.served.vendor.posts;
    const late = await stage.sit();
    await late.ask('/proxy buy SE 7', 'Ask for approval', { reason: 'Stale' });
    await late.be('Clara');
    await late.go('approvals');
    await late.see('Stale', late.lastMessage);
    await late.page.getByRole('button', { name: 'Hold back edits' }).click();

    const first = await stage.sit();
    await first.be('David');
    await first.go('approvals');
    await first.pressOnCard('Approve');
    await first.press('Approve');
    await first.see(BOUGHT, first.lastMessage);

    await late.pressOnCard('Approve');
    await late.see(/was already approved by @David Cohen/, late.lastMessage);
    await picture(late.page, 'stale-card');
    expect(stage.served.vendor.posts - postsBefore).toBe(1);
  });
}

async function submitOf(seat: Seat): Promise<string> {
  return (await seat.dialog.locator('button[type=submit]').textContent())?.trim() ?? '';
}
