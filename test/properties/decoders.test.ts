import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseOrderId } from '../../src/input/fields.ts';
import { mergeBasket, totalQuantity } from '../../src/purchasing/model/basket.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import { decodeReject, rejectView } from '../../views/approval.ts';
import { decodeBuy } from '../../views/buy/decode.ts';
import { type BuyDraft, pasteRows, withTyped } from '../../views/buy/draft.ts';
import { buyForm, pasteText, pasteView } from '../../views/buy/form.ts';
import { ACTION, BLOCK } from '../../views/ids.ts';
import { decodeOrderId, orderIdView } from '../../views/order-id.ts';
import { decodeRenew, newRenewDraft, withTypedRenew } from '../../views/renew/draft.ts';
import { renewForm } from '../../views/renew/form.ts';
import { readTicks, type Values } from '../../views/state.ts';
import { decodeSettle, settleView } from '../../views/unknown.ts';
import { accepted, blockIds, facts, MONTHLY, NOW, POLICY, RECORDS, YEARLY } from '../views/fixture.ts';

import './seeded.ts';

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '5',
    ' 12 ',
    '１２',
    '1,000',
    '1e3',
    '-1',
    '999999999',
    '9999999999',
    'US',
    'XX',
    'us',
    '\u200b',
    '&lt;123&gt;',
    'US 10\nDE 5',
    'a'.repeat(600),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 0, max: 600 }).map(String),
);
const option = fc.oneof(
  fc.constant(null),
  fc.constantFrom('US', 'DE', 'XX', '', 'lt-monthly', 'lt-yearly', '__proto__').map((value) => ({ value })),
);
const value = fc.record(
  {
    value: fc.option(text),
    selected_option: option,
    selected_options: fc.array(fc.constant({ value: 'yes' }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** Slack's state, with the fields that are read here, with others, or without some. */
const rowIds = ['a', 'b', 'c', '__proto__'] as const;
const blocks = [
  'plan',
  'reason',
  'note',
  'order_id',
  'paste',
  'separate',
  'constructor',
  ...rowIds.flatMap((id) => [BLOCK.country(id), BLOCK.quantity(id)]),
];
const values: fc.Arbitrary<Values> = fc.dictionary(
  fc.constantFrom(...blocks),
  fc.dictionary(fc.constantFrom(...Object.values(ACTION), 'toString'), value, { maxKeys: 6 }),
  { maxKeys: 12 },
);

const draft: fc.Arbitrary<BuyDraft> = fc.record({
  kind: fc.constant('buy' as const),
  plan: fc.constantFrom('', 'lt-monthly', 'lt-yearly', 'gone'),
  rows: fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...rowIds), country: fc.constantFrom('', 'US', 'DE', 'XX'), quantity: text }),
    {
      selector: ({ id }) => id,
      minLength: 1,
    },
  ),
  reason: text,
  balance: fc.constant(null),
  separate: fc.boolean(),
  view: fc.constant(null),
  lastReview: fc.constant(null),
  counted: fc.nat(1_000),
  unreported: fc.subarray(['plan', 'row:a:country', 'row:a:quantity', 'row:b:quantity']),
  handled: fc.constant([]),
});
const policy: fc.Arbitrary<Policy> = fc
  .record({
    plans: fc.constantFrom([MONTHLY], [YEARLY], [MONTHLY, YEARLY]),
    limit: fc.constantFrom(1, 500, 999_999_999),
  })
  .map(({ plans, limit }) => ({ ...POLICY, plans, limits: { ...POLICY.limits, ipsPerOrder: limit } }));

/** Slack drops a whole answer with an error at anything but an input of the submitted view. */
function expectErrorsAt(errors: Readonly<Record<string, string>>, inputs: readonly string[]): void {
  expect(Object.keys(errors)).not.toEqual([]);
  for (const [key, sentence] of Object.entries(errors)) {
    expect(inputs).toContain(key);
    expect(sentence.trim()).not.toBe('');
  }
}

