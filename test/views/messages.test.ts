import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/purchasing/model/entries.ts';
import { type Purchase, STATES, type State } from '../../src/purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { approvalCard, approveView, type DecisionSubject, rejectView } from '../../views/approval.ts';
import type { DrawnMessage } from '../../views/blocks.ts';
import { orderIdView } from '../../views/order-id.ts';
import { outcomeMessage, passedOnMessage, statusMessage } from '../../views/status.ts';
import { answerInThread, answerQuestionView, askView, questionInThread, questionMessage } from '../../views/talk.ts';
import { settleView, unknownCard } from '../../views/unknown.ts';
import { answerView } from '../../views/vendor-answer.ts';
import {
  ANN,
  accepted,
  answer,
  answered,
  asOrderId,
  attempt,
  blocksOf,
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
  move,
  NOW,
  purchase,
  RECORDS,
  RENEWAL,
  reading,
  readsAs,
  record,
  SAM,
  surroundings,
} from './fixture.ts';

const BALANCE = { ok: true, balance: money('12.50'), at: NOW } as const;
const around = surroundings({ balance: BALANCE });

const card = (of = RECORDS.requested(), more = {}) => approvalCard(of, { ...around, ...more });
const status = (of = RECORDS.requested(), more = {}) => statusMessage(of, surroundings(more));
const outcome = (of = RECORDS.completed(), about: State = of.purchase.state) =>
  outcomeMessage(of, about, surroundings());
const unknown = (of = RECORDS.unknown(), mention: string[] = []) => unknownCard(of, surroundings({ mention }));

const subjectOf = (of: PurchaseRecord): DecisionSubject => ({
  record: of,
  now: NOW,
  order: facts(),
  freeze: FREEZE,
  twoPeople: null,
  costs: new Map(),
});

/** The nth question, with its answer. */
const talk = (n: number, text: string): Entry[] => [
  entry({ kind: 'question', question: `P-1.${n}`, text }, { by: ANN }),
  entry({ kind: 'question_answered', question: `P-1.${n}`, text }, { by: SAM }),
];
const QUESTION = 'P-1.1';

/** The plain words of the contract, wherever people are told of a state. */
const WORDS: Record<State, RegExp> = {
  requested: /Waiting for approval|Approval needed/,
  approved: /Approved/,
  sending: /Being sent to the vendor/,
  completed: /Bought: 15 IPs|Renewed: order 9007199254740993/,
  declined: /Declined by the vendor/,
  unknown: /unknown/,
  rejected: /[Rr]ejected by @U0ANN: “too many”\. No money moved/,
  withdrawn: /Withdrawn by @U0SAM/,
  expired: /has expired/,
};

describe('in every state', () => {
  test.each(STATES)('%s: card, direct message and outcome say so in plain words', (state) => {
    for (const of of [RECORDS[state](), RECORDS[state](RENEWAL)])
      for (const message of [card(of), status(of), outcome(of), unknown(of)]) {
        expect(readsAs(message)).toMatch(WORDS[state]);
        expect(message.text).not.toBe('');
        expect(message.text.length).toBeLessThan(300);
      }
  });

  test.each(STATES)('%s: the buttons are those that still do something', (state) => {
    const of = RECORDS[state]();
    expect(buttonsOf(card(of)).filter((text) => /Approve|Reject/.test(text))).toEqual(
      state === 'requested' ? ['Approve', 'Reject'] : [],
    );
    expect(buttonsOf(status(of))).toEqual(
      {
        requested: ['Withdraw'],
        approved: ['Withdraw'],
        rejected: ['Ask again'],
        declined: ['Ask again', 'Show the answer'],
        expired: ['Ask again'],
        sending: [],
        completed: ['Buy again', 'Enter order id', 'Show the answer'],
        unknown: [],
        withdrawn: ['Ask again'],
      }[state],
    );
    expect(buttonsOf(unknown(of)).filter((text) => text.startsWith('It was'))).toEqual(
      state === 'unknown' ? ['It was placed', 'It was not placed'] : [],
    );
  });

  test.each(STATES)('%s: a button carries the id of the purchase and nothing else', (state) => {
    const of = RECORDS[state]();
    for (const message of [card(of), status(of), outcome(of), unknown(of)])
      for (const block of message.blocks)
        if (block.type === 'actions')
          for (const element of block.elements) expect(element).toMatchObject({ type: 'button', value: 'p1' });
  });
});

