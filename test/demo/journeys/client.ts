import { expect, test } from 'vitest';
import { DESKTOP } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

/** The page behaves as Slack's own client does. */
export function client(stage: Stage): void {
  test('the app has the tabs of its manifest, read-only messages, and a wrong command is refused', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.command('/nothing');
    await seat.see(/\/nothing is not a valid command/);
    await seat.go('Proxy Desk');
    await seat.see('Sending messages to this app has been turned off.');
    const tabs = seat.page.getByRole('tablist', { name: 'Proxy Desk' }).getByRole('tab');
    expect(await tabs.allTextContents()).toEqual(['Home', 'Messages', 'About']);
  });

  test('what is typed after choosing a channel or a person goes into the message box', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.page.keyboard.type('one');
    expect(await seat.composer.inputValue()).toBe('one');
    await seat.be('Ben');
    await seat.page.keyboard.type('two');
    expect(await seat.composer.inputValue()).toBe('two');
    await seat.go('approvals');
    await seat.page.keyboard.type('/proxy bal');
    expect(await seat.composer.inputValue()).toBe('/proxy bal');
    await seat.page.keyboard.press('Tab');
    await seat.page.keyboard.press('Enter');
    await seat.see('Only visible to you', seat.lastMessage);
  });

  test('a reload takes private messages away and closes the modal; nothing brings them back', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.command('/proxy help');
    await seat.see('Only visible to you', seat.lastMessage);
    await seat.command('/proxy buy US 3');
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
    await page.reload();
    await seat.composer.waitFor();
    expect(await seat.dialog.count()).toBe(0);
    expect(await page.getByText('Only visible to you').count()).toBe(0);

    // The closed one is still known to Slack, and what happens to it is pushed to every page.
    const [root = ''] = stage.served.slack.state.stacks['U0ADA'] ?? [];
    const view = stage.served.slack.state.views[root];
    const [input] = Object.values(view?.inputs ?? {});
    if (!view || !input) throw new Error('The form is gone from Slack too');
    stage.served.slack.interactions.enter(view, input.blockId, input.actionId, input.value);
    await seat.command('/proxy help');
    await seat.see('Only visible to you', seat.lastMessage);
    expect(await seat.dialog.count()).toBe(0);
    expect(await page.getByText('Only visible to you').count()).toBe(1);

    await seat.command('/proxy buy US 2');
    await seat.dialog.getByRole('heading', { name: 'Buy proxies' }).waitFor();
  });

  test('direct messages and mentions are counted, other messages of a channel are only bold, and an edit is no news', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    await seat.be('Ben');
    await seat.go('approvals');
    await seat.go('Proxy Desk');
    await seat.go('general');
    const approvals = seat.row('approvals');
    const app = seat.row('Proxy Desk');
    await expect.poll(() => approvals.getAttribute('class')).toBe('row');

    const plain = await stage.post({ channel: 'C0APPROVALS', text: 'The vendor is slow today.' });
    await expect.poll(() => approvals.getAttribute('class')).toBe('row has-unread');
    expect(await approvals.textContent()).toBe('#approvals, unread');

    const direct = await stage.post({ channel: 'U0BEN', text: 'Your order ends in three days.' });
    await seat.see('1 unread', app);
    await seat.go('Proxy Desk');
    await seat.go('general');
    expect(await app.textContent()).toBe('PProxy Desk');
    stage.edit({ ...direct, text: 'Your order ends in two days.' });
    stage.edit({ ...plain, text: 'The vendor is slow today, <@U0BEN>.' });

    await stage.post({ channel: 'C0APPROVALS', text: '<@U0BEN>, look at this' });
    const ofAll = await stage.post({ channel: 'C0APPROVALS', text: '<!channel> and this' });
    await stage.post({ channel: 'C0APPROVALS', text: '<!subteam^S0LEADS> not you' });
    await seat.see('2 unread', approvals);
    // What was rung once stays rung, also when the mention is edited away; and after a reload.
    stage.edit({ ...ofAll, text: 'and this' });
    expect(await app.textContent()).toBe('PProxy Desk');
    await seat.page.reload();
    await seat.see('2 unread', approvals);
    await seat.page.getByRole('button', { name: /^Clara approver ?, \d+ unread/ }).waitFor();
    await picture(seat.page, 'unread');
    await seat.go('approvals');
    await expect.poll(() => approvals.getAttribute('class')).toBe('row');
  });

  test('a thread stands under its message, opens beside it, and people answer in it', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit({ viewport: { ...DESKTOP, width: 1400 } });
    const { page } = seat;
    await seat.go('approvals');
    const { ts } = await stage.post({ channel: 'C0APPROVALS', text: 'Which plan was meant?' });
    await stage.post({ channel: 'C0APPROVALS', text: 'The monthly one.', thread_ts: ts });
    const opener = seat.log.getByRole('button', { name: '1 reply' });
    await opener.waitFor();
    expect(await seat.log.getByText('The monthly one.').count()).toBe(0);

    await opener.click();
    const thread = page.getByRole('region', { name: 'Thread' });
    await seat.see('Which plan was meant?', thread);
    await seat.see('The monthly one.', thread);
    await page.keyboard.type('Thank you');
    await page.keyboard.press('Enter');
    await thread.getByRole('article', { name: 'Ada Brandt' }).getByText('Thank you').waitFor();
    await seat.log.getByRole('button', { name: '2 replies' }).waitFor();
    await page.keyboard.type('/proxy balance');
    await page.keyboard.press('Enter');
    await seat.see('/proxy is not supported in threads. Sorry!', thread);
    await picture(page, 'thread');

    // Somebody else sees it at the same place, and starts another one.
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
    await seat.be('Clara');
    await page.keyboard.type('Lunch?');
    await page.keyboard.press('Enter');
    await seat.lastMessage.getByText('Lunch?').waitFor();
    await seat.lastMessage.hover();
    await seat.lastMessage.getByRole('button', { name: 'Reply in thread' }).click();
    await page.keyboard.type('At one.');
    await page.keyboard.press('Enter');
    await thread.getByRole('article').getByText('At one.').waitFor();
    await page.reload();
    await thread.getByRole('article').getByText('At one.').waitFor();
    expect(await seat.log.getByRole('button', { name: /^\d+ repl/ }).allTextContents()).toHaveLength(2);
  });

  test('a thread whose first message is deleted can still be read', { timeout: TEST_MS }, async () => {
    const seat = await stage.sit();
    await seat.go('approvals');
    const parent = await stage.post({ channel: 'C0APPROVALS', text: 'Soon gone' });
    await stage.post({ channel: 'C0APPROVALS', text: 'Too late', thread_ts: parent.ts });
    await seat.see('Soon gone', seat.log);
    stage.served.slack.world.deleteMessage(parent);
    await seat.see('This message was deleted.', seat.lastMessage);
    await seat.lastMessage.getByRole('button', { name: '1 reply' }).click();
    await seat.see('Too late', seat.page.getByRole('region', { name: 'Thread' }));
  });

  test('a long text of a message is folded behind "See more", unless its block is expanded', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.go('approvals');
    const long = `*Reason*: ${'for the launch, '.repeat(60)}and <@U0BEN> knows the end`;
    const section = (text: string, more = {}) => ({ type: 'section', text: { type: 'mrkdwn', text }, ...more });
    await stage.post({ channel: 'C0APPROVALS', text: 'x', blocks: [section(long), section('Short')] });
    await seat.see('Short', seat.lastMessage);
    expect(await seat.isCutOff('@Ben Okafor')).toBe(true);
    expect(await seat.isCutOff('Reason')).toBe(false);
    await picture(page, 'folded');
    await seat.lastMessage.getByRole('button', { name: 'See more' }).click();
    await seat.lastMessage.getByRole('button', { name: 'See less' }).waitFor();
    expect(await seat.isCutOff('@Ben Okafor')).toBe(false);

    await stage.post({ channel: 'C0APPROVALS', text: 'x', blocks: [section(`${long} of it`, { expand: true })] });
    await seat.see('knows the end of it', seat.lastMessage);
    expect(await seat.isCutOff('@Ben Okafor')).toBe(false);
    expect(await seat.lastMessage.getByRole('button', { name: /^See (?:more|less)$/ }).count()).toBe(0);
    await stage.post({ channel: 'C0APPROVALS', text: 'x', blocks: [section('1\n2\n3\n4\n5\n*six*')] });
    await seat.lastMessage.getByRole('button', { name: 'See more' }).waitFor();
    expect(await seat.isCutOff('six')).toBe(true);
  });

  test('what the page cannot draw is loud, a limit of Slack is an error of Slack, and letters stay letters', {
    timeout: TEST_MS,
  }, async () => {
    const seat = await stage.sit();
    const { page } = seat;
    await seat.go('approvals');
    await stage.post({
      channel: 'C0APPROVALS',
      text: 'x',
      blocks: [
        { type: 'markdown', text: 'x' },
        { type: 'section', text: { type: 'plain_text', text: '&amp;lt;b&gt; *not bold* <@U0ADA>' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*bold* `<b>` <script>alert(1)</script> <!subteam^S0LEADS>', verbatim: true },
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              action_id: 'withdraw',
              value: 'x',
              text: { type: 'plain_text', text: 'Sure?' },
              confirm: {
                title: { type: 'plain_text', text: 'Are you sure?' },
                text: { type: 'plain_text', text: 'It cannot be undone.' },
                confirm: { type: 'plain_text', text: 'Yes' },
                deny: { type: 'plain_text', text: 'No' },
              },
            },
          ],
        },
      ],
    });
    await seat.see('unsupported: markdown', seat.lastMessage);
    await seat.see('&lt;b> *not bold* <@U0ADA>', seat.lastMessage);
    await seat.see('@proxy-leads', seat.lastMessage);
    await seat.pressOnCard('Sure?');
    const asked = page.getByRole('alertdialog', { name: 'Are you sure?' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await page.locator('[data-element]:focus', { hasText: 'Sure?' }).waitFor();
    await seat.pressOnCard('Sure?');
    await page.keyboard.press('F6');
    await page.locator('.tools :focus').waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });

    const tooLong = { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } };
    await expect(stage.post({ channel: 'C0APPROVALS', text: 'x', blocks: [tooLong] })).rejects.toThrow(
      'invalid_blocks',
    );
    await page.getByRole('tab', { name: /Inspector/ }).click();
    await seat.see(/chat.postMessage: invalid_blocks/);
    expect(stage.served.slack.takeViolations()).toHaveLength(1);
  });
}
