import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import type { Seat } from '../seat.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** By its figures, which are its name. */
const chartOf = (page: Page, name: RegExp) => page.getByRole('img', { name }).last();

const fits = (seat: Seat) => seat.page.evaluate('document.documentElement.scrollWidth <= innerWidth');

/** Slack's own charts, with their figures in words below. */
async function showsBoth(seat: Seat, where: string): Promise<void> {
  for (const [command, figures, words] of [
    ['balance', /Balance, the last 30 days .*; Balance: .* \d/, /^Balance from \$/],
    [
      'spend by country',
      /What left, this month.*; Left elsewhere: .* 48/,
      /^What left the account .* Left elsewhere \$/,
    ],
  ] as const) {
    await seat.command(`/proxy ${command}`);
    await chartOf(seat.page, figures).waitFor();
    await seat.see(words, seat.lastMessage);
    await picture(seat.page, `${where}-${command.split(' ')[0]}`);
    expect(await fits(seat)).toBe(true);
  }
}

/** What is beside Slack, and both on a phone. */
export function tools(stage: Stage): void {
  test('on a phone everything is reached, and nothing is wider than the screen', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit({ viewport: PHONE });
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

  test('money moves without the bot; balance and spending tell it, with charts that fit a phone', {
    timeout: TEST_MS,
  }, async () => {
    const { vendor } = stage.served;
    const desk = await stage.sit();
    await desk.be('Erin');
    await desk.command('/proxy balance');
    await desk.messageThatSays(/Balance: \$/).waitFor();
    const before = Number(vendor.balance);
    await desk.page.getByRole('button', { name: 'Somebody buys in the console ($48.00)' }).click();
    await vendor.until(() => Number(vendor.balance) === before - 48);
    await desk.command('/proxy balance');
    await chartOf(desk.page, /Balance, the last 30 days/).waitFor();
    await desk.page.getByRole('button', { name: 'Top up ($500.00)' }).click();
    await vendor.until(() => Number(vendor.balance) === before + 452);
    const phone = await stage.sit({ viewport: PHONE });
    await phone.be('Erin');
    await showsBoth(phone, 'phone');
    const dark = await stage.sit({ colorScheme: 'dark' });
    await dark.be('Erin');
    await showsBoth(dark, 'dark');
  });

  // From here on the bot knows that Slack refuses its charts.
  test('where Slack refuses its own charts pictures say the same, on either ground', { timeout: TEST_MS }, async () => {
    stage.served.slack.settings.takesCharts = false;
    for (const [name, options] of [
      ['phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
      ['light', {}],
    ] as const) {
      const seat = await stage.sit(options);
      await seat.be('Erin');
      await seat.command('/proxy spend by country');
      await chartOf(seat.page, /^What left the account .* Left elsewhere \$/).waitFor();
      await seat.command('/proxy balance');
      await chartOf(seat.page, /^Balance from /).waitFor();
      await seat.page.waitForFunction(
        "[...document.querySelectorAll('img.picture')].every((img) => img.naturalWidth > 0)",
      );
      await picture(seat.page, `balance-picture-${name}`);
      expect(await fits(seat)).toBe(true);
    }
  });

  test('the inspector shows each payload with the time of its acknowledgement, to be copied as JSON', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = seat;
    await seat.be('Erin');
    await seat.command('/proxy balance');
    await seat.messageThatSays(/Balance: \$[\d,]+\.\d\d/).waitFor();
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
}
