import { expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import type { Seat } from '../seat.ts';
import { type Stage, TEST_MS } from '../stage.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const button = (text: string, action_id: string) => ({ type: 'button', action_id, text: plain(text) });
const cell = (text: string) => ({ type: 'raw_text', text });

const HOME = (balance: string) => ({
  type: 'home',
  blocks: [
    { type: 'header', text: plain('Proxies') },
    {
      type: 'section',
      text: mrkdwn(`*Balance* ${balance}, asked just now`),
      accessory: button('Refresh', 'no_such_button'),
    },
    { type: 'divider' },
    { type: 'header', text: plain('Your orders') },
    ...['9007199254740993', '9007199254740994'].flatMap((id, index) => [
      { type: 'section', block_id: `order ${index}`, text: mrkdwn(`\`${id}\` · US 10, DE 5\nEnds in 3 days`) },
      { type: 'actions', elements: [button('Renew', 'no_such_renew'), button('Let it end', 'no_such_end')] },
    ]),
  ],
});

const SHORTCUTS = [
  { type: 'global', name: 'Buy proxies', callbackId: 'no_such_global', description: 'Opens the form' },
  { type: 'message', name: 'Buy what this says', callbackId: 'no_such_message', description: '' },
] as const;

/** The surfaces beside commands and messages, with what no part of the bot answers to: Slack and its client alone are looked at. */
export function surfaces(stage: Stage): void {
  /** Slack grants this for the length of a test; what nobody answers is given up soon. */
  async function granted(work: () => Promise<void>): Promise<void> {
    const { settings, deliveries } = stage.served.slack;
    const before = { ...settings };
    Object.assign(settings, { homeTabEnabled: true, shortcuts: SHORTCUTS, ackLimitMs: 200, allowLateAck: true });
    settings.events = [...settings.events, 'app_home_opened'];
    try {
      await work();
      await expect.poll(() => deliveries.every(({ ackMs, failure }) => ackMs !== null || failure !== null)).toBe(true);
    } finally {
      Object.assign(settings, before);
    }
  }

  const sent = (type: string) => stage.served.slack.deliveries.filter((delivery) => delivery.type === type).at(-1);
  const fits = (seat: Seat) => seat.page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  test(
    'the Home tab shows what the app has published, follows it, and tells of opening and of clicks',
    {
      timeout: TEST_MS,
    },
    () =>
      granted(async () => {
        const seat = await stage.sit({ colorScheme: 'dark' });
        const { page } = seat;
        await seat.go('Proxy Desk');
        await page.getByRole('tab', { name: 'Home' }).click();
        const home = page.getByRole('tabpanel', { name: 'Home' });
        await seat.see('Proxy Desk has put nothing here for you yet.', home);
        await expect.poll(() => sent('app_home_opened')?.body['event']).toMatchObject({ user: 'U0ADA', tab: 'home' });
        await stage.call('views.publish', { user_id: 'U0ADA', view: HOME('$1,000.00') });
        await seat.see('$1,000.00, asked just now', home);
        await picture(page, 'home-dark');
        await home.getByRole('button', { name: 'Renew' }).nth(1).click();
        await seat.see('We had some trouble connecting. Try again?', home);
        expect(sent('block_actions')?.body).toMatchObject({ container: { type: 'view' }, view: { type: 'home' } });
        await stage.call('views.publish', { user_id: 'U0ADA', view: HOME('$936.00') });
        await seat.see('$936.00, asked just now', home);
        // Somebody else has another one.
        await seat.be('Ben');
        await seat.see('Proxy Desk has put nothing here for you yet.', home);
        await expect.poll(() => sent('app_home_opened')?.user).toBe('U0BEN');
      }),
  );

  test('the Home tab and the menus fit a phone', { timeout: TEST_MS }, () =>
    granted(async () => {
      await stage.call('views.publish', { user_id: 'U0ADA', view: HOME('$1,000.00') });
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
      await seat.see('$1,000.00, asked just now');
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
