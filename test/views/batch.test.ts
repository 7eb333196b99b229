import { describe, expect, test } from 'vitest';
import type { BatchRecord } from '../../src/purchasing/model/batch.ts';
import type { ExpectedCost } from '../../src/purchasing/model/cost.ts';
import type { Entry } from '../../src/purchasing/model/entries.ts';
import type { OrderFacts } from '../../src/purchasing/model/order.ts';
import type { Approvals } from '../../src/purchasing/model/policy.ts';
import { type Purchase, type RenewContent, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { Review } from '../../src/purchasing/rules/filing.ts';
import { batchCard, batchOutcome, batchStatus, passedOnBatch } from '../../views/batch.ts';
import { approveBatchView, rejectBatchView } from '../../views/renew-many/decide.ts';
import { newRenewManyDraft } from '../../views/renew-many/draft.ts';
import { filedManyView, renewManyForm, renewManyReview } from '../../views/renew-many/form.ts';
import { requestsMessage } from '../../views/reports.ts';
import { answerQuestionView, askView, questionMessage, undecidedMessage } from '../../views/talk.ts';
import {
  ANN,
  accepted,
  asOrderId,
  attempt,
  buttonsOf,
  entry,
  FREEZE,
  facts,
  GROUP,
  LONGEST_BASKET,
  LONGEST_PLAN,
  liveTokens,
  MONTHLY,
  money,
  NOW,
  POLICY,
  purchase,
  RECORDS,
  readsAs,
  SAM,
  surroundings,
  YEARLY,
} from './fixture.ts';

const EVERYTHING = '*<!channel>* _x_ `y` https://evil.example :smile: & \u202e'.repeat(10).slice(0, 500);
const SEVERAL = 25;

/** Of which all is as long as the ledger lets it be; the plans differ, so that each row names its own. */
function longest(state: (place: number) => State, over: Partial<Purchase> = {}): BatchRecord {
  const rows = Array.from({ length: SEVERAL }, (_, place) =>
    purchase({
      id: `P-${'7'.repeat(40)}${place}`,
      kind: 'renew',
      state: state(place),
      orderId: asOrderId(`${10 + place}${'9'.repeat(38)}`),
      basket: LONGEST_BASKET,
      quantity: 500,
      plan: { ...LONGEST_PLAN, productId: `${place}` },
      batch: { id: 'B-1', place },
      reason: EVERYTHING,
      why: EVERYTHING,
      approver: ANN,
      sendBy: NOW + 1,
      ...over,
    }),
  );
  const talk: Entry[] = [1, 2, 3].flatMap((n) => [
    entry({ kind: 'question', question: `B-1.${n}`, text: EVERYTHING }, { by: ANN }),
    entry({ kind: 'question_answered', question: `B-1.${n}`, text: EVERYTHING }, { by: SAM }),
    entry({ kind: 'nudge' }, { by: SAM }),
  ]);
  const [first] = rows as [Purchase];
  const sent = rows.filter(({ state }) => ['completed', 'declined', 'unknown'].includes(state));
  return { ...first, id: 'B-1', rows, talk, answered: new Set(sent.map(({ id }) => id)), costs: costsOf(rows) };
}

const CHEAP: ExpectedCost = {
  known: true,
  amount: { amount: money('99999.01'), divisor: 1n },
  oldest: NOW,
  since: NOW,
  latest: NOW,
  observations: 999,
};
const DEAR: ExpectedCost = { ...CHEAP, amount: { amount: money('98765.01'), divisor: 1n } };
const costsOf = (rows: readonly Purchase[]) => new Map(rows.map(({ id }) => [id, CHEAP]));

const orderOf = ({ orderId }: Pick<Purchase, 'orderId'>): OrderFacts =>
  facts({
    orderId: orderId ?? asOrderId('1'),
    bought: RECORDS.completed({ orderId, plan: YEARLY }).purchase,
    renewals: [purchase({ kind: 'renew', state: 'completed', plan: YEARLY, attempt: attempt() })],
  });

const around = (batch: BatchRecord) =>
  surroundings({
    orders: batch.rows.map(orderOf),
    freeze: { ...FREEZE, reason: EVERYTHING },
    mention: [GROUP],
    cardsIn: 'C0APPROVALS',
    twoPeople: { besides: 3, dollars: null },
    costs: new Map(batch.rows.map(({ id }) => [id, DEAR])),
    othersWhoApprove: 1,
    contact: ANN,
    balance: { ok: false, why: EVERYTHING, at: NOW },
  });

const MIXED = (place: number): State => STATES[place % STATES.length] ?? 'requested';
const HELD = (place: number): State => (place === 0 ? 'unknown' : place % 2 === 0 ? 'approved' : 'expired');

describe('25 rows with the longest of everything stay within Slack’s limits', () => {
  test.each<[string, BatchRecord]>([
    ['waiting', longest(() => 'requested', { firstApprover: ANN })],
    ['all declined', longest(() => 'declined', { attempt: attempt(), declinedHow: 'not_sent' })],
    ['all rejected', longest(() => 'rejected')],
    ['held back', longest(HELD)],
    ['in every state', longest(MIXED)],
    ['sent', longest(() => 'completed', { attempt: attempt() })],
  ])('%s: card, receipt, news and list', (_, batch) => {
    const given = around(batch);
    for (const message of [
      batchCard(batch, given),
      batchStatus(batch, given),
      batchOutcome(batch, null, given),
      passedOnBatch(batch, given),
      undecidedMessage(batch, given, 'escalation'),
      questionMessage(batch, 'B-1.3'),
      requestsMessage(Array(30).fill(batch), NOW, given.freeze, new Set(batch.rows.map(({ id }) => id))),
    ]) {
      accepted(message);
      expect(
        liveTokens(message).filter((token) => !/^<(@U0(ANN|SAM)|!subteam\^S0LEADS|#C0APPROVALS)>$/.test(token)),
      ).toEqual([]);
    }
  });

  test('the choice, its review, what is filed, and the modals that decide and talk', () => {
    const batch = longest(() => 'requested');
    const { rows } = batch;
    const orders = rows.map(orderOf);
    const contents: RenewContent[] = rows.map(({ orderId, plan }) => ({
      kind: 'renew',
      plan,
      orderId: orderId ?? asOrderId('1'),
    }));
    const row = (index: number): Review => ({
      needsApproval: true,
      twoPeople: true,
      twoPeopleFor: 'ips',
      countedDollars: null,
      cost: CHEAP,
      mayBeOver: true,
      quantity: 500,
      basket: LONGEST_BASKET,
      order: orders[index] ?? null,
      counted: 0,
      twin: { id: 'P-'.padEnd(60, '7'), state: 'completed', requester: ANN, changedAt: NOW },
      lastTwin: null,
      unseen: false,
    });
    const reviewing = {
      balance: null,
      freeze: { ...FREEZE, reason: EVERYTHING },
      changed: {
        refused: 'rows_refused' as const,
        rows: contents.map(({ orderId }) => ({
          orderId,
          because: { refused: 'cost_changed' as const, shown: null, now: money('3.20') },
        })),
      },
      reason: EVERYTHING,
      approvers: [GROUP],
      approvals: POLICY.approvals,
      externalId: 'e'.repeat(36),
      now: NOW,
      user: SAM,
      contact: ANN,
    };
    const metadata = { draftId: 'd'.repeat(60), review: 'r'.repeat(32) };
    const refused = contents.map(({ orderId }) => ({
      orderId,
      because: { refused: 'plan_gone', name: EVERYTHING } as const,
    }));
    const subject = {
      batch,
      waiting: rows,
      orders,
      costs: new Map(rows.map(({ id }) => [id, DEAR])),
      now: NOW,
      freeze: reviewing.freeze,
    };
    const views = [
      renewManyReview(
        metadata,
        contents,
        { needsApproval: true, rows: contents.map((_, index) => row(index)) },
        reviewing,
      ),
      renewManyReview(
        metadata,
        contents,
        { needsApproval: true, rows: refused.map(({ because }) => because) },
        { ...reviewing, changed: { refused: 'rows_refused', rows: refused } },
      ),
      filedManyView(rows, reviewing.freeze),
      approveBatchView('d', subject),
      rejectBatchView('d', subject),
      askView('d', batch),
      answerQuestionView('d', batch, 'B-1.3'),
      renewManyForm(
        'd',
        {
          ...newRenewManyDraft(
            contents.map(({ orderId }) => orderId),
            EVERYTHING,
          ),
          balance: null,
        },
        [],
        Array(5).fill(EVERYTHING),
      ),
    ];
    // Besides what stands at its row.
    expect(JSON.stringify(views[0]).match(/and now it is about \$3\.20 at prices observed/g)).toHaveLength(SEVERAL);
    for (const view of views) accepted(view);
  });
});

type InChannel = Extract<Approvals, { mode: 'channel' }>;

describe('for want of a price', () => {
  const row = (over: Partial<Review>): Review => ({
    needsApproval: true,
    twoPeople: false,
    twoPeopleFor: null,
    countedDollars: null,
    cost: { known: false, missing: ['FR'] },
    mayBeOver: false,
    quantity: 1,
    basket: [{ country: 'FR', quantity: 1 }],
    order: null,
    counted: 0,
    twin: null,
    lastTwin: null,
    unseen: false,
    ...over,
  });
  const review = (over: Partial<Review>, more: object, changed?: Refusal) =>
    readsAs(
      renewManyReview(
        { draftId: 'd', review: 'r' },
        ['121', '122'].map((id) => ({ kind: 'renew', plan: MONTHLY, orderId: asOrderId(id) })),
        { needsApproval: true, rows: [row({ ...over, cost: CHEAP }), row(over)] },
        {
          balance: null,
          freeze: null,
          changed,
          reason: '',
          approvers: [GROUP],
          approvals: { ...(POLICY.approvals as InChannel), renewalsNeedApproval: false, ...more },
          externalId: 'x',
          now: NOW,
          user: SAM,
          contact: ANN,
        },
      ),
    );
  const WHY = '(there are limits in dollars, and not everything has an observed price yet)';

  test('the review says why it needs approval, by one or by two, and what is known of the rest', () => {
    const free = review({}, { freeUpToDollars: money('60') });
    expect(free).toContain(`Needs approval ${WHY}`);
    expect(free).toMatch(/Cost: no price observed yet for .*France; the others about \$99,999\.01 at prices observed/);
    const two = { twoPeople: true, twoPeopleFor: 'dollars' } as const;
    expect(review(two, { twoPeopleAboveDollars: money('60') })).toContain(`Needs approval by two people ${WHY}`);
    expect(review({ mayBeOver: true }, {})).toContain(`Needs approval ${WHY}`);
    expect(review({}, {})).not.toContain(WHY);
    expect(review({ twoPeople: true, twoPeopleFor: 'ips' }, {})).not.toContain(WHY);
  });

  test('the review says once that nothing was filed, of one reason and of several rows', () => {
    const changed = { refused: 'cost_changed', shown: null, now: money('9.60') } as const;
    const rows = ['121', '122'].map((id) => ({ orderId: asOrderId(id), because: changed }));
    expect(review({}, {}, changed).split('\n')[1]).toMatch(/^Nothing was filed and no money moved\. What is known/);
    for (const why of [changed, { refused: 'rows_refused', rows }] as const)
      expect(review({}, {}, why).match(/Nothing (of it )?was filed/g)).toHaveLength(1);
  });

  test('the card says why two people have to approve it', () => {
    const batch = longest(() => 'requested');
    const dollars = { others: 24, total: money('12.80'), unpriced: 1 };
    const card = (twoPeople: Surroundings['twoPeople']) => readsAs(batchCard(batch, { ...around(batch), twoPeople }));
    expect(card({ besides: 0, dollars })).toContain(
      'Two people have to approve it: not all of what was asked for within 24 hours has an observed price.',
    );
    expect(card({ besides: 0, dollars: { ...dollars, unpriced: 0 } })).toMatch(
      /Two people have to approve it: with the other requests of .* it is about \$12\.80 at prices observed\./,
    );
  });
});

describe('on card and receipt', () => {
  const of = (...states: readonly State[]): BatchRecord => {
    const rows = states.map((state, place) =>
      RECORDS[state]({
        id: `P-${place}`,
        kind: 'renew',
        orderId: asOrderId(`12${place}`),
        batch: { id: 'B-1', place },
      }),
    );
    const [first] = rows as [(typeof rows)[number]];
    return {
      ...first.purchase,
      id: 'B-1',
      rows: rows.map((one) => one.purchase),
      talk: [],
      answered: new Set(),
      costs: new Map(),
    };
  };
  const card = (batch: BatchRecord) => batchCard(batch, surroundings({ cardsIn: 'C0APPROVALS' }));
  const status = (batch: BatchRecord) => batchStatus(batch, surroundings({ cardsIn: 'C0APPROVALS' }));

  test.each<[string, BatchRecord, readonly string[], readonly string[]]>([
    ['waiting', of('requested', 'requested'), ['Approve', 'Reject', 'Ask a question'], ['Nudge', 'Withdraw']],
    ['partly decided', of('rejected', 'requested'), ['Approve', 'Reject', 'Ask a question'], ['Nudge', 'Withdraw']],
    ['to be sent', of('approved', 'completed'), [], ['Withdraw']],
    ['partly struck out', of('approved', 'rejected'), [], ['Withdraw', 'Ask again']],
    ['over', of('completed', 'completed'), [], []],
    ['over, and partly for nothing', of('completed', 'expired'), [], ['Ask again']],
    ['unknown', of('unknown', 'expired'), [], ['Ask again']],
  ])('%s: what can be done with it', (_, batch, onCard, onReceipt) => {
    expect(buttonsOf(card(batch))).toEqual(onCard);
    expect(buttonsOf(status(batch))).toEqual(onReceipt);
  });

  test('the one answer has a button, several a menu', () => {
    const batch = of('completed', 'completed', 'completed');
    expect(buttonsOf(card({ ...batch, answered: new Set(['P-1']) }))).toEqual(['Show the answer']);
    const menu = JSON.stringify(card({ ...batch, answered: new Set(['P-0', 'P-2']) }).blocks.at(-1));
    expect(menu).toMatch(/static_select.*Order 120.*P-0.*Order 122.*P-2/);
    expect(menu).not.toContain('P-1');
  });

  test('what is odd about a row stands below it, as long as it is to be decided', () => {
    const batch = of('requested', 'rejected');
    const orders = batch.rows.map((row) => ({ ...orderOf(row), orderId: row.orderId ?? asOrderId('1') }));
    const text = readsAs(
      batchCard({ ...batch, rows: batch.rows.map((row) => ({ ...row, plan: MONTHLY })) }, surroundings({ orders })),
    );
    expect(text).toMatch(/1\. Order 120.*waiting for approval\n⚠️ Another plan than last paid; renewed already/);
    expect(text.match(/⚠️/g)).toHaveLength(1);
  });
});
