import { addMonths } from 'date-fns/addMonths';
import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

const DAY_MS = 86_400_000;

const NOTE = '<!here> *for* the launch, see www.example.com';

/** The book on a phone, and what becomes of an order as its end comes nearer. It puts the clock forward, and never back. */
export function orderBook(stage: Stage): void {
  test('an order is found in the book, gets a note and is kept; before its end its owner is reminded, and its renewal is filed', {
    timeout: TEST_MS,
  }, async () => {
    const { vendor, sandbox } = stage.served;
    const ordersBefore = vendor.orders.length;
    const seat = await stage.sit({ viewport: PHONE });
    const { page } = seat;
    const list = () => page.getByRole('button', { name: 'Back to the list' }).click();
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    await seat.ask('/proxy buy CH 2', 'Buy now', { reason: 'Two in Zurich' });
    await seat.ask('/proxy buy AT 1', 'Buy now', { reason: 'One in Vienna' });
    await vendor.until(() => vendor.orders.length === ordersBefore + 2);
    const [kept = '', ending = ''] = vendor.orders.slice(ordersBefore).map(({ id }) => id);
    await list();
    await seat.go('Proxy Desk');
    await seat.see(new RegExp(ending), seat.log);
    await list();
    await seat.go('general');
    await seat.command('/proxy orders CH');
    await seat.see(new RegExp(`Order ${kept}`), seat.lastMessage);
    await picture(page, 'phone-orders');
    expect(await fits()).toBe(true);

    await seat.pressOnCard('Open');
    await seat.press('Note');
    await seat.dialog.getByLabel('Note').last().fill(NOTE);
    await seat.press('Save');
    await seat.see(NOTE, seat.dialog);
    await seat.press('Keep');
    await seat.dialog.getByRole('button', { name: 'Let it end' }).waitFor();
    await picture(page, 'phone-order');
    expect(await fits()).toBe(true);
    await page.keyboard.press('Escape');

    // To six days before the end, however long the month, and then to two.
    const now = sandbox.clock.now();
    await sandbox.putForward(addMonths(now, 1).getTime() - 6 * DAY_MS - now);
    await list();
    await seat.go('Proxy Desk');
    // Whatever else was told meanwhile may stand below it.
    const reminder = seat.messageThatSays(/Remind me tomorrow/);
    await seat.see(new RegExp(`Order ${ending}`), reminder);
    await picture(page, 'phone-reminder');
    expect(await fits()).toBe(true);
    await sandbox.putForward(4 * DAY_MS);
    await seat.see(/because the order is kept/, seat.log);
    await list();
    await seat.be('Clara');
    await seat.go('approvals');
    // A month may have ended meanwhile, and be reported below it.
    await seat.messageThatSays(/Filed by Proxy Desk itself/).waitFor();
    await picture(page, 'phone-kept');
    expect(await fits()).toBe(true);
  });
}
