import { describe, expect, test } from 'vitest';
import type { OrderEntry, OrderEntryDetail, OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Purchase, State } from '../../src/purchasing/model/purchase.ts';
import { decideOrderSaying, type OrderSaying, orderOf, orderState } from '../../src/purchasing/rules/orders.ts';
import type { Allowed } from '../../src/purchasing/rules/rights.ts';
import { attempt, facts, MONTHLY, purchase, YEARLY } from '../views/fixture.ts';

const DAY = 86_400_000;
const JAN_31 = Date.UTC(2026, 0, 31, 12);
const FEB_28 = Date.UTC(2026, 1, 28, 12);
const MAR_31 = Date.UTC(2026, 2, 31, 12);
const ANN = 'U0ANN';
const BEN = 'U0BEN';
const CARL = 'U0CARL';

const bought = purchase({ state: 'completed', requester: ANN, attempt: attempt({ at: JAN_31 }) });
const renewal = (at: number, by = BEN, plan = MONTHLY) =>
  purchase({ kind: 'renew', state: 'completed', requester: by, plan, attempt: attempt({ at }) });
let seq = 0;
const said = (detail: OrderEntryDetail, by = ANN): OrderEntry => ({ seq: ++seq, at: JAN_31, by, detail });
const imported = (over: object = {}) =>
  said({
    kind: 'order_imported',
    plan: MONTHLY,
    basket: [{ country: 'US', quantity: 10 }],
    boughtAt: JAN_31,
    owner: CARL,
    note: 'by hand',
    ...over,
  });
const intent = (intent: 'keep' | 'let_end' | null, endsAt: number | null) =>
  said({ kind: 'order_intent', intent, endsAt });

describe('an order is what the ledger’s lines add up to', () => {
  test.each<[string, Partial<OrderFacts>, object | null]>([
    ['never seen: there is none', {}, null],
    [
      'bought: its requester owns it',
      { bought },
      { source: 'bought', owner: ANN, endsAt: FEB_28, renewals: 0, note: null },
    ],
    [
      'renewed: by the plan last paid',
      { bought, renewals: [renewal(JAN_31, BEN, YEARLY)] },
      { owner: ANN, plan: YEARLY, renewals: 1 },
    ],
    [
      'only renewed: its content and end are not known',
      { renewals: [renewal(JAN_31)] },
      { source: 'renewed', owner: BEN, basket: [], quantity: null, boughtAt: null, endsAt: null },
    ],
    [
      'imported: as it was written down',
      { entries: [imported()] },
      { source: 'imported', owner: CARL, quantity: 10, boughtAt: JAN_31, endsAt: FEB_28, note: 'by hand' },
    ],
    [
      'imported without a date: its end is not known',
      { entries: [imported({ boughtAt: null, owner: null, note: null })] },
      { owner: null, note: null, boughtAt: null, endsAt: null },
    ],
    [
      'imported and bought: what the bot did counts',
      { bought, entries: [imported()] },
      { source: 'bought', owner: ANN, note: 'by hand' },
    ],
    [
      'handed over: the latest owner',
      {
        bought,
        entries: [
          said({ kind: 'order_owner', owner: BEN, before: ANN }),
          said({ kind: 'order_owner', owner: CARL, before: BEN }),
        ],
      },
      { owner: CARL },
    ],
    ['the latest note', { entries: [imported(), said({ kind: 'order_note', note: 'new' })] }, { note: 'new' }],
    ['an emptied note is none', { entries: [imported(), said({ kind: 'order_note', note: '' })] }, { note: null }],
    ['kept', { bought, entries: [intent('keep', FEB_28)] }, { intent: 'keep' }],
    [
      'kept over a renewal',
      { bought, renewals: [renewal(JAN_31 + DAY)], entries: [intent('keep', FEB_28)] },
      { intent: 'keep', endsAt: MAR_31 },
    ],
    ['let end', { bought, entries: [intent('let_end', FEB_28)] }, { intent: 'let_end' }],
    [
      'renewed all the same: not let end any more',
      { bought, renewals: [renewal(JAN_31 + DAY)], entries: [intent('let_end', FEB_28)] },
      { intent: null },
    ],
    ['neither any more', { bought, entries: [intent('keep', FEB_28), intent(null, FEB_28)] }, { intent: null }],
  ])('%s', (_, given, expected) => {
    const order = orderOf(facts(given));
    if (expected === null) expect(order).toBeNull();
    else expect(order).toMatchObject(expected);
  });

  test.each([
    ['active', 8 * DAY],
    ['ending', 7 * DAY],
    ['ending', 1],
    ['ended', 0],
    ['ended', -DAY],
    ['end not known', null],
  ])('is %s when it ends in %s ms', (state, left) => {
    expect(orderState({ endsAt: left === null ? null : JAN_31 + left }, JAN_31, 7 * DAY)).toBe(state);
  });
});

