import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/slack/index.ts';
import type { Batch } from '../../src/purchasing/model/batch.ts';
import { dueReminders } from '../../src/purchasing/rules/reminding.ts';
import { BUYER, BUYER2, CHANNEL, LEAD, LEAD2, type Office, STRANGER } from '../support/office.ts';
import { asked, cardOn, messagesAbout, officeWith, rowsOf, rowsReach } from '../support/renewing.ts';
import {
  cardWith,
  delivered,
  dmWith,
  hears,
  modalText,
  openDecision,
  press,
  refusalsIn,
  until,
} from '../support/steps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OWN = `channel: ${CHANNEL}, free_up_to: 5`;
const TWO = { approvals: `approvals: { ${OWN}, two_people_above: 3 }` };

const card = (office: Office, { id }: Batch) => office.slack.as(LEAD).read(cardOn(office, id));
const receipt = (office: Office, { id }: Batch) => {
  const [first] = messagesAbout(office, BUYER, id);
  return first ? office.slack.as(BUYER).read(first) : '';
};

function thread(office: Office, { id }: Batch): readonly string[] {
  const lea = office.slack.as(LEAD);
  return lea.screen.replies(cardOn(office, id)).map((message) => lea.read(message));
}

function inThread(office: Office, batch: Batch, words: string): Promise<string> {
  return until(() => {
    office.clock.advance(2_000);
    return thread(office, batch).find((text) => text.includes(words));
  }, `"${words}" under the card`);
}

/** What was refused of the batch is kept with its first row. */
async function refusals(office: Office, batch: Batch): Promise<readonly string[]> {
  const [first] = await rowsOf(office, batch);
  const record = await office.books.ledger.record(first?.id ?? '');
  return record ? refusalsIn(record) : [];
}

async function ask(office: Office, batch: Batch, question: string, as = LEAD): Promise<Message> {
  const person = await openDecision(office, batch.id, 'Ask a question', as);
  expect(modalText(person)).toContain(`renew ${batch.rows.length} orders`);
  await person.type('Question', question);
  await person.submit('Ask');
  const bea = office.slack.as(BUYER);
  const asks = (message: Message) => [question, '[Answer]'].every((words) => bea.read(message).includes(words));
  return bea.waitFor((screen) => screen.dm.findLast(asks));
}

async function openAnswer(office: Office, message: Message) {
  const bea = office.slack.as(BUYER);
  await bea.pressOn(message, 'Answer');
  await bea.waitFor((screen) => screen.modal?.submit);
  return bea;
}

describe('Nudge on a batch', () => {
  it('asks for a decision under its card, once an hour, and the requester sees that it did', async () => {
    const { office, orders } = await officeWith(2, { approvals: `approvals: { ${OWN}, remind_after: off }` });
    const batch = await asked(office, orders);
    await press(office, batch.id, 'Nudge', BUYER);
    const said = await inThread(office, batch, '@bea asks for a decision: renew 2 orders');
    expect(said).not.toContain('@leads');
    await dmWith(office, BUYER, 'You nudged the approvers');
    await press(office, batch.id, 'Nudge', BUYER);
    await hears(office, BUYER, 'nudged the approvers within the last hour already');
    office.clock.advance(61 * MINUTE);
    await press(office, batch.id, 'Nudge', BUYER);
    await until(() => thread(office, batch).length === 2);
    expect(await refusals(office, batch)).toEqual([`${BUYER} nudge: nudged_already`]);
  });

  it('counts once, however often Slack delivers it, and is nobody else’s', async () => {
    const { office, orders } = await officeWith(2, { approvals: `approvals: { ${OWN}, remind_after: off }` });
    const batch = await asked(office, orders);
    const delivery = await press(office, batch.id, 'Nudge', BUYER);
    await inThread(office, batch, 'asks for a decision');
    office.clock.advance(61 * MINUTE);
    await office.slack.redeliver(delivery);
    await delivered(office);
    expect(thread(office, batch)).toHaveLength(1);
    const stale = messagesAbout(office, BUYER, batch.id)[0];
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed');
    if (!stale) throw new Error('no receipt');
    await office.slack.as(BUYER).pressOn(stale, 'Nudge');
    await hears(office, BUYER, 'already approved by @lea');
    expect(thread(office, batch)).toHaveLength(1);
  });
});

