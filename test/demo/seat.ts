import type { Locator, Page } from 'playwright-core';

const nobodyLooks = async (_at: 'form' | 'review'): Promise<void> => {};

/** One tab, as a person uses it: everything is found by what can be read, or heard from a screen reader. */
export class Seat {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The conversation. */
  get log(): Locator {
    return this.page.getByRole('log', { name: /^(Messages in|Direct messages)/ });
  }

  /** The newest message in sight. */
  get lastMessage(): Locator {
    return this.log.getByRole('article').last();
  }

  /** The last that says so: a chart may follow it. */
  messageThatSays(text: string | RegExp): Locator {
    return this.log.getByRole('article').filter({ hasText: text }).last();
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: /^Message #/ });
  }

  /** In the list of channels and apps. */
  row(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Channels and apps' }).getByRole('button', { name });
  }

  async be(name: string): Promise<void> {
    const button = this.page
      .getByRole('navigation', { name: 'Who you are' })
      .getByRole('button', { name: new RegExp(`^${name}`) });
    await button.click();
    await this.page.locator('[aria-pressed=true]', { hasText: name }).waitFor();
  }

  async go(where: 'general' | 'approvals' | 'Proxy Desk'): Promise<void> {
    await this.row(where).click();
    await this.page.getByRole('heading', { level: 1, name: where }).waitFor();
  }

  async command(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  get firstSteps(): Locator {
    return this.page.getByRole('complementary', { name: 'First steps' });
  }

  /** Opens the form with these rows and fills in the rest. */
  async fillForm(command: string, reason: string): Promise<void> {
    await this.command(command);
    await this.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await this.choose('Plan', 'Static residential, monthly');
    await this.dialog.getByLabel('Reason').fill(reason);
  }

  /** The whole way from the command to "Filed", by this button of the review. */
  async ask(command: string, button: string, { reason = 'A test', look = nobodyLooks } = {}): Promise<void> {
    await this.fillForm(command, reason);
    await look('form');
    await this.press('Review');
    await this.dialog.getByRole('button', { name: button, exact: true }).waitFor();
    await look('review');
    await this.press(button);
    await this.dialog.getByRole('heading', { name: 'Filed' }).waitFor();
    await this.page.keyboard.press('Escape');
    await this.dialog.waitFor({ state: 'detached' });
  }

  async choose(label: string, option: string): Promise<void> {
    const field = this.dialog.getByRole('combobox', { name: label });
    await field.click();
    await this.page.getByRole('option', { name: option }).click();
  }

  async press(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }

  async pressOnCard(name: string): Promise<void> {
    await this.lastMessage.getByRole('button', { name, exact: true }).click();
  }

  async see(text: string | RegExp, where: Locator = this.page.locator('body')): Promise<void> {
    await where.getByText(text).first().waitFor();
  }

  /** Whether these words of the newest message are below the edge of a folded text. */
  async isCutOff(words: string): Promise<boolean> {
    const [all, some] = await Promise.all(
      [this.lastMessage.locator('.section-text .text').first(), this.lastMessage.getByText(words, { exact: true })].map(
        (part) => part.boundingBox(),
      ),
    );
    if (!all || !some) throw new Error(`${words} is not there`);
    return some.y >= all.y + all.height;
  }
}
