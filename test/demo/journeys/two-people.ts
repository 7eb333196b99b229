import { expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../browser.ts';
import { picture } from '../screenshots.ts';
import { type Stage, TEST_MS } from '../stage.ts';

const WILD = '<!channel> *bold* www.example.com';

/** More IPs than one person may approve: they are talked about, and two people decide. */
export function twoPeople(stage: Stage): void {
  test('two people decide: a nudge, a question and its answer, a yes that is taken back and said again, and the second', {
    timeout: TEST_MS,
  }, async () => {
    const { vendor } = stage.served;
    const posts = vendor.posts;
    const ada = await stage.sit({ viewport: PHONE });
    const clara = await stage.sit({ viewport: { ...DESKTOP, width: 1400 } });
    const list = () => ada.page.getByRole('button', { name: 'Back to the list' }).click();
    const fits = () => ada.page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    await ada.ask('/proxy buy NL 201', 'Ask for approval', { reason: 'The whole of the Netherlands' });
    await list();
    await ada.go('Proxy Desk');
    await ada.see(/201 IPs/, ada.lastMessage);
    await ada.pressOnCard('Nudge');
    await ada.see('You nudged the approvers', ada.lastMessage);
    await ada.pressOnCard('Nudge');
    await ada.see(/nudged the approvers within the last hour already/, ada.lastMessage);

    await clara.be('Clara');
    await clara.go('approvals');
    const card = clara.log.getByRole('article').filter({ hasText: 'The whole of the Netherlands' }).first();
    await clara.see('Two people have to approve it', card);
    await clara.see(/@Ada Brandt asks for a decision/, clara.log);
    const onCard = (name: string) => card.getByRole('button', { name, exact: true }).click();
    await onCard('Ask a question');
    await clara.dialog.getByLabel('Question').fill(`Until when? ${WILD}`);
    await clara.press('Ask');
    await clara.see('No answer yet', card);

    await ada.see(`Until when? ${WILD}`, ada.lastMessage);
    await picture(ada.page, 'phone-question');
    expect(await fits()).toBe(true);
    await ada.pressOnCard('Answer');
    await ada.dialog.getByLabel('Your answer').fill('Until the end of May');
    await ada.press('Answer');
    await clara.see('Until the end of May', card);

    await onCard('Approve');
    await clara.press('Approve');
    await clara.see(/@Clara Nilsson said yes/, card);
    await picture(clara.page, 'two-people');
    await onCard('Take back');
    await clara.page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click();
    await card.getByText(/@Clara Nilsson said yes/).waitFor({ state: 'detached' });
    await onCard('Approve');
    await clara.press('Approve');
    await clara.see(/@Clara Nilsson said yes/, card);
    // Not twice by one person.
    await onCard('Approve');
    await clara.see(/You have said yes already/, clara.log);
    expect(vendor.posts).toBe(posts);

    await clara.be('David');
    await clara.go('approvals');
    await onCard('Approve');
    await clara.press('Approve');
    await clara.see(/Approved by @Clara Nilsson and @David Cohen/, card);
    await ada.see(/Bought/, ada.lastMessage);
    expect(vendor.posts - posts).toBe(1);
    expect(await fits()).toBe(true);
  });
}
