import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** Time is put forward; the last of the tests, since it goes back for none. */
export function clock(stage: Stage): void {
  test('a day put forward is a new day for everybody: what waited has expired, and is told so at the new time', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.ask('/proxy buy JP 7', 'Ask for approval');
    const shown = page.getByRole('region', { name: "The sandbox's clock" }).getByRole('time');
    const before = await shown.textContent();
    await page.getByRole('button', { name: 'Put the clock forward by one day' }).click();
    await expect.poll(() => shown.textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Put the clock forward by one hour' }).click();
    await seat.go('Proxy Desk');
    await seat.see(/expired/i, seat.lastMessage);
    await seat.go('general');
    await seat.command('/proxy balance');
    await seat.see('Only visible to you', seat.lastMessage);
    // An answer of before may still be the last.
    await expect.poll(() => page.locator('.day').last().textContent()).toBe('Today');
    expect(await page.locator('.day').allTextContents()).toContain('Yesterday');
    await picture(page, 'clock');
    await page.reload();
    await shown.waitFor();
    expect(await shown.textContent()).not.toBe(before);
  });

  test('on a phone the clock is reached, and everything fits', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit({ viewport: PHONE, hasTouch: true });
    const shown = seat.page.getByRole('region', { name: "The sandbox's clock" }).getByRole('time');
    const before = await shown.textContent();
    await seat.page.getByRole('button', { name: 'Put the clock forward by seven days' }).tap();
    await expect.poll(() => shown.textContent()).not.toBe(before);
    await picture(seat.page, 'phone-clock');
    expect(await seat.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
}
