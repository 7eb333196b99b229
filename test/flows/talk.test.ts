import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/slack/index.ts';
import { BUYER, CHANNEL, LEAD, LEAD2, type Office, openOffice, policyOf } from '../support/office.ts';
import {
  cardOf,
  cardWith,
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

const MINUTE = 60_000;
const WILD = '<!channel> *bold* <@U0LEAD> www.example.com\nsecond line';

function thread(office: Office, card: Message): string[] {
  const lea = office.slack.as(LEAD);
  return lea.screen.replies(card).map((message) => lea.read(message));
}

function inThread(office: Office, card: Message, words: string): Promise<string> {
  return until(() => thread(office, card).find((text) => text.includes(words)), `"${words}" under the card`);
}

/** An approver asks, and the requester is told. @returns the message with the question. */
async function ask(office: Office, id: string, question: string, as = LEAD): Promise<Message> {
  const person = await openDecision(office, id, 'Ask a question', as);
  await person.type('Question', question);
  await person.submit('Ask');
  const bea = office.slack.as(BUYER);
  const asks = (message: Message) => [question, '[Answer]'].every((words) => bea.read(message).includes(words));
  return bea.waitFor((screen) => screen.dm.findLast(asks));
}

async function answer(office: Office, message: Message, text: string): Promise<void> {
  const bea = office.slack.as(BUYER);
  await bea.pressOn(message, 'Answer');
  await bea.waitFor((screen) => screen.modal?.submit);
  await bea.type('Your answer', text);
  await bea.submit('Answer');
}

describe('Nudge', () => {
  it('asks for a decision under the card and in the channel, from whom, and the requester sees that it did', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await press(office, id, 'Nudge', BUYER);
    const said = await inThread(office, card, '@bea asks for a decision: buy 10 IPs');
    expect(said).not.toContain('@leads');
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(2);
    await dmWith(office, BUYER, 'You nudged the approvers');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    expect(thread(office, card)).toHaveLength(1);
  });

  it('works once an hour, and says in how many minutes it does again', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, remind_after: off }` });
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await press(office, id, 'Nudge', BUYER);
    await inThread(office, card, 'asks for a decision');
    office.clock.advance(20 * MINUTE);
    await press(office, id, 'Nudge', BUYER);
    await hears(office, BUYER, /nudged the approvers within the last hour already\. You can again in (40|39) minutes/);
    office.clock.advance(40 * MINUTE);
    await press(office, id, 'Nudge', BUYER);
    await until(() => thread(office, card).length === 2);
    expect(refusalsIn(await reaches(office, id, 'requested'))).toEqual([`${BUYER} nudge: nudged_already`]);
  });

  it('counts once, however often Slack delivers it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    const delivery = await press(office, id, 'Nudge', BUYER);
    await inThread(office, card, 'asks for a decision');
    office.clock.advance(61 * MINUTE);
    await office.slack.redeliver(delivery);
    await delivered(office);
    expect(thread(office, card).filter((text) => text.includes('asks for a decision'))).toHaveLength(1);
  });

  it('is not there where nothing waits for a decision, nor with approvals off', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const message = await dmWith(office, BUYER, '[Nudge]');
    office.bot.usePolicy(policyOf({ approvals: 'approvals: off' }));
    await office.slack.as(BUYER).pressOn(message, 'Nudge');
    await hears(office, BUYER, 'requests are not decided in a channel, so this was passed on to nobody');
    office.bot.usePolicy(policyOf());
    await press(office, id, 'Withdraw', BUYER);
    await dmWith(office, BUYER, 'Withdrawn');
    await office.slack.as(BUYER).pressOn(message, 'Nudge');
    await hears(office, BUYER, 'was withdrawn by @bea');
    expect((await reaches(office, id, 'withdrawn')).entries.some(({ detail }) => detail.kind === 'nudge')).toBe(false);
  });
});

describe('Ask a question', () => {
  it('goes to the requester and under the card; the answer shows on the card and under it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    const message = await ask(office, id, 'Which project is it for?');
    expect(office.slack.as(BUYER).read(message)).toMatch(/@lea asks about your request.*Which project is it for\?/s);
    expect(await inThread(office, card, '@lea asks @bea')).toContain('Which project is it for?');
    await cardWith(office, 'No answer yet');
    await answer(office, message, 'The catalogue');
    await cardWith(office, '@bea answered');
    expect(await inThread(office, card, '@bea answers @lea')).toContain('The catalogue');
    const told = await dmWith(office, BUYER, 'Your answer');
    expect(office.slack.as(BUYER).read(told)).not.toContain('[Answer]');
    const record = await reaches(office, id, 'requested');
    expect(record.entries.map(({ by, detail }) => `${by} ${detail.kind}`)).toEqual(
      expect.arrayContaining([`${LEAD} question`, `${BUYER} question_answered`]),
    );
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    expect(thread(office, await cardWith(office, 'Bought'))).toHaveLength(2);
  });

  it('is shown as it was typed, and nothing in it is live', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await answer(office, await ask(office, id, WILD), WILD);
    await inThread(office, card, 'answers');
    await cardWith(office, 'answered');
    const lea = office.slack.as(LEAD);
    for (const reply of lea.screen.replies(card)) {
      expect(lea.read(reply)).toContain('<!channel> *bold* <@U0LEAD> www.example.com\nsecond line');
      expect(JSON.stringify(reply)).not.toMatch(/<!channel>|<@U0LEAD> www/);
    }
  });

  it('is answered to whoever has asked, where approvals have been switched off since', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const message = await ask(office, id, 'Which project is it for?', LEAD2);
    office.bot.usePolicy(policyOf({ approvals: 'approvals: off' }));
    await answer(office, message, WILD);
    const told = await dmWith(office, LEAD2, 'answers your question (buy 10 IPs');
    const text = office.slack.as(LEAD2).read(told);
    for (const words of ['Which project is it for?', WILD, id]) expect(text).toContain(words);
    expect(JSON.stringify(told)).not.toMatch(/<!channel>|<@U0LEAD> www/);
    await delivered(office);
    expect(office.slack.as(LEAD).screen.dm).toEqual([]);
  });

  it('may be asked several times, the last two on the card, each answered once and by the requester alone', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await ask(office, id, 'First?');
    const second = await ask(office, id, 'Second?', LEAD2);
    await answer(office, second, 'Yes');
    await ask(office, id, 'Third?');
    const card = office.slack.as(LEAD).read(await cardWith(office, 'Third?'));
    expect(card).not.toContain('First?');
    expect(card).toMatch(/Second\?.*“Yes”.*Third\?.*No answer yet/s);
    // The message as it was before it was answered.
    await office.slack.as(BUYER).pressOn(second, 'Answer');
    await hears(office, BUYER, 'This question is answered already');
    const record = await reaches(office, id, 'requested');
    expect(record.entries.filter(({ detail }) => detail.kind === 'question_answered')).toHaveLength(1);
  });

  it('is not asked by the requester, who may approve, and not where the request is decided', async () => {
    const office = await openOffice();
    const own = await file(office, 'US 10', LEAD2);
    await press(office, own, 'Ask a question', LEAD2);
    await hears(office, LEAD2, 'This is your own request');
    const id = await file(office, 'DE 10');
    const lea = await openDecision(office, id, 'Ask a question');
    await lea.type('Question', 'Why?');
    await press(office, id, 'Withdraw', BUYER);
    await reaches(office, id, 'withdrawn');
    await lea.submit('Ask');
    expect(modalText(lea)).toContain('was withdrawn by @bea');
  });

  it('wants an answer only as long as nobody has decided', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const message = await ask(office, id, 'Why?');
    await decide(office, id, 'Approve', LEAD2);
    await reaches(office, id, 'completed');
    await dmWith(office, BUYER, 'It was decided before there was an answer');
    await office.slack.as(BUYER).pressOn(message, 'Answer');
    await hears(office, BUYER, 'This request was already approved by @lou');
  });
});
