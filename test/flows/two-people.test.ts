import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, LEAD, LEAD2, type Office, openOffice, policyOf } from '../support/office.ts';
import {
  askFor,
  cardOf,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  file,
  hears,
  modalText,
  openDecision,
  press,
  reaches,
  refusalsIn,
  until,
} from '../support/steps.ts';

const LEAD3 = 'U0LEAD3';
const approvals = `approvals: { channel: ${CHANNEL}, free_up_to: 0, two_people_above: 10 }`;

async function officeOfThree(): Promise<Office> {
  const office = await openOffice({ approvals });
  office.slack.world.setPerson(LEAD3, { name: 'lin' });
  await office.slack.world.setGroup('S0LEADS', { members: [LEAD, LEAD2, LEAD3] });
  office.slack.world.setChannel(CHANNEL, { members: [LEAD, LEAD2, LEAD3, BUYER] });
  return office;
}

const kinds = async (office: Office, id: string) =>
  (await office.books.ledger.record(id))?.entries.map(({ by, detail }) => `${by} ${detail.kind}`) ?? [];

/** The first of two says yes, and the card shows it. */
async function firstYes(office: Office, id: string, as = LEAD): Promise<void> {
  await decide(office, id, 'Approve', as);
  await cardWith(office, 'said yes');
}

describe('more IPs than one person may approve', () => {
  it('are sent when two different people have said yes, and the review, card and messages tell of it on the way', async () => {
    const office = await officeOfThree();
    const bea = await askFor(office, 'US 11');
    expect(modalText(bea)).toMatch(/Needs approval by two people: more than 10 IPs on one plan within 24 hours do/);
    await bea.submit('Ask for approval');
    const card = await cardWith(office, 'Two people have to approve it');
    const id = (await office.records())[0]?.purchase.id ?? '';
    const lea = await openDecision(office, id, 'Approve');
    expect(modalText(lea)).toMatch(/the first of two yeses/);
    await lea.submit('Approve');
    await dmWith(office, BUYER, '@lea said yes');
    expect(lea.read(await cardWith(office, 'one more is needed'))).toContain('[Take back]');
    await reaches(office, id, 'requested');
    expect(office.vendor.posts).toBe(0);
    const lou = await openDecision(office, id, 'Approve', LEAD2);
    expect(modalText(lou)).toMatch(/@lea said yes.*sends exactly this to the vendor/s);
    await lou.submit('Approve');
    const { purchase } = await reaches(office, id, 'completed');
    expect(purchase).toMatchObject({ firstApprover: LEAD, approver: LEAD2 });
    await cardWith(office, 'Approved by @lea and @lou');
    expect(card.ts).toBe((await cardWith(office, 'Approved by')).ts);
    expect(office.vendor.posts).toBe(1);
  });

  it('are not sent on one person’s word twice, by button or by a modal that was opened before', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 11');
    const stale = await openDecision(office, id, 'Approve');
    const view = stale.screen.modal;
    if (!view) throw new Error('no modal');
    // Pressed twice: both are on their way before either is answered.
    await Promise.all([office.slack.interactions.submit(view), office.slack.interactions.submit(view)]);
    await cardWith(office, 'said yes');
    await press(office, id, 'Approve', LEAD);
    await hears(office, LEAD, 'You have said yes already');
    const record = await reaches(office, id, 'requested');
    expect(record.purchase.firstApprover).toBe(LEAD);
    expect(record.entries.filter(({ detail }) => detail.kind === 'first_yes')).toHaveLength(1);
  });

  it('are sent when two say yes at the same moment', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 11');
    const [lea, lou] = await Promise.all([
      openDecision(office, id, 'Approve', LEAD),
      openDecision(office, id, 'Approve', LEAD2),
    ]);
    await Promise.all([lea.submit('Approve'), lou.submit('Approve')]);
    const { purchase } = await reaches(office, id, 'completed');
    expect(new Set([purchase.firstApprover, purchase.approver])).toEqual(new Set([LEAD, LEAD2]));
    expect(office.vendor.posts).toBe(1);
  });

  it('wait for two again when the first takes the yes back, which nobody else can', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 11');
    await firstYes(office, id);
    await press(office, id, 'Take back', LEAD2);
    await hears(office, LEAD2, 'Only @lea, who said yes, can take it back');
    await press(office, id, 'Take back', LEAD);
    await until(async () => (await office.books.ledger.firstApprover(id)) === null);
    await cardWith(office, 'Two people have to approve it');
    await firstYes(office, id, LEAD2);
    await reaches(office, id, 'requested');
    await decide(office, id, 'Approve', LEAD3);
    expect((await reaches(office, id, 'completed')).purchase).toMatchObject({ firstApprover: LEAD2, approver: LEAD3 });
    expect(await kinds(office, id)).toEqual(
      expect.arrayContaining([`${LEAD} first_yes`, `${LEAD} first_yes_taken_back`, `${LEAD2} first_yes`]),
    );
  });

  it('are never approved by their requester, neither first nor second', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 11', LEAD2);
    await press(office, id, 'Approve', LEAD2);
    await hears(office, LEAD2, 'This is your own request');
    await firstYes(office, id);
    await press(office, id, 'Approve', LEAD2);
    await until(async () => refusalsIn(await reaches(office, id, 'requested')).length === 2);
    await decide(office, id, 'Approve', LEAD3);
    await reaches(office, id, 'completed');
  });

  it('are rejected by one', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 11');
    await firstYes(office, id);
    await decide(office, id, 'Reject', LEAD2);
    expect((await reaches(office, id, 'rejected')).purchase.approver).toBe(LEAD2);
    expect(office.vendor.posts).toBe(0);
  });

  it('are known to wait for one more in the list of requests', async () => {
    const office = await officeOfThree();
    const id = await file(office, 'US 12');
    await firstYes(office, id);
    await command(office, 'requests', LEAD2);
    expect(await hears(office, LEAD2, id)).toContain('@lea said yes; one more person has to');
  });

  it('count together where one person has asked for them in parts, on the cards of both', async () => {
    const office = await officeOfThree();
    const first = await file(office, 'US 6');
    await delivered(office);
    const second = await file(office, 'DE 6');
    const parts = 'with 6 IPs of other requests of @bea on the same plan within 24 hours, these are 12 IPs';
    const lea = office.slack.as(LEAD);
    await until(
      () =>
        [first, second].every((id) => {
          const card = lea.read(cardOf(office, id, 'Approve'));
          return card.includes('Two people have to approve it') && card.includes(parts);
        }),
      'that both cards say it',
    );
    for (const id of [first, second]) {
      await decide(office, id, 'Approve');
      await until(async () => (await office.books.ledger.firstApprover(id)) === LEAD);
      await reaches(office, id, 'requested');
    }
    for (const id of [first, second]) await decide(office, id, 'Approve', LEAD2);
    for (const id of [first, second]) await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(2);
  });

  it.each(['rejected', 'withdrawn'] as const)(
    'count together no more once the other part is %s: the card of the one that is left says so at once',
    async (state) => {
      const office = await officeOfThree();
      const first = await file(office, 'US 6');
      const second = await file(office, 'DE 6');
      const says = (words: string) =>
        office.slack
          .as(LEAD)
          .read(cardOf(office, first, 'Approve'))
          .includes(words);
      await until(() => says('Two people have to approve it'), 'that two are needed');
      await delivered(office);
      if (state === 'rejected') await decide(office, second, 'Reject');
      else await press(office, second, 'Withdraw', BUYER);
      await reaches(office, second, state);
      await until(() => !says('Two people have to approve it'), 'that one is enough');
      await decide(office, first, 'Approve');
      await reaches(office, first, 'completed');
    },
  );

  it('are not sent when either of the two has lost the right since', async () => {
    const office = await officeOfThree();
    await command(office, 'freeze checking', LEAD3);
    await cardWith(office, 'Spending was frozen');
    const id = await file(office, 'US 11');
    await firstYes(office, id);
    await decide(office, id, 'Approve', LEAD2);
    await reaches(office, id, 'approved');
    await office.slack.world.setGroup('S0LEADS', { members: [LEAD2, LEAD3] });
    await command(office, 'unfreeze', LEAD3);
    expect((await reaches(office, id, 'declined')).purchase.why).toBe(
      'the approver no longer has the right to approve',
    );
    expect(office.vendor.posts).toBe(0);
  });

  it('are not sent on one word where the policy asks for two since', async () => {
    const office = await officeOfThree();
    office.bot.usePolicy(policyOf({}));
    await command(office, 'freeze checking', LEAD3);
    await cardWith(office, 'Spending was frozen');
    const id = await file(office, 'US 11');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    office.bot.usePolicy(policyOf({ approvals }));
    await command(office, 'unfreeze', LEAD3);
    expect((await reaches(office, id, 'declined')).purchase.why).toBe('it now needs two approvals, and has one');
  });
});

