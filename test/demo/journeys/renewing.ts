import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** People renew several orders together, on a phone. */
export function renewing(stage: Stage): void {
  test('three orders are chosen, reviewed, approved but for one that is struck out, and told of', {
    timeout: TEST_MS,
  }, async () => {
    const { vendor } = stage.served;
    const seat = await stage.sit({ viewport: PHONE });
    const { page } = seat;
    const list = () => page.getByRole('button', { name: 'Back to the list' }).click();
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    const before = vendor.orders.length;
    await list();
    await seat.be('Hana');
    await seat.go('general');
    for (const content of ['IT 1', 'ES 1', 'PT 1']) await seat.ask(`/proxy buy ${content}`, 'Buy now');
    await vendor.until(() => vendor.orders.length === before + 3);
    const ids = vendor.orders.slice(before).map(({ id }) => id);
    const [, struckOut = ''] = ids;
    const posts = vendor.posts;
    await list();
    await seat.go('Proxy Desk');
    await seat.see(new RegExp(ids.at(-1) ?? ''));
    await list();
    await seat.go('general');

    await seat.command('/proxy renew');
    const field = seat.dialog.getByRole('combobox', { name: 'Orders' });
    for (const id of ids) {
      await field.fill(id);
      await page.getByRole('option', { name: new RegExp(id) }).click();
    }
    await field.press('Escape');
    await seat.dialog.getByLabel('Reason').fill('Another month for the launch');
    await picture(page, 'phone-renew-choice');
    expect(await fits()).toBe(true);
    await seat.press('Review');
    await seat.see('Renew 3 orders', seat.dialog);
    await seat.see('Needs approval', seat.dialog);
    await picture(page, 'phone-renew-review');
    expect(await fits()).toBe(true);
    await seat.press('Ask for approval');
    await seat.see('Filed', seat.dialog);
    await page.keyboard.press('Escape');

    await list();
    await seat.be('Clara');
    await seat.go('approvals');
    await seat.see('Approval needed: renew 3 orders', seat.lastMessage);
    await picture(page, 'phone-batch-card');
    expect(await fits()).toBe(true);
    await seat.pressOnCard('Approve');
    await seat.dialog.getByLabel(`Order ${struckOut}`).check();
    await seat.dialog.getByLabel('Reason').fill('Portugal alone will do');
    await picture(page, 'phone-batch-approve');
    await seat.press('Approve');
    await seat.see('2 completed, 1 rejected', seat.lastMessage);
    await picture(page, 'phone-batch-done');

    await list();
    await seat.be('Hana');
    await seat.go('Proxy Desk');
    await seat.see(/2 completed, 1 rejected/, seat.lastMessage);
    await picture(page, 'phone-batch-receipt');
    expect(await fits()).toBe(true);
    const renewals = vendor.orders.slice(before).map((order) => order.renewals);
    expect({ renewals, posts: vendor.posts - posts }).toEqual({ renewals: [1, 0, 1], posts: 2 });
    await seat.log.getByRole('button', { name: 'Ask again' }).last().click();
    await seat.see(new RegExp(struckOut), seat.dialog);
  });
}
