import { describe, expect, test } from 'vitest';
import type { ReminderRow } from '../../src/purchasing/model/end-reminder.ts';
import type { OrderEntry, OrderEntryDetail, OrderFacts } from '../../src/purchasing/model/order.ts';
import type { OrderId } from '../../src/purchasing/model/order-id.ts';
import type { DrawnMessage } from '../../views/blocks.ts';
import { renderNotice } from '../../views/notice.ts';
import {
  accepted,
  attempt,
  buttonsOf,
  facts,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  NOW,
  notice,
  purchase,
  readsAs,
  SAM,
  surroundings,
} from './fixture.ts';

const DAY = 86_400_000;
const said = (detail: OrderEntryDetail): OrderEntry => ({ seq: 1, at: NOW, by: SAM, detail });
const BOUGHT = NOW - 24 * DAY;
/** A month after. */
const END = Date.UTC(2026, 0, 12, 14, 3);
const POSTED = { channel: 'D1', ts: '1.0' };

function row(over: Partial<ReminderRow> = {}, of: Partial<OrderFacts> = {}): ReminderRow {
  const bought = purchase({ state: 'completed', attempt: attempt({ at: BOUGHT }) });
  return { orderId: '123', owner: SAM, endsAt: END, rung: 7, facts: facts({ bought, ...of }), renewal: null, ...over };
}

function drawn(rows: readonly ReminderRow[], over: Parameters<typeof notice>[0] = {}, now = NOW): DrawnMessage {
  const of = { kind: 'ending', audience: `user:${SAM}`, text: 'reminder:x', purchaseId: null, ...over } as const;
  return renderNotice(notice(of), null, surroundings({ reminder: rows, now, mention: ['S0LEADS'] }));
}

describe('a reminder', () => {
  test('names each order with its computed end, and what can be done with it', () => {
    const message = drawn([row(), row({ orderId: '124', rung: 3 })]);
    const text = readsAs(message);
    for (const part of ['2 of your orders end soon', 'Order 123', '15 IPs', 'Ends about 2026-01-12', 'computed by us'])
      expect(text).toContain(part);
    const each = ['Renew', 'Let it end', 'Remind me tomorrow'];
    expect(buttonsOf(message)).toEqual([...each, ...each, 'Renew several']);
    expect(buttonsOf(drawn([row()]))).toEqual(each);
    expect(message.text).toBe('2 of your orders end soon');
  });

  test.each<[string, ReminderRow, string, string[]]>([
    ['one that ends today', row({ rung: 0 }), 'Ends about', ['Renew', 'Let it end']],
    [
      'one that somebody is reminded of again',
      row({}, { entries: [said({ kind: 'order_remind_again', endsAt: END, rung: 6 })] }),
      'You are reminded again about 2026-01-06',
      ['Renew', 'Let it end'],
    ],
    [
      'one that is being renewed',
      row({ renewal: purchase({ kind: 'renew', orderId: '123', id: 'P-1' }) }),
      'Its renewal (request P-1): waiting for approval',
      ['Let it end', 'Remind me tomorrow'],
    ],
    [
      'one that is kept',
      row({}, { entries: [said({ kind: 'order_intent', intent: 'keep', endsAt: END })] }),
      'its renewal is filed before it ends',
      ['Renew', 'Let it end', 'Remind me tomorrow'],
    ],
    [
      'one that is let end',
      row({}, { entries: [said({ kind: 'order_intent', intent: 'let_end', endsAt: END })] }),
      'Let end by @U0SAM',
      ['Renew'],
    ],
    [
      'one that was handed over',
      row({}, { entries: [said({ kind: 'order_owner', owner: 'U0BEN', before: SAM })] }),
      'Handed over to @U0BEN',
      [],
    ],
    [
      'one that was renewed',
      row({}, { renewals: [purchase({ kind: 'renew', state: 'completed', attempt: attempt({ at: NOW }) })] }),
      'Renewed by @U0SAM: runs until about 2026-02-12',
      [],
    ],
    ['one that is none any more', row({ facts: facts() }), 'no longer known', []],
  ])('once posted says of %s what has become of it', (_, of, words, buttons) => {
    const message = drawn([of], POSTED);
    expect(readsAs(message)).toContain(words);
    expect(buttonsOf(message)).toEqual(buttons);
  });

  test('tells that an order has ended, by our reckoning', () => {
    const message = drawn([row({ rung: -1 })], {}, END + DAY);
    expect(readsAs(message)).toContain('Your order 123 has ended');
    expect(readsAs(message)).toContain('Ended about 2026-01-12, by our reckoning');
    expect(buttonsOf(message)).toEqual(['Renew']);
  });

  test('before it is posted leaves out what holds no more', () => {
    const ended = row(
      { orderId: '124' },
      { entries: [said({ kind: 'order_intent', intent: 'let_end', endsAt: END })] },
    );
    expect(readsAs(drawn([row(), ended]))).not.toContain('124');
  });

  test('to approvers names the owner, and mentions their group once', () => {
    const to = { audience: 'approvers', text: 'reminder:approvers:2026-01-05' } as const;
    const nobodys = [
      said({ kind: 'order_imported', plan: MONTHLY, basket: [], boughtAt: BOUGHT, owner: null, note: null }),
    ];
    const rows = [row(), row({ owner: null }, { bought: null, entries: nobodys })];
    for (const part of ['@S0LEADS', 'Owner: @U0SAM', 'Owner: not known', 'may not renew any more'])
      expect(readsAs(drawn(rows, to))).toContain(part);
    expect(readsAs(drawn(rows, { ...to, ...POSTED }))).not.toContain('S0LEADS');
  });

  test('of the longest orders there are, and of hundreds, stays within Slack’s limits, with nothing live in it', () => {
    const long = purchase({
      state: 'completed',
      plan: LONGEST_PLAN,
      basket: LONGEST_BASKET,
      attempt: attempt({ at: BOUGHT }),
    });
    const entries = [
      said({ kind: 'order_note', note: `<!channel> https://evil.example ${'&'.repeat(3_000)}` }),
      said({ kind: 'order_remind_again', endsAt: END, rung: 2 }),
    ];
    const rows = Array.from({ length: 300 }, (_, index) =>
      row(
        { orderId: `${10n ** 39n + BigInt(index)}` as OrderId, renewal: purchase({ id: `P-${'7'.repeat(60)}` }) },
        { bought: long, entries },
      ),
    );
    for (const over of [{}, { audience: 'approvers', text: 'reminder:approvers:x' } as const]) {
      const message = accepted(drawn(rows, over));
      expect(readsAs(message)).toContain('And 288 more');
      expect(JSON.stringify(message.blocks).length).toBeLessThan(60_000);
      expect(liveTokens(message).filter((token) => !/^<(@U0SAM|!subteam)/.test(token))).toEqual([]);
    }
  });
});

test('that an order which is kept could not be renewed says why, and whose it is', () => {
  const of = { kind: 'not_kept', purchaseId: null, text: 'Order 1 is kept, but <!here>', by: SAM } as const;
  const message = renderNotice(notice(of), null, surroundings());
  for (const part of ['A kept order', 'Order 1 is kept', 'Owner: @U0SAM']) expect(readsAs(message)).toContain(part);
  expect(liveTokens(message)).toEqual(['<@U0SAM>']);
});