describe('the approval card', () => {
  test('tells who, what, why, balance and age, the reason last', () => {
    const text = readsAs(card());
    for (const words of ['Who\n@U0SAM', 'Germany: 5', 'Balance\n$12.50, read 14:03 UTC', '10 min ago', 'Open until'])
      expect(text).toContain(words);
    const reason = text.indexOf('Reason: crawler for the Berlin team');
    expect(reason).toBeGreaterThan(text.indexOf('Asked'));
    expect(reason).toBeGreaterThan(text.indexOf('Balance'));
  });

  test('reads well as a notification', () => {
    expect(card().text).toBe('<@U0SAM> asks for 15 IPs (DE 5, US 10)');
    expect(card(RECORDS.requested({ ...RENEWAL, quantity: null, basket: [] })).text).toBe(
      '<@U0SAM> asks to renew order 9007199254740993',
    );
    expect(card(RECORDS.completed()).text).toBe('Buy 15 IPs for <@U0SAM>: completed');
  });

  test('mentions the groups only where it is told to, in its blocks', () => {
    expect(JSON.stringify(card(RECORDS.requested(), { mention: [GROUP] }).blocks)).toContain('<!subteam^S0LEADS>');
    expect(JSON.stringify(card())).not.toContain('subteam');
  });

  test('says when a balance could not be read, and never 0', () => {
    expect(readsAs(card(RECORDS.requested(), { balance: { ok: false, at: NOW, why: 'status 502' } }))).toContain(
      'could not be read (status 502)',
    );
    expect(readsAs(card(RECORDS.requested(), { balance: null }))).toContain('could not be read');
  });

  test('names an order that the bot has never seen, and whose order it is otherwise', () => {
    const renewal = RECORDS.requested({ ...RENEWAL, quantity: null, basket: [] });
    expect(readsAs(card(renewal, { order: facts() }))).toMatch(/this bot has never seen it/);
    expect(readsAs(card(renewal, { order: facts({ bought: purchase({ requester: ANN }) }) }))).toMatch(
      /Bought by @U0ANN/,
    );
  });

  test('says who decided and when, and what became of it', () => {
    const text = readsAs(card(RECORDS.completed()));
    expect(text).toMatch(/Approved by @U0ANN, 2026-01-05/);
    expect(text).toMatch(/Balance \$20\.00 → \$12\.50 \(−\$7\.50\), read 14:02 UTC · observed, not a quoted price/);
  });

  test('offers the order id and the answer on the final card of a buy without an order id', () => {
    expect(buttonsOf(card(RECORDS.completed()))).toEqual(['Enter order id', 'Show the answer']);
    const found = record({ state: 'completed', attempt: attempt(), orderId: '7' }, [answered({ orderIds: ['7'] })]);
    expect(buttonsOf(card(found))).toEqual(['Show the answer']);
    expect(buttonsOf(card(RECORDS.completed(RENEWAL)))).toEqual(['Show the answer']);
  });

  test('leaves what is known of an unknown outcome to the card that settles it', () => {
    const unknownNow = card(RECORDS.unknown(), { cardsIn: 'C0APPROVALS' });
    expect(readsAs(unknownNow)).toMatch(/Outcome unknown.*Everything that is known of it is on the card/s);
    expect(readsAs(unknownNow)).not.toContain('Balance $');
    expect(buttonsOf(unknownNow)).toEqual([]);
  });

  test('says that spending is frozen while anything may still be sent', () => {
    expect(readsAs(card(RECORDS.approved(), { freeze: FREEZE }))).toMatch(/Spending is frozen by @U0ANN/);
    expect(readsAs(card(RECORDS.completed(), { freeze: FREEZE }))).not.toMatch(/frozen/);
  });
});