describe('A question about a batch', () => {
  it('goes to the requester and under the card; question and answer show on card and receipt', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    const message = await ask(office, batch, 'All <!channel> three?');
    await inThread(office, batch, '@lea asks @bea');
    await cardWith(office, 'No answer yet');
    const bea = await openAnswer(office, message);
    await bea.type('Your answer', 'Yes, *all* of them');
    const { delivery } = await bea.submit('Answer');
    await cardWith(office, 'Yes, ＊all＊ of them');
    await dmWith(office, BUYER, 'Your answer');
    await delivered(office);
    for (const text of [card(office, batch), receipt(office, batch)])
      expect(text).toMatch(/@lea asked.*All .*three\?.*@bea answered.*all/s);
    if (delivery) await office.slack.redeliver(delivery);
    // The message as it was before it was answered.
    await bea.pressOn(message, 'Answer');
    await hears(office, BUYER, 'This question is answered already');
    await delivered(office);
    expect(thread(office, batch)).toHaveLength(2);
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed', 'completed');
  });

  it('is not asked by the requester, who may approve, nor answered by anybody else, nor of what is decided', async () => {
    const { office, orders } = await officeWith(2, {}, LEAD2);
    const batch = await asked(office, orders, LEAD2);
    await office.slack.as(LEAD2).close({ all: true });
    await press(office, batch.id, 'Ask a question', LEAD2);
    await hears(office, LEAD2, 'This is your own request');
    const lea = await openDecision(office, batch.id, 'Ask a question');
    await lea.type('Question', 'Why?');
    await press(office, batch.id, 'Withdraw', LEAD2);
    await rowsReach(office, batch, 'withdrawn', 'withdrawn');
    await lea.submit('Ask');
    expect(modalText(lea)).toContain('was withdrawn by @lou');
    expect(await refusals(office, batch)).toEqual([`${LEAD2} ask: own_purchase`, `${LEAD} ask: wrong_state`]);
  });
});

describe('Take back on a batch', () => {
  it('takes the first of two yeses back, from all rows, for whoever said it and nobody else', async () => {
    const { office, orders } = await officeWith(2, TWO);
    const batch = await asked(office, orders);
    await cardWith(office, 'Two people have to approve it');
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await cardWith(office, '@lea said yes to 2 orders; one more person has to');
    await press(office, batch.id, 'Take back', LEAD2);
    await hears(office, LEAD2, 'Only @lea, who said yes, can take it back');
    await press(office, batch.id, 'Approve', LEAD);
    await hears(office, LEAD, 'You have said yes already');
    const stale = cardOn(office, batch.id);
    const delivery = await press(office, batch.id, 'Take back', LEAD);
    await until(async () => (await rowsOf(office, batch)).every(({ firstApprover }) => firstApprover === null));
    await until(() => !card(office, batch).includes('said yes'));
    await (await openDecision(office, batch.id, 'Approve', LEAD2)).submit('Approve');
    await cardWith(office, '@lou said yes to 2 orders');
    await office.slack.redeliver(delivery);
    await office.slack.as(LEAD).pressOn(stale, 'Take back');
    await hears(office, LEAD, 'Only @lou, who said yes, can take it back');
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    await rowsReach(office, batch, 'completed', 'completed');
    expect(office.vendor.posts).toBe(4);
    await office.slack.as(LEAD).pressOn(stale, 'Take back');
    await hears(office, LEAD, 'already approved by @lou and @lea');
  });
});

