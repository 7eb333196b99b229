import { describe, expect, test } from 'vitest';
import type { OrderEntry, OrderEntryDetail } from '../../../src/purchasing/model/order.ts';
import type { OpenedOrder } from '../../../src/purchasing/order-book.ts';
import type { PurchaseRecord } from '../../../src/purchasing/ports/ledger.ts';
import { orderOf } from '../../../src/purchasing/rules/orders.ts';
import { handOverView, noteView, orderView } from '../../../views/orders/order.ts';
import {
  ANN,
  accepted,
  answered,
  asOrderId,
  attempt,
  buttonsOf,
  facts,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  move,
  NOW,
  RECORDS,
  RENEWAL,
  reading,
  readsAs,
  record,
  SAM,
} from '../fixture.ts';

const DAY = 86_400_000;
const ORDER = asOrderId('9007199254740993');
const BOUGHT = RECORDS.completed({ orderId: ORDER, attempt: attempt({ at: NOW - 20 * DAY }) });
const RENEWED = RECORDS.completed({ ...RENEWAL, id: 'p2', reason: 'another month', requester: ANN });
let seq = 0;
const said = (detail: OrderEntryDetail, by = SAM): OrderEntry => ({ seq: ++seq, at: NOW - DAY, by, detail });

function opened(
  { paid = [BOUGHT], entries = [] }: { paid?: readonly PurchaseRecord[]; entries?: readonly OrderEntry[] } = {},
  overrides: Partial<OpenedOrder> = {},
): OpenedOrder {
  const of = facts({
    orderId: ORDER,
    bought: paid.find(({ purchase }) => purchase.kind === 'buy')?.purchase ?? null,
    renewals: paid.flatMap(({ purchase }) => (purchase.kind === 'renew' ? [purchase] : [])),
    entries,
  });
  const order = orderOf(of);
  if (!order) throw new Error('there is no such order');
  return {
    order,
    facts: of,
    paid,
    open: [],
    keptInVain: null,
    now: NOW,
    endingWithinMs: 7 * DAY,
    mayChange: true,
    rights: new Set(['renew']),
    ...overrides,
  };
}

