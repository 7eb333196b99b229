import { expect, it } from 'vitest';
import type { ApiCall } from '../../sandbox/slack/index.ts';
import { BUYER, type Office, openOffice } from '../support/office.ts';
import { allWait } from '../support/passing.ts';
import { cardWith, decide, delivered, dmWith, file, reaches, until } from '../support/steps.ts';

const edits = ({ slack }: Office) => slack.callsTo('chat.update');
const contentOf = ({ args }: ApiCall) => JSON.stringify([args['text'], args['blocks']]);

/** The edits that made of a message what it was already. */
function editedForNothing(office: Office): readonly ApiCall[] {
  const standing = new Map(
    office.slack.callsTo('chat.postMessage').map((call) => [call.answer?.['ts'], contentOf(call)]),
  );
  return edits(office).filter((call) => {
    const before = standing.get(call.args['ts']);
    standing.set(call.args['ts'], contentOf(call));
    return before === contentOf(call);
  });
}

/** All that is to be said of it is said, and nobody is at work. */
async function comesToRest(office: Office, id: string, readings: number): Promise<void> {
  await until(async () => {
    const { entries = [] } = (await office.books.ledger.record(id)) ?? {};
    return entries.filter(({ detail }) => detail.kind === 'reading').length === readings;
  }, `reading ${readings}`);
  await delivered(office);
  await allWait(office);
}

it('of a purchase, its readings included, make no message what it is already, and leave each as it must be', async () => {
  const office = await openOffice();
  const id = await file(office, 'US 10');
  await delivered(office);
  await decide(office, id, 'Approve');
  await reaches(office, id, 'completed');
  await comesToRest(office, id, 1);
  const before = edits(office).length;
  office.clock.advance(10_000);
  await comesToRest(office, id, 2);
  office.clock.advance(60_000);
  await comesToRest(office, id, 3);
  // They read the same balance.
  expect(edits(office)).toHaveLength(before);
  expect(editedForNothing(office)).toEqual([]);

  const ends = ['Bought', 'Approved by @lea', 'Balance $1,000.00 → $968.00 (−$32.00)', 'Order 9007199254740993'];
  const card = office.slack.as(BUYER).read(await cardWith(office, id));
  const receipt = office.slack.as(BUYER).read(await dmWith(office, BUYER, '[Show the answer]'));
  for (const words of ends) {
    expect(card).toContain(words);
    expect(receipt).toContain(words);
  }
  expect(card).not.toContain('[Approve]');
  expect(receipt).not.toContain('[Withdraw]');
});

it('are made again where a reading says something else', async () => {
  const office = await openOffice();
  office.vendor.next('create', { name: 'refuse' });
  const id = await file(office, 'US 10');
  await decide(office, id, 'Approve');
  await reaches(office, id, 'declined');
  await comesToRest(office, id, 1);
  office.vendor.balance = '968.00';
  office.clock.advance(10_000);
  await reaches(office, id, 'unknown');
  await cardWith(office, 'the balance fell');
  await dmWith(office, BUYER, 'This was told to you as declined; it has changed since');
  await delivered(office);
  expect(editedForNothing(office)).toEqual([]);
});
