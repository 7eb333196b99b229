import { describe, expect, it } from 'vitest';
import { type LivePart, liveParts } from '../../sandbox/slack/index.ts';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import {
  approved,
  askFor,
  cardWith,
  command,
  decide,
  dmWith,
  file,
  filed,
  hears,
  openDecision,
  press,
  reaches,
  submitted,
} from '../support/steps.ts';

/** What people and vendors write, and what would be live in it. */
const FOREIGN = [
  '<@U0LEAD> <!channel> <!subteam^S0LEADS> <#C0GENERAL|general>',
  '@here @channel @everyone',
  'https://evil.example/x?y=1 www.evil.com evil.dev/a mailto:a@evil.com b@evil.com',
  '<https://evil.example|your bank>',
  '*bold* _it_ ~gone~ `code` ```block``` > quote :tada:',
  'R&amp;D &lt;test&gt; & < > "',
  'abc\u202edcba\u2066\u200b\u0000\u0007',
  '\u0ba3\u0bcd\u200d\u{1f468}\u200d\u{1f469}\u200d\u{1f466}',
  '{"type":"mrkdwn"} \\n $\u007bx} %s <script>alert(1)</script>',
];

describe('text from people', () => {
  it.each(FOREIGN.map((text) => [text]))('is letters and nothing more, wherever it is shown: %j', async (reason) => {
    const office = await openOffice();
    const heard = listen(office);
    const id = await file(office, 'US 10', BUYER, reason);
    await decide(office, id, 'Reject', LEAD, reason);
    await dmWith(office, BUYER, 'Rejected');
    await cardWith(office, 'Rejected');
    for (const text of ['requests', 'orders', `freeze ${reason}`, 'balance', 'buy US 1', 'unfreeze', reason])
      await command(office, text, LEAD);
    await hears(office, LEAD, 'no longer frozen');
    expect(heard.foreign()).toEqual([]);
    expect(heard.overrides()).toEqual([]);
  });

  it('is decoded once and escaped once, so that it reads as it was typed', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10', BUYER, 'R&amp;D &lt;test&gt;, and &amp;amp;lt; too');
    expect((await office.books.ledger.record(id))?.purchase.reason).toBe('R&D <test>, and &amp;lt; too');
    const card = office.slack.as(LEAD).read(await cardWith(office, 'Approval needed'));
    expect(card).toContain('Reason: R&D <test>, and &amp;lt; too');
    expect(card).not.toContain('&amp;amp;');
    const lea = await openDecision(office, id, 'Reject');
    await lea.type('Reason', 'a &lt; b');
    await lea.submit('Reject');
    await dmWith(office, BUYER, ': “a < b”');
  });

  it('of 500 characters of the widest kind fits everywhere', async () => {
    const office = await openOffice();
    for (const [reason, country] of [
      ['&'.repeat(500), 'US'],
      ['👨‍👩‍👦'.repeat(62), 'DE'],
      ['字'.repeat(500), 'FR'],
      ['\n'.repeat(250) + 'x'.repeat(250), 'NL'],
    ] as const) {
      const bea = await askFor(office, `${country} 10`, BUYER, reason);
      const { id } = await submitted(office, bea, 'Ask for approval');
      await cardWith(office, id);
      await decide(office, id, 'Reject', LEAD, reason);
      await reaches(office, id, 'rejected');
      await dmWith(office, BUYER, id);
    }
  });

  it('and 25 countries fit together on card, receipt and the card of an unknown outcome', async () => {
    const office = await openOffice();
    const codes = 'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR GS UM'.split(' ');
    office.vendor.next('create', { name: 'html', status: 502 });
    const id = await file(office, codes.map((code) => `${code} 20`).join(', '), BUYER, '&'.repeat(500));
    await decide(office, id, 'Approve');
    await reaches(office, id, 'unknown');
    const lea = await openDecision(office, id, 'It was placed');
    await lea.type('Note', '<'.repeat(500));
    await lea.submit('Settle');
    await reaches(office, id, 'completed');
    await cardWith(office, 'it is settled');
    await dmWith(office, BUYER, 'Settled as placed');
  });

  it('of a note is as harmless as that of a reason', async () => {
    const office = await openOffice();
    const heard = listen(office);
    office.vendor.next('create', { name: 'reset_before_answer' });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    const lea = await openDecision(office, purchase.id, 'It was placed');
    await lea.type('Note', FOREIGN.join(' ').slice(0, 480));
    await lea.submit('Settle');
    await dmWith(office, BUYER, 'Settled as placed');
    await cardWith(office, 'it is settled');
    expect(heard.foreign()).toEqual([]);
  });
});

describe('text from the vendor', () => {
  it.each(FOREIGN.map((text) => [text]))('is letters and nothing more: %j', async (msg) => {
    const office = await openOffice();
    const heard = listen(office);
    office.vendor.next('create', { name: 'refuse', message: msg });
    const { purchase } = await approved(office, 'US 10', 'declined');
    await dmWith(office, BUYER, 'Declined by the vendor');
    await cardWith(office, 'Declined by the vendor');
    await press(office, purchase.id, 'Show the answer', LEAD);
    await office.slack.as(LEAD).waitFor('The answer');
    expect(heard.foreign()).toEqual([]);
  });

  it('is cut when it is long, and told when it is not sent on at all', async () => {
    const office = await openOffice();
    office.vendor.next('create', { name: 'refuse', message: '<&>'.repeat(20_000) });
    await approved(office, 'US 10', 'declined');
    const receipt = office.slack.as(BUYER).read(await dmWith(office, BUYER, 'It says: “<&>'));
    expect(receipt.length).toBeLessThan(3_000);
    const id = await filed(office, await askFor(office, 'DE 10'), 'Ask for approval');
    await cardWith(office, id);
  });
});

/** Everything that is shown from now on: what is live in it beyond our own people, groups and dates, and links between our messages. */
function listen(office: Office) {
  const shown: { text?: string; blocks: Record<string, unknown>[] }[] = [];
  office.slack.on((event) => {
    if (event.type === 'message_posted' || event.type === 'message_edited') shown.push(event.message);
    if (event.type === 'view_opened' || event.type === 'view_updated') shown.push({ blocks: event.view.blocks });
  });
  const ours = ({ kind, target, bare }: LivePart) =>
    !bare &&
    ((kind === 'person' && [BUYER, LEAD].includes(target)) ||
      (kind === 'group' && target === 'S0LEADS') ||
      (kind === 'link' && /^https:\/\/example\.slack\.com\/archives\/[CD]\w+\/p\d+$/.test(target)) ||
      (kind === 'broadcast' && target === 'date'));
  // Beside blocks the text is what a phone's notification shows, where a bare domain is no link; a token still is one.
  const onlyNotified = (part: LivePart, content: (typeof shown)[number]) =>
    part.bare && part.kind === 'link' && part.at === '/text' && content.blocks.length > 0;
  return {
    foreign: () =>
      shown.flatMap((content) =>
        liveParts(content).flatMap((part) =>
          ours(part) || onlyNotified(part, content) ? [] : [`${part.kind} ${part.target} at ${part.at}`],
        ),
      ),
    overrides: () => shown.filter((content) => /[\u202a-\u202e\u2066-\u2069\0]/.test(JSON.stringify(content))),
  };
}