describe('Ask again on a batch', () => {
  it('opens the choice with what came to nothing, and files nothing by itself', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    const lea = await openDecision(office, batch.id, 'Approve');
    await lea.tick(`Order ${orders[1]}`);
    await lea.type('Reason', 'nobody uses it');
    await lea.submit('Approve');
    await rowsReach(office, batch, 'completed', 'rejected', 'completed');
    const bea = office.slack.as(BUYER);
    await bea.close({ all: true });
    await press(office, batch.id, 'Ask again', BUYER);
    await bea.waitFor(/Renew several.*Balance: (?!reading)/s);
    expect(modalText(bea)).toContain(orders[1]);
    expect(modalText(bea)).not.toContain(orders[0]);
    expect(modalText(bea)).toContain('another month');
    await bea.submit('Review');
    expect(modalText(bea)).toContain(`Order ${orders[1]}`);
    await bea.submit('Ask for approval');
    await until(async () => (await office.records()).length === 7);
    expect(office.vendor.posts).toBe(5);
  });

  it('is not there as long as any of it waits', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    expect(receipt(office, batch)).not.toContain('[Ask again]');
    await press(office, batch.id, 'Withdraw', BUYER);
    await dmWith(office, BUYER, '[Ask again]');
    expect(receipt(office, batch)).not.toContain('[Withdraw]');
  });
});

describe('Show the answer on a batch', () => {
  it('is there for each row that has one, opens it for approvers and requester, and keeps who has looked', async () => {
    const { office, orders } = await officeWith(3);
    const batch = await asked(office, orders);
    office.vendor.next('renew', { name: 'refuse', message: 'No such plan' });
    await (await openDecision(office, batch.id, 'Approve')).submit('Approve');
    const rows = await rowsReach(office, batch, 'declined', 'completed', 'completed');
    await delivered(office);
    const lea = office.slack.as(LEAD);
    await lea.pickOn(cardOn(office, batch.id), 'Show the answer', `Order ${orders[0]}`);
    await lea.waitFor(/No such plan/);
    const looks = async () =>
      (await office.books.ledger.record(rows[0]?.id ?? ''))?.entries.filter(
        ({ detail }) => detail.kind === 'answer_opened',
      );
    await until(async () => (await looks())?.length === 1);
    const bea = office.slack.as(BUYER);
    const message = await dmWith(office, BUYER, '(Show the answer)');
    await bea.pickOn(message, 'Show the answer', `Order ${orders[2]}`);
    await bea.waitFor(/200/);
    await office.slack.as(BUYER2).pickOn(cardOn(office, batch.id), 'Show the answer', `Order ${orders[0]}`);
    await hears(office, BUYER2, 'Only the person who asked for this may do that');
  });
});

describe('A batch that nobody decides', () => {
  it('is told of under its card by each rung once, restarts and another process included, and others are mentioned at last', async () => {
    const approvals = `approvals: { ${OWN}, remind_after: [1h, 4h], escalate_after: 8h, escalate_to: [S0BOSSES] }`;
    const { office, orders } = await officeWith(2, { approvals });
    await office.slack.world.setGroup('S0BOSSES', { handle: 'bosses', members: [STRANGER] });
    const batch = await asked(office, orders);
    await office.another();
    const told = async (hours: number) => {
      office.clock.advance(hours * HOUR);
      await until(async () => {
        office.clock.advance(2_000);
        const { now, requests } = await office.books.outbox.undecidedFor(0);
        const { approvals: given } = office.policy;
        if (given.mode === 'off') return false;
        const due = requests.flatMap((request) => dueReminders(request, request.owed, now, given));
        return due.length === 0 && (await office.books.status.counts()).notices.count === 0;
      });
      return thread(office, batch);
    };
    const [first] = await told(1);
    expect(first).toMatch(/Still undecided for 1 h: renew 2 orders, for @bea\. Open until/);
    expect(first).toContain('@leads');
    await office.restart();
    expect(await told(1)).toHaveLength(1);
    expect(await told(2)).toHaveLength(2);
    const last = await told(4);
    expect(last).toHaveLength(3);
    expect(last[2]).toMatch(/@bosses.*Nobody has decided for 8 h/s);
    // The rows are told of together, also where only one of them still waits.
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
  });

  it('is told of under the new card where somebody has deleted the first', async () => {
    const { office, orders } = await officeWith(2);
    const batch = await asked(office, orders);
    await delivered(office);
    office.slack.world.deleteMessage(cardOn(office, batch.id));
    office.clock.advance(HOUR);
    await cardWith(office, '[Approve]');
    await inThread(office, batch, 'Still undecided for 1 h');
    expect(thread(office, batch)).toHaveLength(1);
  });
});