describe('whatever a form holds', () => {
  test('a purchase is what stands in it, or errors stand at its fields', () => {
    fc.assert(
      fc.property(draft, values, policy, (before, typed, rules) => {
        const after = withTyped(before, typed);
        const form = accepted(
          buyForm('d', after, {
            plans: rules.plans,
            maxPerOrder: rules.limits.ipsPerOrder,
            approvals: rules.approvals,
          }),
        );
        const decoded = decodeBuy(after, rules);
        // A single plan has no field; what is wrong with it is said by a new form.
        if (!decoded.ok) return expectErrorsAt(decoded.errors, ['plan', ...blockIds(form)]);
        const { basket, plan } = decoded.content;
        expect(rules.plans).toContain(plan);
        expect(plan.productId).toBe(after.plan);
        expect(basket).toEqual(mergeBasket(basket));
        expect(totalQuantity(basket)).toBeLessThanOrEqual(rules.limits.ipsPerOrder);
      }),
      { numRuns: 400 },
    );
  });

  test('a pasted list joins the rows or leaves them, and loses no IP', () => {
    fc.assert(
      fc.property(
        draft,
        fc.array(fc.tuple(fc.constantFrom('US', 'DE', 'FR'), fc.integer({ min: 1, max: 400 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (before, list) => {
          const typed = { paste: { paste_text: { value: list.map((row) => row.join(' ')).join('\n') } } };
          const pasted = pasteText(typed);
          if (!pasted.ok) throw new Error('a clean list is read');
          let made = 0;
          const joined = pasteRows(before, pasted.content, () => {
            made += 1;
            return `new${made}`;
          });
          if (!joined.ok) return expectErrorsAt(joined.errors, blockIds(pasteView('d')));
          const sum = (rows: BuyDraft['rows']) =>
            rows.reduce((total, { quantity }) => total + (/^[1-9]\d{0,8}$/.test(quantity) ? Number(quantity) : 0), 0);
          const clean = {
            ...before,
            rows: before.rows.map((row) => ({
              ...row,
              quantity: /^\d{1,3}$/.test(row.quantity) ? String(Number(row.quantity)) : '',
            })),
          };
          const again = pasteRows(clean, pasted.content, () => 'new');
          if (again.ok) expect(sum(again.content.rows)).toBe(sum(clean.rows) + totalQuantity(pasted.content.basket));
        },
      ),
    );
  });

  test('a pasted text is a list, or an error stands at its field', () => {
    fc.assert(
      fc.property(values, (typed) => {
        const pasted = pasteText(typed);
        if (!pasted.ok) expectErrorsAt(pasted.errors, blockIds(pasteView('d')));
      }),
    );
  });

  test('a renewal keeps its order, and is of a plan that is offered', () => {
    fc.assert(
      fc.property(values, policy, (typed, rules) => {
        const after = withTypedRenew(newRenewDraft('9007199254740993', rules.plans, null), typed);
        const decoded = decodeRenew(after, rules);
        if (decoded.ok) {
          expect(decoded.content.orderId).toBe('9007199254740993');
          expect(rules.plans).toContain(decoded.content.plan);
        } else
          expectErrorsAt(
            decoded.errors,
            blockIds(renewForm('d', after, { plans: rules.plans, order: facts(), now: NOW, approvalsOff: false })),
          );
        expect(() => readTicks(typed)).not.toThrow();
      }),
    );
  });

  test('a rejection or settlement is taken, or errors stand at its fields', () => {
    const record = RECORDS.unknown();
    fc.assert(
      fc.property(values, fc.boolean(), fc.constantFrom('buy' as const, 'renew' as const), (typed, placed, kind) => {
        const rejected = decodeReject(typed);
        if (!rejected.ok)
          expectErrorsAt(
            rejected.errors,
            blockIds(
              rejectView('d', { record, now: NOW, order: null, freeze: null, twoPeople: null, costs: new Map() }),
            ),
          );
        const settled = decodeSettle(typed, { placed, kind });
        const of = RECORDS.unknown(kind === 'renew' ? { kind, orderId: '5' } : {});
        if (!settled.ok) return expectErrorsAt(settled.errors, blockIds(settleView('d', of, placed)));
        expect(settled.content.placed).toBe(placed);
        if (!placed) expect(settled.content.orderId).toBeNull();
      }),
    );
  });

  test('an order id that is entered is the one that was typed, never a part of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.bigInt({ min: 0n, max: 10n ** 60n }).map(String),
          fc
            .tuple(fc.integer({ min: 0, max: 400 }), fc.stringMatching(/^[1-9][0-9]{0,45}$/))
            .map(([zeros, digits]) => '0'.repeat(zeros) + digits),
        ),
        (typed) => {
          const decoded = decodeOrderId({ order_id: { order_id: { value: typed } } });
          if (!decoded.ok) return expectErrorsAt(decoded.errors, blockIds(orderIdView('d', RECORDS.completed())));
          expect(parseOrderId(typed)).toEqual({ ok: true, orderId: decoded.content });
        },
      ),
      { numRuns: 300 },
    );
  });
});
