import { expect, test } from 'vitest';
import { PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import type { Seat } from '../seat.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** What happens in a modal. */
export function forms(stage: Stage): void {
  test('a pasted list with a mistake names it; a right one fills the rows, and the focus comes back', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.fillForm('/proxy buy', '');
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

  test('a basket is saved on a phone, chosen, renamed and removed; somebody else’s list has no buttons for it', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ viewport: PHONE, hasTouch: true });
    await seat.fillForm('/proxy buy US 10, DE 5', '');
    await seat.press('Save this basket');
    const name = seat.dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('Crawler, Europe');
    await seat.see('15 IPs', seat.dialog);
    await picture(seat.page, 'save-basket');
    await seat.press('Save');
    await seat.see('Saved as “Crawler, Europe”.', seat.dialog);
    await picture(seat.page, 'saved-basket');

    await seat.press('Cancel');
    await seat.command('/proxy buy');
    await seat.choose('Saved baskets', 'Crawler, Europe');
    await seat.see('Added “Crawler, Europe”: 15 IPs.', seat.dialog);
    await expect.poll(() => values(seat, 'Quantity')).toEqual(['10', '5']);
    await picture(seat.page, 'chosen-basket');

    await seat.press('Manage');
    await seat.dialog.getByRole('heading', { name: 'Saved baskets' }).waitFor();
    await picture(seat.page, 'manage-baskets');
    await seat.press('Rename');
    await seat.dialog.getByRole('heading', { name: 'Rename basket' }).waitFor();
    expect(await name.inputValue()).toBe('Crawler, Europe');
    await name.fill('*Europe*');
    await seat.press('Rename');
    await seat.see('*Europe*', seat.dialog);
    await seat.press('Back');
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await seat.press('Cancel');

    const other = await stage.sit();
    await other.be('Ben');
    await other.command('/proxy buy');
    await other.press('Manage');
    await other.see('*Europe*', other.dialog);
    expect(await other.dialog.getByRole('button', { name: 'Remove' }).count()).toBe(0);

    await seat.command('/proxy buy');
    await seat.press('Manage');
    await seat.press('Remove');
    await seat.page.getByRole('alertdialog', { name: 'Remove this basket?' }).waitFor();
    await seat.page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    await seat.see('There are none.', seat.dialog);
    await seat.press('Back');
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    expect(await seat.dialog.getByRole('button', { name: 'Manage' }).count()).toBe(0);
  });

  test('an approver imports a list: what is wrong stands above it as it was, and what would be added is shown row by row', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.be('Clara');
    await seat.command('/proxy orders all');
    await seat.pressOnCard('Import');
    await seat.dialog.getByRole('heading', { name: 'Import orders' }).waitFor();
    const list = seat.dialog.getByRole('textbox');
    const header = 'order_id,product_id,countries,bought_on,owner,note';
    const wrong = `${header}\n9.0072E+15,lt-month,US 10; Atlantis 5,31.01.2026,ada,the crawler`;
    await list.fill(wrong);
    await seat.press('Review');
    await seat.see('Nothing was added', seat.dialog);
    await expect.poll(() => list.inputValue()).toBe(wrong);
    await picture(seat.page, 'import-wrong');
    await list.fill(
      `${header}\n9007199254749931,lt-monthly,US 10; DE 5,2026-01-31,U0ADA,the crawler\n9007199254749932,dc-monthly,FR 1,,,`,
    );
    await seat.press('Review');
    await seat.see('2 orders are to be added', seat.dialog);
    await picture(seat.page, 'import');
    await seat.press('Import');
    await seat.see('2 orders were added', seat.dialog);
    await seat.page.keyboard.press('Escape');
  });

  test("what is wrong stands at its field: first Slack's own checks, then the bot's", {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.command('/proxy buy');
    await seat.dialog.waitFor();
    await seat.dialog.getByLabel('Quantity').fill('0');
    await seat.press('Review');
    await seat.see('Please enter a number that is at least 1.', seat.dialog);
    await seat.see('Please complete this required field.', seat.dialog);
    await seat.dialog.locator('[aria-invalid=true]:focus').waitFor();
    await picture(seat.page, 'errors');
    await seat.choose('Plan', 'Datacenter, monthly');
    await seat.choose('Country', 'Spain');
    await seat.dialog.getByLabel('Quantity').fill('499');
    await seat.press('Add country');
    await expect.poll(() => seat.dialog.getByLabel('Quantity').count()).toBe(2);
    await seat.dialog.getByRole('combobox', { name: 'Country' }).nth(1).click();
    await seat.page.getByRole('option', { name: 'Italy' }).click();
    await seat.dialog.getByLabel('Quantity').nth(1).fill('9');
    await seat.dialog.getByLabel('Reason').fill('x');
    await seat.press('Review');
    await seat.see(/508 IPs in all/, seat.dialog);
    await seat.page.keyboard.press('Escape');
  });

  test('a select that is opened again starts on what is chosen, and Enter keeps it', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.command('/proxy buy US 3');
    await seat.choose('Plan', 'Static residential, quarterly');
    const plan = seat.dialog.getByRole('combobox', { name: 'Plan' });
    await plan.press('Enter');
    await page.getByRole('option', { name: 'Static residential, quarterly', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await plan.inputValue()).toBe('Static residential, quarterly');
    await plan.click();
    await page.getByRole('option', { name: 'Static residential, quarterly', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await plan.inputValue()).toBe('Datacenter, monthly');

    // The app is asked for what this one offers, and it says nothing without a letter.
    const country = seat.dialog.getByRole('combobox', { name: 'Country' });
    const chosen = await country.inputValue();
    await country.press('ArrowDown');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await country.inputValue()).toBe(chosen);
    await seat.dialog.waitFor();
  });

  test('Escape closes what is on top, wherever the focus is', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.fillForm('/proxy buy', '');
    await seat.press('Paste a list');
    await seat.dialog.getByRole('heading', { name: 'Paste a list' }).waitFor();
    await page.getByRole('textbox', { name: 'Balance' }).click();
    await page.keyboard.press('Escape');
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await page.getByRole('heading', { name: "The vendor's next answer" }).click();
    await page.keyboard.press('Escape');
    await seat.dialog.waitFor({ state: 'detached' });
    await page.locator('[data-composer]:focus').waitFor();
  });

  test('keys are enough: Tab stays in the modal, Escape closes it, and the focus is where it was', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
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
}

async function values(seat: Seat, label: string): Promise<string[]> {
  return Promise.all((await seat.dialog.getByLabel(label).all()).map((field) => field.inputValue()));
}
