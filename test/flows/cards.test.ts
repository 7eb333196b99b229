import { describe, expect, it } from 'vitest';
import { policyDigest, shortDigest } from '../../src/purchasing/model/policy-digest.ts';
import { BUYER, CHANNEL, LEAD, LEAD2, openOffice, policyOf } from '../support/office.ts';
import { allWait } from '../support/passing.ts';
import {
  askFor,
  cardOf,
  cardWith,
  command,
  decide,
  delivered,
  dmWith,
  file,
  filed,
  hears,
  openDecision,
  reaches,
  submitted,
  until,
} from '../support/steps.ts';

const LOST = { kind: 'reset', when: 'after' } as const;
const inChannel = ({ args }: { args: Record<string, unknown> }) => args['channel'] === CHANNEL;

describe('a card that was posted twice, since Slack’s answer was lost', () => {
  it.each([1, 2])(
    'leads to the one request, whichever copy is pressed first (%i), and the other says that it is decided',
    async (first) => {
      const office = await openOffice();
      office.slack.faults.add('chat.postMessage', LOST, { only: inChannel });
      const id = await filed(office, await askFor(office, 'US 10'), 'Ask for approval');
      await until(() => office.lines.some(({ message }) => message === 'a message could not be delivered'));
      office.clock.advance(2_000);
      const lea = office.slack.as(LEAD);
      const cards = await lea.waitFor((screen) => {
        const found = screen.channels['approvals'] ?? [];
        return found.length === 2 ? found : undefined;
      });
      await until(async () => (await office.books.outbox.placesOf(id)).length === 2);
      const [one, two] = first === 1 ? [cards[0], cards[1]] : [cards[1], cards[0]];
      if (!one || !two) throw new Error('two cards were expected');

      await lea.pressOn(one, 'Approve');
      await lea.waitFor((screen) => screen.modal?.submit);
      await lea.submit('Approve');
      await reaches(office, id, 'completed');
      await office.slack.as(LEAD2).pressOn(two, 'Approve');
      await hears(office, LEAD2, 'already approved by @lea');
      // No button is left on either of them.
      await lea.waitFor(
        (screen) => !screen.channels['approvals']?.some((card) => lea.read(card).includes('[Approve]')),
      );
      expect(office.vendor.posts).toBe(1);
    },
  );

  it('works also while the second posting has not happened yet', async () => {
    const office = await openOffice();
    office.slack.faults.add('chat.postMessage', LOST, { only: inChannel });
    const id = await filed(office, await askFor(office, 'US 10'), 'Ask for approval');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    office.clock.advance(2_000);
    await cardWith(office, 'Bought');
    expect(office.vendor.posts).toBe(1);
  });
});