describe('an order’s modal', () => {
  test('tells what it is, until when, and each purchase with who, why, request and what the balance did', () => {
    const text = readsAs(orderView(opened({ paid: [BOUGHT, RENEWED] })));
    expect(text).toMatch(/Order 9007199254740993\nactive · ends about 2026-02-16, in 42 days, computed by us/);
    expect(text).toMatch(/Owner\n@U0SAM/);
    expect(text).toMatch(/15 IPs\n🇩🇪 Germany: 5\n🇺🇸 United States: 10/);
    expect(text).toMatch(
      /Renewed by @U0ANN.*request p2.*Balance \$20\.00 → \$12\.50 \(−\$7\.50\).*observed, not a quoted price.*Reason: another month.*Bought by @U0SAM, 2025-12-16 14:03 UTC \(20 days ago\).*request p1.*Approved by @U0ANN.*Reason: crawler for the Berlin team/s,
    );
  });

  test('tells what people said of it, who and when, the newest first', () => {
    const entries = [
      said({ kind: 'order_owner', owner: ANN, before: SAM }),
      said({ kind: 'order_note', note: 'for <!here>' }, ANN),
      said({ kind: 'order_note', note: '' }, ANN),
      said({ kind: 'order_intent', intent: 'keep', endsAt: null }, ANN),
      said({ kind: 'order_intent', intent: null, endsAt: null }, ANN),
    ];
    expect(readsAs(orderView(opened({ entries })))).toMatch(
      /What was said of it\nThat was taken back by @U0ANN, 2026-01-04.*\n“Keep” was said by @U0ANN.*\nNote removed by @U0ANN.*\nNote by @U0ANN, .*: “for <!here>”\nHanded over to @U0ANN by @U0SAM/,
    );
  });

  test('of an imported order says by whom, and as bought when', () => {
    const detail = {
      kind: 'order_imported',
      plan: MONTHLY,
      basket: [{ country: 'US', quantity: 4 }],
      boughtAt: NOW - 40 * DAY,
      owner: null,
      note: 'by hand',
    } as const;
    const text = readsAs(orderView(opened({ paid: [], entries: [said(detail, ANN)] })));
    expect(text).toMatch(/ended · ended about .*computed by us/);
    expect(text).toMatch(/Owner\nnobody/);
    expect(text).toMatch(/4 IPs\n🇺🇸 United States: 4/);
    expect(text).toMatch(/Note: by hand/);
    expect(text).toMatch(/Imported by @U0ANN.*: not bought by this bot; bought on 2025-11-26/);
  });

  test('of one that was only renewed says that the rest is not known', () => {
    const text = readsAs(orderView(opened({ paid: [RENEWED] })));
    expect(text).toMatch(/end not known.*What is in it is not known.*never saw it being bought, only renewed/s);
  });

  test('says that a renewal is under way', () => {
    const { purchase } = RECORDS.requested({ ...RENEWAL, id: 'p9' });
    const view = orderView(opened({}, { open: [purchase] }));
    expect(readsAs(view)).toMatch(/A renewal, asked for by @U0SAM, is waiting for approval \(request p9\)/);
  });

  test('has the buttons that whoever opens it may press', () => {
    const buttons = (overrides: Partial<OpenedOrder>) => buttonsOf(orderView(opened({}, overrides)));
    expect(buttons({})).toEqual(['Renew', 'Keep', 'Let it end', 'Hand over', 'Note']);
    expect(buttons({ rights: new Set(['approve']) })).toEqual(['Keep', 'Let it end', 'Hand over', 'Note']);
    expect(buttons({ mayChange: false })).toEqual(['Renew']);
    expect(buttons({ mayChange: false, rights: new Set(['buy']) })).toEqual(['Buy again']);
    expect(buttons({ mayChange: false, rights: new Set(['balance']) })).toEqual([]);
  });

  test.each([
    ['keep', 'Keep', 'Kept: to be renewed before it ends'],
    ['let_end', 'Let it end', 'To be let end'],
  ] as const)('shows that “%s” is pressed, by whom, and the way back', (intent, label, words) => {
    const { order } = opened();
    const entries = [said({ kind: 'order_intent', intent, endsAt: order.endsAt }, ANN)];
    const view = orderView(opened({ entries }));
    expect(readsAs(view)).toMatch(new RegExp(`${words}, said by @U0ANN, .*\\. Press ${label} again to take that back`));
    const pressed = JSON.stringify(view.blocks).match(
      /"text":"[^"]*","emoji":false\},"action_id":"[^"]*","value":"\d*","style":"primary"/g,
    );
    expect(pressed).toEqual([expect.stringMatching(new RegExp(`"text":"${label}".*"neither_keep_nor_let_end"`))]);
    expect(readsAs(orderView(opened({ entries }, { mayChange: false })))).not.toMatch(/Press/);
  });

  test('says at its top why a press did nothing', () => {
    expect(readsAs(orderView(opened(), 'Only the owner.'))).toMatch(/^.*⚠️ Only the owner\./s);
  });

  test('at its fullest is one that Slack takes, and nothing in it is live', () => {
    const foreign = '<!channel> <@U0EVE> https://evil.example &'.repeat(40);
    const why = foreign.slice(0, 500);
    const entries = [
      said({
        kind: 'order_imported',
        plan: { ...LONGEST_PLAN, name: why.slice(0, 75) },
        basket: Array.from({ length: 10 }, () => LONGEST_BASKET).flat(),
        boughtAt: NOW - DAY,
        owner: SAM,
        note: why,
      }),
      ...Array.from({ length: 200 }, () => said({ kind: 'order_note', note: why })),
    ];
    const long = RECORDS.completed({ ...RENEWAL, reason: why, plan: { ...LONGEST_PLAN, name: why.slice(0, 75) } });
    const settled = record({ ...long.purchase }, [
      ...long.entries,
      answered({ outcome: 'unknown', why: foreign, vendorText: foreign }),
      answered({ outcome: 'unknown', why: foreign, vendorText: foreign }, true),
      reading('1.00'),
      reading('2.00'),
      reading(null, { why: foreign }),
      move('sending', 'unknown'),
      move('unknown', 'completed', ANN, { note: why }),
    ]);
    const first = record({ ...settled.purchase, kind: 'buy', orderId: ORDER }, settled.entries);
    // As many as the order book hands out.
    const paid = [first, ...Array.from({ length: 12 }, () => settled)];
    const { purchase } = RECORDS.requested({ ...RENEWAL, id: 'p'.repeat(60) });
    const { order } = opened({ paid: [], entries });
    const open = Array.from({ length: 30 }, () => purchase);
    const view = accepted(orderView({ ...opened({ paid, entries }, { open }), order }));
    expect(view.blocks.length).toBeLessThanOrEqual(100);
    const ours = new Set([`<@${SAM}>`, `<@${ANN}>`]);
    expect(liveTokens(view).filter((token) => !ours.has(token))).toEqual([]);
  });
});

test('the views that lie on it name the order, and the note begins with what it is', () => {
  const entries = [said({ kind: 'order_note', note: 'for the crawler' })];
  expect(readsAs(handOverView('d', opened()))).toMatch(/Order 9007199254740993 belongs to @U0SAM.*New owner/s);
  const view = noteView('d', opened({ entries }));
  expect(readsAs(view)).toMatch(/On order 9007199254740993/);
  expect(JSON.stringify(view)).toContain('"initial_value":"for the crawler"');
  accepted(noteView('d', opened({ entries: [said({ kind: 'order_note', note: '𝒳'.repeat(500) })] })));
});
