import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

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

  test('the inspector shows each payload with the time of its acknowledgement, to be copied as JSON', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ permissions: ['clipboard-read', 'clipboard-write'] });
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
}