describe('the owner and those who approve change an order, once for a click', () => {
  const allowed = (user: string, ...rights: ('buy' | 'approve')[]): Allowed => ({
    person: user,
    ids: new Set([user]),
    rights: new Set(rights),
  });
  const heir = (over: object = {}): OrderSaying => ({
    say: 'owner',
    owner: BEN,
    heir: { ...allowed(BEN), ...over },
  });
  const decide = (
    saying: OrderSaying,
    by: Allowed,
    over: Partial<OrderFacts> = { bought },
    deliveredBefore: 'done' | 'refused' | null = null,
    keptRenewals: readonly Purchase[] = [],
  ) =>
    decideOrderSaying(
      { now: JAN_31, orders: [facts(over)], keptRenewals, deliveredBefore },
      { user: ANN, allowed: by },
      facts().orderId,
      saying,
    );

  test.each<[string, OrderSaying, Allowed, object]>([
    ['its owner writes a note', { say: 'note', note: ' mine ' }, allowed(ANN), { kind: 'order_note', note: 'mine' }],
    ['an approver too', { say: 'note', note: 'x' }, allowed(CARL, 'approve'), { kind: 'order_note', note: 'x' }],
    [
      'keeps it',
      { say: 'intent', intent: 'keep' },
      allowed(ANN),
      { kind: 'order_intent', intent: 'keep', endsAt: FEB_28 },
    ],
    [
      'lets it end',
      { say: 'intent', intent: 'let_end' },
      allowed(ANN),
      { kind: 'order_intent', intent: 'let_end', endsAt: FEB_28 },
    ],
    ['hands it over', heir(), allowed(ANN), { kind: 'order_owner', owner: BEN, before: ANN }],
  ])('%s', (_, saying, by, detail) => {
    expect(decide(saying, by)).toMatchObject({ entries: [{ by: ANN, detail }], click: 'done' });
  });

  test.each<[string, OrderSaying, Allowed, Partial<OrderFacts> | undefined, string]>([
    ['somebody else', { say: 'note', note: 'x' }, allowed(BEN, 'buy'), undefined, 'not_owner'],
    [
      'whose rights cannot be read',
      { say: 'note', note: 'x' },
      { refused: 'rights_unreadable', retryAfterSeconds: 5 },
      undefined,
      'rights_unreadable',
    ],
    ['an order that nobody has seen', { say: 'note', note: 'x' }, allowed(ANN, 'approve'), {}, 'order_not_in_book'],
    [
      'to somebody who may not renew',
      heir({ refused: 'not_in_group', right: 'renew' }),
      allowed(ANN),
      undefined,
      'heir_may_not_renew',
    ],
    [
      'to somebody of whom Slack does not tell',
      heir({ refused: 'rights_unreadable', retryAfterSeconds: 5 }),
      allowed(ANN),
      undefined,
      'rights_unreadable',
    ],
  ])('refused: %s', (_, saying, by, over, refused) => {
    const change = decide(saying, by, over ?? { bought });
    expect(change).toMatchObject({ result: { refused }, click: 'refused' });
    expect(change.entries).toBeUndefined();
  });

  test.each<[string, OrderSaying, Partial<OrderFacts>]>([
    ['the same note', { say: 'note', note: 'by hand' }, { entries: [imported({ owner: ANN })] }],
    ['kept again', { say: 'intent', intent: 'keep' }, { bought, entries: [intent('keep', FEB_28)] }],
    ['to its owner, by another id of theirs', heir({ owner: 'W0ANN', ids: new Set([ANN, 'W0ANN']) }), { bought }],
  ])('nothing is written where it is so already: %s', (_, saying, over) => {
    const change = decide(saying, allowed(ANN), over);
    expect(change.entries ?? []).toEqual([]);
    expect(change.result).toMatchObject({ orderId: facts().orderId });
  });

  describe('what the order has filed by itself, since it was kept', () => {
    const kept = { bought, entries: [intent('keep', FEB_28)] };
    const letEnd: OrderSaying = { say: 'intent', intent: 'let_end' };
    const open = (state: State) =>
      purchase({ kind: 'renew', state, requester: ANN, requesterPerson: ANN, submission: `kept:123:${FEB_28}` });

    test.each<[State, OrderSaying, string]>([
      ['requested', letEnd, 'its order is to be let end'],
      ['approved', letEnd, 'its order is to be let end'],
      ['requested', { say: 'intent', intent: null }, 'its order is not kept any more'],
    ])('is withdrawn with it, as long as it is %s: %o', (state, saying, why) => {
      const { purchases, entries } = decide(saying, allowed(ANN), kept, null, [open(state)]);
      expect(purchases).toMatchObject([{ change: { to: 'withdrawn', by: ANN, set: { why }, notices: [] } }]);
      expect(entries).toHaveLength(1);
    });

    test('is withdrawn by an approver, too, and its requester hears of it', () => {
      const { purchases } = decide(letEnd, allowed(CARL, 'approve'), kept, null, [open('requested')]);
      expect(purchases).toMatchObject([
        { change: { notices: [{ kind: 'outcome', audience: 'requester', about: 'withdrawn' }] } },
      ]);
    });

    test.each<State>(['sending', 'unknown'])('goes on once it is %s', (state) => {
      const change = decide(letEnd, allowed(ANN), kept, null, [open(state)]);
      expect(change).toMatchObject({ purchases: [], entries: [{ detail: { intent: 'let_end' } }] });
    });

    test.each<[string, OrderSaying, Allowed, Partial<OrderFacts>]>([
      ['somebody else says that it ends', letEnd, allowed(BEN, 'buy'), kept],
      ['it is handed over', heir(), allowed(ANN), kept],
      ['a note is written', { say: 'note', note: 'x' }, allowed(ANN), kept],
      ['it is kept anew', { say: 'intent', intent: 'keep' }, allowed(ANN), { bought }],
    ])('goes on where %s', (_, saying, by, over) => {
      expect(decide(saying, by, over, null, [open('requested')]).purchases ?? []).toEqual([]);
    });
  });

  test('a click that is delivered again changes nothing', () => {
    const keep: OrderSaying = { say: 'intent', intent: 'keep' };
    const done = decide(keep, allowed(ANN), { bought }, 'done');
    expect(done.entries).toBeUndefined();
    expect(done.click).toBeUndefined();
    expect(decide(keep, allowed(ANN), { bought }, 'refused').result).toEqual({ refused: 'delivered_again' });
  });
});
