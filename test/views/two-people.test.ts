import { describe, expect, test } from 'vitest';
import { approvalCard, approveView } from '../../views/approval.ts';
import { statusMessage } from '../../views/status.ts';
import { NOW, RECORDS, readsAs, record, surroundings } from './fixture.ts';

const LEA = 'U0LEA';
const TWO = { besides: 0, dollars: null };
const yes = { seq: 9, at: NOW - 60_000, by: LEA, from: null, to: null, detail: { kind: 'first_yes' } } as const;
const asked = RECORDS.requested();
const saidYes = {
  purchase: { ...asked.purchase, firstApprover: LEA },
  entries: [...asked.entries, yes],
};
const card = (of = asked, twoPeople: typeof TWO | null = TWO) => readsAs(approvalCard(of, surroundings({ twoPeople })));

describe('where two people have to approve', () => {
  test('the card says so, with what the request was split from', () => {
    expect(card()).toMatch(/Two people have to approve it\./);
    expect(card(asked, null)).not.toMatch(/Two people/);
    expect(card(asked, { besides: 6, dollars: null })).toMatch(
      /with 6 IPs of other requests of @\w+ on the same plan within 24 hours, these are \d+ IPs/,
    );
  });

  test('card and status say who said yes, and the card lets them take it back', () => {
    expect(card(saidYes)).toMatch(/@\w+ said yes, .*; one more is needed/);
    expect(card(saidYes)).toContain('[Take back]');
    expect(card()).not.toContain('[Take back]');
    expect(card(saidYes, null)).not.toContain('one more is needed');
    expect(readsAs(statusMessage(saidYes, surroundings({ twoPeople: TWO })))).toMatch(
      /said yes, .*; one more is needed/,
    );
  });

  test('the modal of the first says that nothing is sent yet, that of the second that it is', () => {
    const view = (of: typeof asked) =>
      readsAs(approveView('d', { record: of, now: NOW, order: null, freeze: null, twoPeople: TWO, costs: new Map() }));
    expect(view(asked)).toMatch(/first of two yeses: nothing is sent before somebody else says yes too/);
    expect(view(saidYes)).toMatch(/sends exactly this to the vendor/);
    expect(view(saidYes)).toMatch(/said yes, .*; one more is needed/);
  });

  test('both stand on the card from then on', () => {
    const of = record({ ...RECORDS.completed().purchase, firstApprover: 'U0FIRST' });
    expect(card({ ...of, entries: RECORDS.completed().entries }, null)).toMatch(/Approved by @U0FIRST and @\w+/);
  });

  test.each([
    [0, /Nobody else can approve it at present/],
    [1, /Only one other person can approve it at present, and two have to/],
    [2, /^(?!.*at present)/s],
  ])('the requester is told where only %i others can', (othersWhoApprove, expected) => {
    expect(readsAs(statusMessage(asked, surroundings({ twoPeople: TWO, othersWhoApprove })))).toMatch(expected);
  });
});
