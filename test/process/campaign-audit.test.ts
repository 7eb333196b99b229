import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, LEAD2, LEAD3 } from '../support/people.ts';
import { type Shown, untimely } from './campaign/invariants.ts';
import type { Renewals } from './campaign/plan.ts';
import { auditRenewals } from './campaign/renewals-audit.ts';

// The campaign's audit is no use where it sees nothing: here it looks at ledgers that no bot may leave behind.

type ShownEntry = Shown['entries'][number];

const entry = (seq: number, from: string | null, to: string | null, more: Partial<ShownEntry> = {}): ShownEntry => ({
  seq,
  at: new Date(0).toISOString(),
  by: 'desk',
  from,
  to,
  ...more,
});

it('it sees a POST without a `sending`, before it, and long after it', () => {
  const at = (ms: number) => ({ at: new Date(ms).toISOString() });
  const tried = [
    entry(1, 'requested', 'approved', at(0)),
    entry(2, 'approved', 'sending', at(1_000)),
    entry(3, 'sending', 'approved', at(2_000)),
    entry(4, 'approved', 'sending', at(10_000)),
  ];
  const seen = (postedAt: number, entries = tried) => untimely({ id: 'P', entries }, postedAt);
  expect(seen(10_000)).toEqual([]);
  expect(seen(18_000)).toEqual([]);
  expect(seen(9_999)).toEqual(['P was sent 1 ms before its sending was committed']);
  expect(seen(18_001)).toEqual(['P was sent 8001 ms after its sending was committed']);
  expect(seen(1_500, tried.slice(0, 1))).toEqual(['P was sent, and has no entry of sending']);
});

const PLAN: Renewals = {
  together: { orders: ['1', '2'], by: LEAD3, decision: 'both at once', struck: '2' },
  kept: { order: '3', by: LEAD2, decision: 'approve' },
  deliveredTwice: 'at once',
};

const purchase = (id: string, orderId: string, over: Partial<Shown>): Shown => ({
  id,
  orderId,
  kind: 'renew',
  state: 'completed',
  requester: LEAD3,
  approver: LEAD,
  basket: [],
  attempts: 1,
  declinedHow: null,
  why: null,
  batch: 'B',
  reason: 'r',
  entries: [],
  ...over,
});

const decided = (seq: number, to: string, by: string) => entry(seq, 'requested', to, { by });
/** Approved, and sent between these lines. */
const sent = (from: number, until: number, by = LEAD) => [
  decided(1, 'approved', by),
  entry(from, 'approved', 'sending'),
  entry(until, 'sending', 'completed'),
];
const ROW = purchase('P1', '1', { entries: sent(10, 11) });
const STRUCK = purchase('P2', '2', { state: 'rejected', entries: [decided(2, 'rejected', LEAD)] });
const keptRow = (id: string, endsAt: number, more: readonly ShownEntry[] = []): Shown =>
  purchase(id, '3', {
    requester: BUYER,
    batch: null,
    entries: [entry(3, null, 'requested', { evidence: { kept: { by: LEAD2, endsAt } } }), ...more],
  });
const KEPT = keptRow('P3', 9, [decided(4, 'approved', LEAD)]);

describe('of renewals that were asked for together it sees', () => {
  it.for<[string, readonly Shown[], readonly string[]]>([
    ['nothing where all is well', [ROW, STRUCK, KEPT], []],
    [
      'two batches of one submit',
      [ROW, STRUCK, ...[ROW, STRUCK].map((row) => ({ ...row, batch: 'C' }))],
      ['one submit has filed 2 batches'],
    ],
    ['half a batch', [ROW], ['B holds 1']],
    ['a row that is filed twice', [ROW, ROW, STRUCK], ['B holds 1,1,2']],
    [
      'a row that its requester has approved',
      [{ ...ROW, entries: sent(10, 11, LEAD3) }, STRUCK],
      [
        `P1 of B was approved by its requester`,
        `P1 of B was approved by ${LEAD3}, who said nothing`,
        `B was decided by ${LEAD3} and ${LEAD}`,
      ],
    ],
    [
      'a row that was struck out and sent',
      [ROW, { ...STRUCK, state: 'completed', entries: sent(12, 13) }],
      [`P2, struck out by ${LEAD}, was approved`, `P2 was struck out by ${LEAD}, and sent`],
    ],
    [
      'rows that two have decided',
      [ROW, { ...STRUCK, state: 'approved', entries: [decided(2, 'approved', LEAD2)] }],
      [`B was decided by ${LEAD} and ${LEAD2}`],
    ],
    [
      'a row that was sent while another was unknown, and not after that was settled',
      [
        { ...ROW, entries: sent(13, 14, LEAD2) },
        {
          ...STRUCK,
          state: 'declined',
          entries: [...sent(10, 11, LEAD2), entry(12, 'completed', 'unknown'), entry(15, 'unknown', 'declined')],
        },
      ],
      ['P1 was sent while P2 of its batch was unknown'],
    ],
    [
      'nothing where it was sent after the other was settled',
      [
        { ...ROW, entries: sent(16, 17, LEAD2) },
        {
          ...STRUCK,
          state: 'declined',
          entries: [...sent(10, 11, LEAD2), entry(12, 'completed', 'unknown'), entry(15, 'unknown', 'declined')],
        },
      ],
      [],
    ],
  ])('%s', ([, shown, found]) => {
    expect(auditRenewals(shown, PLAN)).toEqual(found);
  });
});

describe('of an order that is kept it sees', () => {
  it.for<[string, readonly Shown[], readonly string[]]>([
    ['two renewals for one end', [KEPT, keptRow('P4', 9)], ['2 renewals were filed by order 3, end 9']],
    ['nothing where each has an end of its own', [KEPT, keptRow('P4', 10)], []],
    [
      'that whoever has said Keep approves it, or settles it',
      [keptRow('P3', 9, [decided(4, 'approved', LEAD2), entry(7, 'unknown', 'completed', { by: LEAD2 })])],
      [
        `P3 went from requested to approved by ${LEAD2}, who has said Keep`,
        `P3 went from unknown to completed by ${LEAD2}, who has said Keep`,
      ],
    ],
    [
      'that it is filed by another order, in another name, on nobody’s word',
      [
        {
          ...KEPT,
          orderId: '4',
          requester: LEAD3,
          entries: [entry(3, null, 'requested', { evidence: { kept: { by: LEAD, endsAt: 9 } } })],
        },
      ],
      [
        'P3 was filed by order 4, which nobody keeps',
        `P3 was filed on the word of ${LEAD}, and ${LEAD2} has said Keep`,
        `P3 was filed for ${LEAD3}, who does not own the order`,
      ],
    ],
  ])('%s', ([, shown, found]) => {
    expect(auditRenewals(shown, PLAN)).toEqual(found);
  });
});