describe('the message of the requester', () => {
  test('becomes a receipt that says where the proxies are', () => {
    const receipt = status(RECORDS.completed());
    expect(readsAs(receipt)).toMatch(/Fetch the proxies from the vendor's answer.*or from the vendor's console/);
    expect(readsAs(receipt)).toMatch(/Approved by @U0ANN.*Balance \$20\.00/s);
    expect(buttonsOf(receipt)).toEqual(['Buy again', 'Enter order id', 'Show the answer']);
  });

  test('of a decline repeats the vendor, literally', () => {
    expect(readsAs(status(RECORDS.declined()))).toMatch(
      /The vendor refused it with code 402 \(status 200, code 402\)\. It says: “no stock”/,
    );
  });

  test('of a refusal whose balance could not be compared says so', () => {
    const of = record(
      { state: 'declined', declinedHow: 'vendor', attempt: attempt(), why: 'no (the balance could not be compared)' },
      [answered({ outcome: 'declined', vendorText: 'no' }), reading(null)],
    );
    expect(readsAs(status(of))).toMatch(/balance could not be compared/);
  });

  test('says that spending was frozen where the vendor refused the token', () => {
    const of = record({ state: 'declined', declinedHow: 'vendor', attempt: attempt() }, [
      answered({ outcome: 'declined', code: '401', unauthorized: true }),
    ]);
    for (const message of [status(of), outcome(of), card(of)])
      expect(readsAs(message)).toMatch(/Spending was frozen with it.*\(401\)/);
    expect(readsAs(status(RECORDS.declined()))).not.toContain('frozen');
  });

  test('links to the card of an unknown outcome, or names the channel', () => {
    const links = { receipt: null, unknownCard: 'https://example.slack.com/archives/C0APPROVALS/p1' };
    const drawn = JSON.stringify(status(RECORDS.unknown(), { links, cardsIn: 'C0APPROVALS' }));
    expect(drawn).toContain('<https://example.slack.com/archives/C0APPROVALS/p1|the card of its unknown outcome>');
    expect(JSON.stringify(status(RECORDS.unknown(), { cardsIn: 'C0APPROVALS' }))).toContain('in <#C0APPROVALS>');
    expect(readsAs(status(RECORDS.unknown()))).toContain('each approver has by direct message');
  });
});

describe('the outcome', () => {
  test.each(STATES)('%s: is a line or two, without a button, and says where the facts are', (state) => {
    const message = outcome(RECORDS[state]());
    const lines = readsAs(message).split('\n');
    expect(lines).toHaveLength(2);
    // What was bought stands in the line above already.
    const what = state === 'completed' ? 'DE 5, US 10' : '15 IPs (DE 5, US 10)';
    expect(lines[1]).toBe(`${what} · request p1 · all about it is in your first message`);
    expect(buttonsOf(message)).toEqual([]);
  });

  test('reads well as a notification', () => {
    expect(outcome(RECORDS.completed()).text).toBe('Bought: 15 IPs (DE 5, US 10)');
  });

  test('links to the message with the facts', () => {
    const links = { receipt: 'https://example.slack.com/archives/D1/p2', unknownCard: null };
    const message = outcomeMessage(RECORDS.completed(), 'completed', surroundings({ links }));
    expect(JSON.stringify(message)).toContain('<https://example.slack.com/archives/D1/p2|all about it>');
  });

  test('says so where the purchase has moved on since', () => {
    const message = outcome(RECORDS.unknown(), 'declined');
    expect(readsAs(message)).toMatch(/told to you as declined; it has changed since.*unknown/s);
    expect(message.text).toMatch(/^Outcome unknown/);
  });

  test('that is passed on by approvers says for whom, with all the facts', () => {
    const message = passedOnMessage(RECORDS.completed(), surroundings());
    expect(readsAs(message)).toMatch(/For @U0SAM, who cannot be written to.*Bought.*Balance \$/s);
    expect(buttonsOf(message)).toEqual(['Buy again', 'Enter order id', 'Show the answer']);
  });
});

test('Withdraw asks before it acts', () => {
  const { blocks } = status(RECORDS.requested());
  expect(JSON.stringify(blocks)).toContain('Withdraw this request?');
  accepted(status(RECORDS.requested()));
});

test('the card says that it is a repeat, and of a renewal what is odd about it', () => {
  const repeats = { id: 'P-FIRST', state: 'completed', requester: ANN, changedAt: NOW - 14 * 60_000 };
  const of = record({}, [move(null, 'requested', SAM, { repeats })]);
  expect(readsAs(card(of))).toMatch(
    /Repeat: the same was completed 14 min ago \(request P-FIRST, asked for by @U0ANN\)/,
  );
  const bought = purchase({ state: 'completed', attempt: attempt() });
  const renewal = RECORDS.requested({ ...RENEWAL, plan: { ...MONTHLY, productId: 'lt-yearly', name: 'Yearly' } });
  expect(readsAs(card(renewal, { order: facts({ bought }) }))).toMatch(
    /Another plan: last paid was .*, this pays for Yearly/,
  );
});

test('nothing of a message is folded away', () => {
  for (const state of STATES)
    for (const message of [
      card(RECORDS[state]()),
      status(RECORDS[state]()),
      outcome(RECORDS[state]()),
      unknown(RECORDS[state]()),
    ])
      for (const block of message.blocks) if (block.type === 'section') expect(block).toMatchObject({ expand: true });
});

test('the status says that nobody else can approve', () => {
  expect(readsAs(status(RECORDS.requested(), { othersWhoApprove: 0 }))).toMatch(/Nobody else can approve/);
  expect(readsAs(status())).not.toMatch(/Nobody else/);
});

