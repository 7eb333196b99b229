import { expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import type { Seat } from '../seat.ts';
import { type Stage, TEST_MS } from '../stage.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const cell = (text: string) => ({ type: 'raw_text', text });

const SHORTCUTS = [
  { type: 'global', name: 'Buy proxies', callbackId: 'no_such_global', description: 'Opens the form' },
  { type: 'message', name: 'Buy what this says', callbackId: 'no_such_message', description: '' },
] as const;

/** The surfaces beside commands and messages; where no part of the bot answers, Slack and its client alone are looked at. */
export function surfaces(stage: Stage): void {
  /** Slack grants this for the length of a test; what nobody answers is given up soon. */
  async function granted(work: () => Promise<void>): Promise<void> {
    const { settings, deliveries } = stage.served.slack;
    const before = { ...settings };
    Object.assign(settings, { homeTabEnabled: true, shortcuts: SHORTCUTS, ackLimitMs: 200, allowLateAck: true });
    try {
      await work();
      await expect.poll(() => deliveries.every(({ ackMs, failure }) => ackMs !== null || failure !== null)).toBe(true);
    } finally {
      Object.assign(settings, before);
    }
  }

  const sent = (type: string) => stage.served.slack.deliveries.filter((delivery) => delivery.type === type).at(-1);
  const fits = (seat: Seat) => seat.page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  test('the Home tab follows what one asks for, and each person has their own', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit({ colorScheme: 'dark' });
    const { page } = seat;
    const home = page.getByRole('tabpanel', { name: 'Home' });
    const open = async () => {
      await seat.go('Proxy Desk');
      await page.getByRole('tab', { name: 'Home' }).click();
    };
    await open();
    await seat.see(/Balance: \$/, home);
    await home.getByRole('button', { name: 'Buy', exact: true }).click();
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await page.keyboard.press('Escape');
    await seat.go('general');
    await seat.ask('/proxy buy JP 33', 'Ask for approval', { reason: 'Prices in Tokyo' });
    await open();
    await seat.see(/Buy 33 IPs/, home);
    await picture(page, 'home-dark');
    await seat.be('Clara');
    await open();
    await seat.see('Waiting for your decision', home);
    await home.getByRole('button', { name: 'Reject' }).last().click();
    await seat.dialog.getByLabel('Reason').fill('Not now');
    await seat.press('Reject');
    await seat.dialog.waitFor({ state: 'detached' });
    await home.getByText(/Buy 33 IPs/).waitFor({ state: 'detached' });
    await picture(page, 'home-approver-dark');
    await seat.be('Frank');
    await open();
    await seat.see('You are not in a group that may use Proxy Desk', home);
  });

  test('the Home tab and the menus fit a phone', { timeout: TEST_MS }, () =>
    granted(async () => {
      const seat = await stage.sit({ viewport: PHONE, hasTouch: true });
      const { page } = seat;
      await page.getByRole('button', { name: 'Shortcuts' }).tap();
      await page.getByRole('menuitem', { name: 'Buy proxies' }).waitFor();
      await picture(page, 'phone-shortcuts');
      expect(await fits(seat)).toBe(true);
      await page.keyboard.press('Escape');
      await stage.post({ channel: 'C0GENERAL', text: 'US 10 until Friday' });
      await seat.see('US 10 until Friday', seat.lastMessage);
      await seat.lastMessage.getByText('US 10 until Friday').tap();
      const more = seat.lastMessage.getByRole('button', { name: 'More actions' });
      await expect
        .poll(() => more.evaluate((node) => getComputedStyle(node.closest('.toolbar') ?? node).opacity))
        .toBe('1');
      await more.tap();
      await page.getByRole('menuitem', { name: 'Buy what this says' }).waitFor();
      await picture(page, 'phone-message-menu');
      expect(await fits(seat)).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await seat.go('Proxy Desk');
      await page.getByRole('tab', { name: 'Home' }).click();
      await seat.see(/Balance: \$/);
      await seat.see('Your orders');
      await picture(page, 'phone-home');
      expect(await fits(seat)).toBe(true);
    }),
  );

  test(
    "the app's shortcuts are in the composer's menu and in that of every message, reached by keys",
    {
      timeout: TEST_MS,
    },
    () =>
      granted(async () => {
        const seat = await stage.sit();
        const { page } = seat;
        await page.getByRole('button', { name: 'Shortcuts' }).press('Enter');
        await page.locator('[role=menuitem]:focus', { hasText: 'Buy proxies' }).waitFor();
        await picture(page, 'shortcuts');
        await page.keyboard.press('Enter');
        await seat.see('Proxy Desk did not answer. Try again?');
        expect(sent('shortcut')?.body).toMatchObject({ callback_id: 'no_such_global', user: { username: 'ada' } });

        await seat.composer.fill('We need US 10 & DE 5');
        await seat.composer.press('Enter');
        await seat.see('We need US 10 & DE 5', seat.lastMessage);
        await seat.be('Ben');
        await seat.lastMessage.hover();
        await seat.lastMessage.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Buy what this says' }).waitFor();
        await page.keyboard.press('Escape');
        await page.locator('[aria-label="More actions"]:focus').press('Enter');
        await picture(page, 'message-menu');
        await page.getByRole('menuitem', { name: 'Buy what this says' }).click();
        await expect
          .poll(() => sent('message_action')?.body)
          .toMatchObject({
            callback_id: 'no_such_message',
            user: { name: 'ben' },
            message: { user: 'U0ADA', text: 'We need US 10 &amp; DE 5' },
          });
      }),
  );

  test('without shortcuts and a Home tab in the manifest there is nothing of them', { timeout: TEST_MS }, async () => {
    const { settings } = stage.served.slack;
    const before = { ...settings };
    Object.assign(settings, { homeTabEnabled: false, shortcuts: [] });
    try {
      const seat = await stage.sit();
      await seat.go('Proxy Desk');
      const tabs = seat.page.getByRole('tablist', { name: 'Proxy Desk' }).getByRole('tab');
      expect(await tabs.allTextContents()).toEqual(['Messages', 'About']);
      await seat.go('general');
      expect(await seat.page.getByRole('button', { name: 'Shortcuts' }).count()).toBe(0);
    } finally {
      Object.assign(settings, before);
    }
  });

  test(
    'several options are chosen by keys and by clicks, up to the most, and taken out again',
    {
      timeout: TEST_MS,
    },
    () =>
      granted(async () => {
        const seat = await stage.sit();
        const { page } = seat;
        const view = await stage.open('U0ADA', {
          type: 'modal',
          title: plain('Renew many'),
          submit: plain('Review'),
          blocks: [
            {
              type: 'input',
              block_id: 'orders',
              label: plain('Orders'),
              hint: plain('Those that end soon stand first.'),
              element: {
                type: 'multi_static_select',
                action_id: 'a',
                max_selected_items: 3,
                options: ['41', '42', '43', '52', '53'].map((id) => ({
                  text: plain(`Order ${id}, US 10, ends in 3 days`),
                  value: id,
                })),
              },
            },
          ],
        });
        const chosen = () =>
          Object.values(stage.served.slack.state.views[view]?.inputs ?? {}).map(({ value }) =>
            (value['selected_options'] as { value: string }[]).map((option) => option.value),
          );
        const field = seat.dialog.getByRole('combobox', { name: 'Orders' });
        await seat.press('Review');
        await seat.see('Please complete this required field.', seat.dialog);
        await field.fill('52');
        await field.press('Enter');
        await field.press('ArrowDown');
        await field.press('Enter');
        await expect.poll(chosen).toEqual([['52', '41']]);
        await page.getByRole('option', { name: /Order 53/ }).click();
        await seat.see('No more than 3 can be chosen');
        await picture(page, 'multi-select');
        await page.getByRole('option', { name: /Order 42/ }).click();
        await expect.poll(chosen).toEqual([['52', '41', '53']]);
        await field.press('Escape');
        await field.press('Backspace');
        await seat.dialog.getByRole('button', { name: /Remove Order 41/ }).click();
        await expect.poll(chosen).toEqual([['52']]);
        await seat.press('Review');
        await seat.see('We had some trouble connecting. Try again?', seat.dialog);
      }),
  );

  test('a table is drawn with its head, its alignment, and within its own width', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit({ viewport: PHONE });
    await stage.post({
      channel: 'C0GENERAL',
      text: 'x',
      blocks: [
        { type: 'section', text: mrkdwn('*What ends this week*') },
        {
          type: 'table',
          column_settings: [{}, { align: 'right' }, { is_wrapped: true }],
          rows: [
            ['Order', 'IPs', 'Countries', 'Owner', 'Ends', 'Plan'].map(cell),
            ...['41', '42'].map((id) =>
              [id, '15', 'US 10, DE 5, GB 3, NL 2, JP 1, FR 1', 'Ada Brandt', 'in 3 days', 'Residential'].map(cell),
            ),
          ],
        },
      ],
    });
    const table = seat.lastMessage.getByRole('table');
    await table.getByRole('columnheader', { name: 'Countries' }).waitFor();
    expect(await table.getByRole('row').nth(1).getByRole('cell').allTextContents()).toContain('in 3 days');
    await picture(seat.page, 'phone-table');
    expect(await fits(seat)).toBe(true);
  });

  test('a reply that was also sent to the channel stands in both, and leads to its thread', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ viewport: { ...DESKTOP, width: 1400 } });
    await seat.go('approvals');
    const { ts } = await stage.post({ channel: 'C0APPROVALS', text: 'Waits for two hours' });
    await stage.post({ channel: 'C0APPROVALS', text: 'Waits for four hours', thread_ts: ts, reply_broadcast: true });
    await seat.see('Waits for four hours', seat.lastMessage);
    await seat.lastMessage.getByRole('button', { name: 'Replied to a thread' }).click();
    const thread = seat.page.getByRole('region', { name: 'Thread' });
    await seat.see('Waits for two hours', thread);
    await seat.see('Waits for four hours', thread);
  });
}
