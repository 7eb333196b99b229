import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/slack/index.ts';
import { dueReminders } from '../../src/purchasing/rules/reminding.ts';
import { CHANNEL, LEAD, LEAD2, type Office, openOffice, STRANGER } from '../support/office.ts';
import { cardOf, cardWith, decide, delivered, file, logged, reaches, until } from '../support/steps.ts';

const HOUR = 60 * 60 * 1000;
const APPROVALS = `channel: ${CHANNEL}, free_up_to: 5`;

/** What stands under the card, as it reads. */
function thread(office: Office, card: Message): string[] {
  const lea = office.slack.as(LEAD);
  return lea.screen.replies(card).map((message) => lea.read(message));
}

/** Seconds go by meanwhile: a pass of the delivery in whose middle the hours passed leaves what it has leased to the next. */
function inThread(office: Office, card: Message, words: string): Promise<string> {
  return until(() => {
    office.clock.advance(2_000);
    return thread(office, card).find((text) => text.includes(words));
  }, `"${words}" under the card`);
}

/** Time passes, and everything that is owed then is told: what the bot looks at once a second, it has looked at. */
async function pass(office: Office, ms: number): Promise<void> {
  office.clock.advance(ms);
  const { approvals } = office.policy;
  await until(async () => {
    office.clock.advance(2_000);
    const { now, requests } = await office.books.outbox.undecidedFor(0);
    const due =
      approvals.mode === 'off'
        ? []
        : requests.flatMap((request) => dueReminders(request, request.owed, now, approvals));
    return due.length === 0 && (await office.books.status.counts()).notices.count === 0;
  }, 'that all is told that is due');
}

describe('a request that nobody decides', () => {
  it('is told of in the card’s thread, with the group mentioned once a rung, ever more rarely', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await pass(office, HOUR);
    const first = await inThread(office, card, 'Still undecided for 1 h');
    expect(first).toMatch(/@leads/);
    await pass(office, HOUR);
    await pass(office, 2 * HOUR);
    await inThread(office, card, 'Still undecided for 4 h');
    await pass(office, 10 * HOUR);
    expect(thread(office, card)).toHaveLength(2);
    const channel = office.slack.as(LEAD).screen.channels['approvals'] ?? [];
    expect(channel).toHaveLength(1);
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
  });

  it('is told of once, though the bot restarts and another one runs beside it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await office.another();
    office.clock.advance(HOUR);
    await inThread(office, card, 'Still undecided for 1 h');
    await office.restart();
    await pass(office, 60_000);
    expect(thread(office, card)).toHaveLength(1);
  });

  it('is told of once where the bot was down for both rungs: the latest', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await delivered(office);
    await office.bot.stop();
    office.clock.advance(5 * HOUR);
    await office.restart();
    await inThread(office, card, 'Still undecided for 5 h');
    expect(thread(office, card)).toHaveLength(1);
  });

  it('is told of under the new card where somebody has deleted the first', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    office.slack.world.deleteMessage(cardOf(office, id, 'Approve'));
    office.clock.advance(HOUR);
    const card = await cardWith(office, '[Approve]');
    await inThread(office, card, 'Still undecided for 1 h');
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
  });

  it('is told of no more when it is decided meanwhile: that is looked at when it is about to be said', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await delivered(office);
    // Slack takes nothing for a while: the reminder waits.
    const down = office.slack.faults.add('chat.postMessage', { kind: 'status', status: 503 }, { times: Infinity });
    office.clock.advance(HOUR);
    await until(() => down.hits > 0);
    await decide(office, id, 'Reject');
    await reaches(office, id, 'rejected');
    office.slack.faults.clear();
    office.clock.advance(10 * 60_000);
    await delivered(office);
    expect(thread(office, card)).toEqual([]);
  });

  it('mentions others besides, once, who get no right by it', async () => {
    const office = await openOffice({
      approvals: `approvals: { ${APPROVALS}, remind_after: off, escalate_after: 8h, escalate_to: [S0BOSSES] }`,
    });
    await office.slack.world.setGroup('S0BOSSES', { handle: 'bosses', members: [STRANGER] });
    office.slack.world.setChannel(CHANNEL, { members: [LEAD, LEAD2, STRANGER] });
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await pass(office, 7 * HOUR);
    expect(thread(office, card)).toEqual([]);
    await pass(office, HOUR);
    expect(await inThread(office, card, 'Nobody has decided for 8 h')).toContain('@bosses');
    await pass(office, 4 * HOUR);
    expect(thread(office, card)).toHaveLength(1);
    await office.slack.as(STRANGER).pressOn(cardOf(office, id, 'Approve', STRANGER), 'Approve');
    await until(async () =>
      (await reaches(office, id, 'requested')).entries.some(({ detail }) => detail.kind === 'refused'),
    );
  });

  it('is left alone with approvals off, and where the policy says so', async () => {
    const office = await openOffice({ approvals: `approvals: { ${APPROVALS}, remind_after: off }` });
    const id = await file(office, 'US 10');
    const card = cardOf(office, id, 'Approve');
    await pass(office, 9 * HOUR);
    expect(thread(office, card)).toEqual([]);
  });
});

describe('the start says', () => {
  it('that those who are mentioned at last may decide nothing', async () => {
    const office = await openOffice({
      approvals: `approvals: { ${APPROVALS}, escalate_after: 8h, escalate_to: [S0TEAM, S0BUYERS, S0NOBODY] }`,
    });
    await logged(office, 'approvals.escalate_to: S0NOBODY could not be looked at');
    await office.slack.world.setGroup('S0NOBODY', { handle: 'nobody', members: [STRANGER] });
    await office.restart();
    await logged(office, 'nobody of S0NOBODY may approve; they are mentioned, and can decide nothing');
    // Lou is a buyer who may approve.
    expect(office.lines.filter(({ message }) => /nobody of S0(TEAM|BUYERS)/.test(message))).toEqual([]);
  });
});