describe('the card of an unknown outcome', () => {
  test('shows the evidence', () => {
    const text = readsAs(unknown());
    expect(text).toMatch(/Outcome unknown: the answer did not come in time, so nobody can tell/);
    expect(text).toMatch(/Balance \$20\.00 unchanged, read/);
    expect(text).toMatch(/So far the balance has not moved; that alone proves nothing/);
  });

  test('once settled says by whom and with which note', () => {
    const settled = RECORDS.unknown({ state: 'completed', why: 'seen it' });
    const of = {
      ...settled,
      entries: [...settled.entries, move('unknown', 'completed', ANN, { placed: true, note: 'seen it' })],
    };
    const message = unknown(of);
    expect(readsAs(message)).toMatch(/it is settled.*Settled as placed by @U0ANN.*: “seen it”/s);
    expect(message.text).toMatch(/Was unknown, now completed/);
  });

  test('and the requester’s message say where nobody is left who may settle it, and whom to tell', () => {
    const nobody = /Nobody can settle it at present: nobody settles their own purchase.*Tell whoever runs Proxy Desk/s;
    const of = RECORDS.unknown();
    expect(readsAs(unknownCard(of, surroundings({ othersWhoApprove: 0 })))).toMatch(nobody);
    expect(readsAs(status(of, { othersWhoApprove: 0 }))).toMatch(nobody);
    for (const othersWhoApprove of [1, undefined]) {
      expect(readsAs(unknownCard(of, surroundings({ othersWhoApprove })))).not.toContain('Nobody can settle');
      expect(readsAs(status(of, { othersWhoApprove }))).toMatch(/It is settled on the card.*$/m);
    }
    const kept = RECORDS.unknown({ ...RENEWAL, submission: 'kept:1:2' });
    expect(readsAs(unknownCard(kept, surroundings({ othersWhoApprove: 0 })))).toContain(
      'or of one that they marked “Keep”',
    );
    // Without a channel, nobody has a card that it could be settled on.
    const off = status(of, { othersWhoApprove: 0, cardsIn: null });
    expect(readsAs(off)).toMatch(/gets its card by direct message/);
    expect(readsAs(off)).not.toContain('It is settled on');
  });

  test('mentions the groups only where it is told to', () => {
    expect(JSON.stringify(unknown(RECORDS.unknown(), [GROUP]))).toContain('<!subteam^S0LEADS>');
    expect(JSON.stringify(unknown())).not.toContain('subteam');
  });
});

describe('at its longest', () => {
  const long = '&'.repeat(500);
  const plan = LONGEST_PLAN;
  const worst: Partial<Purchase> = {
    id: 'p'.repeat(64),
    requester: 'U'.padEnd(30, '0'),
    basket: LONGEST_BASKET,
    quantity: 25 * 999_999_999,
    plan,
    reason: long,
    why: '&'.repeat(3_000),
    attempt: attempt({ balanceBefore: money(`${'9'.repeat(40)}.99`) }),
    approver: ANN,
  };
  const story: Entry[] = [
    move('requested', 'approved', ANN),
    move('approved', 'sending'),
    ...[0, 1, 2].map(() =>
      answered(
        {
          outcome: 'unknown',
          why: '&'.repeat(500),
          vendorText: '&'.repeat(500),
          orderIds: ['9'.repeat(40), ...Array.from({ length: 50 }, (_, index) => `${index}`.padStart(40, '8'))].map(
            asOrderId,
          ),
        },
        true,
      ),
    ),
    reading(null, { why: '&'.repeat(500) }),
    reading('1', { nth: 1 }),
    reading(`-${'9'.repeat(50)}`, { nth: 2 }),
    move('unknown', 'completed', ANN, { note: long }),
    ...[1, 2, 3].flatMap((n) => talk(n, '&'.repeat(500))),
  ];

  test.each(STATES)('%s is accepted by Slack, with the whole reason', (state) => {
    for (const declinedHow of state === 'declined' ? (['vendor', 'not_sent', 'settled'] as const) : [null])
      for (const kind of ['buy', 'renew'] as const) {
        const of = record({ ...worst, state, declinedHow, kind, orderId: asOrderId('9'.repeat(40)) }, story);
        const freeze = { ...FREEZE, reason: '&'.repeat(3_000) };
        const messages: DrawnMessage[] = [
          card(of, {
            mention: [GROUP, 'S0OTHER'],
            freeze,
            order: facts(),
            balance: { ok: false, at: NOW, why: '&'.repeat(500) },
          }),
          status(of, { freeze, othersWhoApprove: 0 }),
          outcome(of),
          passedOnMessage(of, surroundings()),
          unknown(of, [GROUP]),
          questionInThread(of, QUESTION),
          answerInThread(of, QUESTION),
          questionMessage(of, QUESTION),
        ];
        for (const message of messages) accepted(message);
        expect(readsAs(card(of))).toContain(long);
        for (const view of [
          approveView('d', subjectOf(of)),
          rejectView('d', subjectOf(of)),
          settleView('d', of, true),
          settleView('d', of, false),
          orderIdView('d', of),
          askView('d', of),
          answerQuestionView('d', of, QUESTION),
        ])
          accepted(view);
      }
  });
});

