import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

const DAY_MS = 86_400_000;

/** Nine in the morning of the next first, a minute late: so that it has come. */
function untilReport(now: number): number {
  const day = new Date(now);
  const due = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1, 9, 1);
  return due - now;
}

async function expectFigures(report: Locator): Promise<void> {
  const text = (await report.textContent()) ?? '';
  for (const part of ['By person', 'Sweden: ', 'Topped up: +$500.00', 'unexplained: −$48.00, 1 movement'])
    expect(text).toContain(part);
}

/** It puts the clock forward over the end of a month. */
export function monthlyReport(stage: Stage): void {
  test('on the first of the next month those who approve are told where the money went, with a CSV to download', {
    timeout: TEST_MS,
  }, async () => {
    const { sandbox, vendor } = stage.served;
    const now = () => sandbox.clock.now();
    const seat = await stage.sit({ viewport: PHONE, acceptDownloads: true });
    const { page } = seat;
    const before = Number(vendor.balance);
    // In a month of its own, so that what others have done with the money is not in it.
    await sandbox.putForward(untilReport(now()) + DAY_MS);
    await seat.ask('/proxy buy SE 2', 'Buy now', { reason: 'Two in Stockholm' });
    await vendor.until(() => Number(vendor.balance) < before);
    await sandbox.putForward(DAY_MS);
    // First nothing, so that the purchase is seen by itself.
    for (const [nth, change] of [0, -48, 500].entries()) {
      const balance = (Number(vendor.balance) + change).toFixed(2);
      vendor.balance = balance;
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await seat.go('general');
      await seat.command('/proxy balance');
      const shown = Number(balance).toLocaleString('en-US', { minimumFractionDigits: 2 });
      await seat.messageThatSays(`Balance: $${shown}`).waitFor();
      await page
        .getByRole('img', { name: /^Balance from / })
        .nth(nth)
        .waitFor();
    }
    const month = new Date(now()).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });
    await sandbox.putForward(untilReport(now()));
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await seat.be('Clara');
    await seat.go('approvals');
    const report = seat.messageThatSays(new RegExp(`${month}: \\$[\\d.,]+ spent by purchases`));
    await report.getByText(/spent by purchases/).scrollIntoViewIfNeeded();
    await expectFigures(report);
    await picture(page, 'phone-report');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await report.getByRole('button', { name: /1 reply/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /spending-\d{4}-\d\d\.csv/ }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^from,to,before,after,difference,kind,purchases/);
  });
}