describe('a card, channel or direct message that is gone', () => {
  it.each([
    ['is archived', { archived: true }, 'is_archived'],
    ['lost the bot', { hasBot: false }, 'not_in_channel'],
    ['is closed to apps', { refuses: 'restricted_action' } as const, 'restricted_action'],
    ['is private and lost the bot', { hasBot: false, isPrivate: true }, 'channel_not_found'],
  ])(
    'is told to the requester at once when the approvals channel %s, and the card follows once that is mended',
    async (_, change, code) => {
      const office = await openOffice();
      const before = office.slack.state.channels[CHANNEL];
      office.slack.world.setChannel(CHANNEL, change);
      const { id } = await submitted(office, await askFor(office, 'US 10'), 'Ask for approval');
      await dmWith(office, BUYER, `could not be posted in the approvals channel (${code})`);
      await reaches(office, id, 'requested');
      office.slack.world.setChannel(CHANNEL, {
        ...before,
        archived: false,
        hasBot: true,
        isPrivate: false,
        refuses: null,
      });
      office.clock.advance(60_000);
      await cardWith(office, id);
      await decide(office, id, 'Approve');
      await reaches(office, id, 'completed');
    },
  );

  it('does not repeat the purchase when the card was deleted before it could be updated', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    office.slack.world.deleteMessage(cardOf(office, id, 'Approve'));
    await lea.submit('Approve');
    await dmWith(office, BUYER, 'Bought');
    await until(() => office.slack.refusals('message_not_found').length > 0);
    office.clock.advance(10 * 60 * 1000);
    await office.restart();
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
    expect(office.slack.refusals('message_not_found')).toHaveLength(1);
  });

  it('still posts the card of an unknown outcome when the first one was deleted', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'html', status: 502 });
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    office.slack.world.deleteMessage(cardOf(office, id, 'Approve'));
    await lea.submit('Approve');
    await cardWith(office, 'It was not placed');
    await reaches(office, id, 'unknown');
  });

  it('passes the outcome on to the approvers, once, when the requester cannot be written to', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.slack.settings.messagesTabEnabled = false;
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.channels['approvals']?.length === 2);
    const [, passed] = lea.screen.channels['approvals'] ?? [];
    expect(passed && lea.read(passed)).toContain('Bought');
    // It stays owed to the requester, too, until Slack takes it.
    office.slack.settings.messagesTabEnabled = true;
    office.clock.advance(10 * 60 * 1000);
    await dmWith(office, BUYER, 'Bought');
    await until(async () => (await office.books.status.counts()).notices.count === 0);
    expect(lea.screen.channels['approvals']).toHaveLength(2);
  });

  it('writes no more to a requester whom the bot cannot see, and the approvers pass it on', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.slack.world.setPerson(BUYER, { refuses: 'user_not_visible' });
    await decide(office, id, 'Reject');
    await office.slack.as(LEAD).waitFor((screen) => screen.channels['approvals']?.length === 2);
    await delivered(office);
    office.clock.advance(60 * 60 * 1000);
    await office.restart();
    expect(office.slack.refusals('user_not_visible')).toHaveLength(1);
  });

  it.each(['invalid_auth', 'missing_scope', 'some_new_code'])(
    'brings a card up to date once Slack takes edits again, after %s',
    async (code) => {
      const office = await openOffice();
      const id = await file(office, 'US 10');
      office.slack.faults.add('chat.update', { kind: 'error', code }, { times: Infinity });
      await decide(office, id, 'Reject');
      await reaches(office, id, 'rejected');
      const failed = `SELECT 1 FROM notices WHERE kind = 'card' AND attempts > 0`;
      await until(async () => (await office.books.database.read((sql) => sql.all(failed))).length > 0);
      office.slack.faults.clear();
      office.clock.advance(10 * 60 * 1000);
      await cardWith(office, 'Rejected');
    },
  );

  it('leaves no storm behind where approvals are off and nobody can be written to', async () => {
    const office = await openOffice({ approvals: 'approvals: off' });
    office.slack.settings.messagesTabEnabled = false;
    office.vendor.next('create', { name: 'html', status: 502 });
    const bea = await askFor(office, 'US 1');
    await bea.submit('Buy now');
    const record = await until(async () => (await office.records())[0]);
    await reaches(office, record.purchase.id, 'unknown');
    const untried = 'SELECT 1 FROM notices WHERE pending = 1 AND attempts = 0';
    await until(async () => (await office.books.database.read((sql) => sql.all(untried))).length === 0);
    const posts = office.slack.callsTo('chat.postMessage').length;
    expect(posts).toBeLessThan(12);
    await command(office, 'requests');
    await hears(office, BUYER, 'unknown');
  });

  it('tells the requester where the card of an unknown outcome cannot be posted, and who settles it from where', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await delivered(office);
    const lea = await openDecision(office, id, 'Approve');
    office.slack.world.setChannel(CHANNEL, { archived: true });
    office.vendor.next('create', { name: 'reset_before_answer' });
    await lea.submit('Approve');
    await reaches(office, id, 'unknown');
    await dmWith(office, BUYER, 'could not be posted in the approvals channel (is_archived)');
    await dmWith(office, BUYER, 'Ask one of them to settle it from /proxy requests');
    office.slack.world.setChannel(CHANNEL, { archived: false });
    office.clock.advance(120_000);
    await cardWith(office, '[It was placed]');
  });

  it('leaves no storm behind where Slack takes no more calls and says to wait for no time', async () => {
    const office = await openOffice();
    office.slack.faults.add('chat.postMessage', { kind: 'rate_limit', retryAfter: 0 }, { times: Infinity });
    await (await askFor(office, 'US 10')).submit('Ask for approval');
    const posts = () => office.slack.callsTo('chat.postMessage').length;
    await until(() => posts() === 2);
    await allWait(office);
    expect(posts()).toBe(2);
    office.slack.faults.clear();
    office.clock.advance(1_000);
    await cardWith(office, '[Approve]');
    await dmWith(office, BUYER, '[Withdraw]');
  });

  it('tells the news after an outage of Slack, each once', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    const down = { times: Infinity };
    office.slack.faults.add('chat.postMessage', { kind: 'status', status: 503 }, down);
    office.slack.faults.add('chat.update', { kind: 'rate_limit', retryAfter: 30 }, down);
    await lea.submit('Approve');
    await reaches(office, id, 'completed');
    await until(() => office.slack.callsTo('chat.postMessage').some(({ fault }) => fault === 'status'));
    office.slack.faults.clear();
    office.clock.advance(60_000);
    await dmWith(office, BUYER, 'Bought');
    await cardWith(office, 'Bought');
    await office.slack.as(BUYER).waitFor((screen) => screen.dm.length === 2);
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
    expect(office.vendor.posts).toBe(1);
  });
});

describe('the policy by which a request is judged stands on its card', () => {
  it('as the one in force while it waits, and as the one that it was approved and sent by ever after', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await cardWith(office, `policy ${shortDigest(policyDigest(office.policy))}`);
    const next = policyOf({ limits: 'limits: { ips_per_order: 499 }' });
    const then = `policy ${shortDigest(policyDigest(next))}`;
    office.bot.usePolicy(next);
    office.clock.advance(10_000);
    await cardWith(office, then);
    await decide(office, id, 'Approve');
    const { entries } = await reaches(office, id, 'completed');
    office.bot.usePolicy(office.policy);
    office.clock.advance(10_000);
    await delivered(office);
    await cardWith(office, then);
    const judgedBy = entries.flatMap(({ to, detail }) =>
      detail.kind === 'transition' ? [[to, Reflect.get(detail.evidence, 'policy')]] : [],
    );
    expect(judgedBy).toEqual([
      ['requested', policyDigest(office.policy)],
      ['approved', policyDigest(next)],
      ['sending', policyDigest(next)],
      ['completed', undefined],
    ]);
  });
});