describe('what else somebody waits for, when one of their requests comes to nothing', () => {
  /** Of which requests a message is edited until that one is over and its card says so. */
  async function editedWhile(office: Office, ids: readonly string[], rejected: string): Promise<readonly string[]> {
    const before = office.slack.callsTo('chat.update').length;
    await decide(office, rejected, 'Reject');
    await reaches(office, rejected, 'rejected');
    await delivered(office);
    const edits = office.slack
      .callsTo('chat.update')
      .slice(before)
      .map(({ rawBody }) => rawBody);
    return ids.filter((id) => edits.some((body) => body.includes(id)));
  }

  it.each([
    ['no rule asks for two', 'free_up_to: 0', 'US 11', 0],
    ['two are asked for, and nothing comes to so much', 'free_up_to: 0, two_people_above: 100', 'US 11', 0],
    ['two have to approve it, together with that', 'free_up_to: 0, two_people_above: 20', 'US 11', 2],
  ])('is edited only where it tells of it: where %s', async (_, rule, typed, edited) => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, ${rule} }` });
    const ids: string[] = [];
    for (const country of ['US', 'DE', 'FR']) ids.push(await file(office, typed.replace('US', country)));
    await delivered(office);
    const [rejected = '', ...others] = ids;
    const found = await editedWhile(office, others, rejected);
    expect(found).toHaveLength(edited);
  });
});
