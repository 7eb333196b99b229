import type { Locator, Page } from 'playwright-core';

/** One tab, as a person uses it: everything is found by what can be read, or heard from a screen reader. */
export class Seat {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The newest message in sight. */
  get lastMessage(): Locator {
    return this.page.getByRole('log').getByRole('article').last();
  }

  async be(name: string): Promise<void> {
    const button = this.page
      .getByRole('navigation', { name: 'Who you are' })
      .getByRole('button', { name: new RegExp(`^${name}`) });
    await button.click();
    await this.page.locator('[aria-pressed=true]', { hasText: name }).waitFor();
  }

  async go(place: 'general' | 'approvals' | 'Proxy Desk'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Channels and apps' }).getByRole('button', { name: place }).click();
    await this.page.getByRole('heading', { level: 1, name: place }).waitFor();
  }

  async command(text: string): Promise<void> {
    const box = this.page.getByRole('textbox', { name: /^Message #/ });
    await box.fill(text);
    await box.press('Enter');
  }

  /** Opens the form with these rows and fills in the rest. */
  async fillForm(rows: string, reason: string): Promise<void> {
    await this.command(`/proxy buy ${rows}`);
    await this.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await this.choose('Plan', 'Static residential, monthly');
    await this.dialog.getByLabel('Reason').fill(reason);
  }

  async choose(label: string, option: string): Promise<void> {
    const field = this.dialog.getByRole('combobox', { name: label });
    await field.click();
    await this.page.getByRole('option', { name: option }).click();
  }

  async press(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }

  async askForApproval(rows: string, reason: string): Promise<void> {
    await this.fillForm(rows, reason);
    await this.press('Review');
    await this.press('Ask for approval');
    await this.dialog.getByRole('heading', { name: 'Filed' }).waitFor();
    await this.page.keyboard.press('Escape');
    await this.dialog.waitFor({ state: 'detached' });
  }

  async pressOnCard(name: string): Promise<void> {
    await this.lastMessage.getByRole('button', { name, exact: true }).click();
  }

  async see(text: string | RegExp, where: Locator = this.page.locator('body')): Promise<void> {
    await where.getByText(text).first().waitFor();
  }
}