test('a request that was asked about at length fits, with the whole reason and the last questions', () => {
  const long = '&'.repeat(500);
  const of = record(
    { state: 'requested', reason: long },
    [1, 2, 3].flatMap((n) => talk(n, long)),
  );
  const freeze = { ...FREEZE, reason: '&'.repeat(3_000) };
  const balance = { ok: false, at: NOW, why: '&'.repeat(500) } as const;
  for (const message of [
    card(of, { mention: [GROUP], freeze, balance, twoPeople: { besides: 9 } }),
    status(of, { freeze }),
  ]) {
    accepted(message);
    expect(readsAs(message)).toContain(long);
  }
});

describe('whatever people or the vendor write', () => {
  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '<!channel>',
          '<@U0EVE>',
          '<https://evil.example|x>',
          'https://evil.example',
          'evil.example',
          '@here',
          '\n*Approved by* ',
          '&lt;!here&gt;',
          ':tada:',
          '\u202e',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  /** Ours: people and groups by ids of the ledger. */
  const ours = new Set([`<@${SAM}>`, `<@${ANN}>`, `<!subteam^${GROUP}>`]);

  test('nothing of it is live, in any message or view, and Slack accepts it', () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom(...STATES), (text, state) => {
        const of = record(
          {
            state,
            reason: text,
            why: text,
            approver: ANN,
            attempt: attempt(),
            declinedHow: 'vendor',
            plan: { ...MONTHLY, name: text || 'x' },
          },
          [
            move('requested', 'approved', ANN),
            move('approved', 'sending'),
            answered({ vendorText: text, why: text, code: text, orderIds: [asOrderId(text)] }),
            reading(null, { why: text }),
            move('unknown', 'completed', ANN, { note: text }),
            entry({ kind: 'order_id', orderId: asOrderId(text), before: null }, { by: SAM }),
            ...talk(1, text),
          ],
        );
        for (const thing of [
          card(of, { mention: [GROUP], freeze: { ...FREEZE, reason: text } }),
          status(of),
          outcome(of),
          unknown(of),
          approveView('d', subjectOf(of)),
          rejectView('d', subjectOf(of)),
          settleView('d', of, true),
          orderIdView('d', of),
          answerView(of, answer({ rawBody: text, why: text })),
          questionInThread(of, QUESTION),
          answerInThread(of, QUESTION),
          questionMessage(of, QUESTION),
          askView('d', of),
          answerQuestionView('d', of, QUESTION),
        ]) {
          expect(liveTokens(accepted(thing)).filter((token) => !ours.has(token))).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('the private answer', () => {
  test('shows the whole body, in pieces that Slack takes, with nothing live', () => {
    const body = `{"code":200,"note":"<!channel> https://evil.example","more":"${'ü"\\'.repeat(10_000)}"}`;
    const view = accepted(answerView(RECORDS.completed(), answer({ rawBody: body })));
    const shown = blocksOf(view).flatMap((block) =>
      block.type === 'rich_text'
        ? block.elements.flatMap((element) => element.elements.map((inner) => ('text' in inner ? inner.text : '')))
        : [],
    );
    expect(shown.join('')).toBe(body);
    expect(view.submit).toBeUndefined();
  });

  test('says when it is not whole, or when there is no body', () => {
    expect(readsAs(answerView(RECORDS.completed(), answer({ rawBodyTruncated: true })))).toMatch(/not whole/);
    expect(readsAs(answerView(RECORDS.completed(), answer({ rawBody: null })))).toMatch(/no body/);
  });

  test.each(['\u0001', '漢', '👍', '"', '\ud800'])('fits with 64 KiB of %j', (character) => {
    accepted(
      answerView(RECORDS.completed(), answer({ rawBody: character.repeat(65_536 / Buffer.byteLength(character)) })),
    );
  });
});

test('the check of limits bites', () => {
  expect(() =>
    accepted({ text: 'x', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3_001) } }] }),
  ).toThrow(/invalid_blocks/);
});
