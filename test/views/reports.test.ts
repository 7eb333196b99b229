import { describe, expect, test } from 'vitest';
import type { Notice, NoticeKind } from '../../src/purchasing/model/outbox.ts';
import type { Instance } from '../../src/purchasing/ports/instances.ts';
import type { Status } from '../../src/purchasing/ports/status.ts';
import { deskStatusMessage } from '../../views/desk-status.ts';
import { renderNotice } from '../../views/notice.ts';
import { balanceText, freezeText, helpText, requestsMessage, unfreezeText } from '../../views/reports.ts';
import { parseRefusalText } from '../../views/typed-problems.ts';
import {
  ANN,
  accepted,
  notice as aNotice,
  FREEZE,
  GROUP,
  LONGEST_BASKET,
  liveTokens,
  MONTHLY,
  money,
  NOW,
  purchase,
  RECORDS,
  readsAs,
  SAM,
  surroundings,
} from './fixture.ts';

const BALANCE = { ok: true, balance: money('12.50'), at: NOW } as const;
const big = { basket: LONGEST_BASKET, plan: { ...MONTHLY, name: '&'.repeat(75) }, id: 'p'.repeat(64) };
const many = Array.from({ length: 200 }, () => purchase({ ...big, state: 'approved', sendBy: NOW }));

describe('/proxy balance', () => {
  test('tells the balance, when it was read, and what waits to be sent', () => {
    const text = readsAs(balanceText(BALANCE, [purchase({ state: 'approved' })], FREEZE));
    expect(text).toMatch(/Balance: \$12\.50, read 14:03 UTC/);
    expect(text).toMatch(/15 IPs \(DE 5, US 10\) for @U0SAM: approved, waiting to be sent/);
    expect(text).toMatch(/Spending is frozen by @U0ANN/);
  });

  test('could not be read is not zero', () => {
    const message = balanceText({ ok: false, at: NOW, why: 'the vendor answered with status 502' }, [], null);
    expect(message.text).toBe('Balance: could not be read (the vendor answered with status 502)');
    expect(readsAs(message)).toMatch(/Nothing waits to be sent/);
  });

  test('fits at its longest', () => {
    accepted(
      balanceText({ ok: false, at: NOW, why: '&'.repeat(3_000) }, many, { ...FREEZE, reason: '&'.repeat(3_000) }),
    );
  });
});

describe('/proxy requests', () => {
  test('lists what is open, with its state', () => {
    const text = readsAs(requestsMessage([RECORDS.requested().purchase, RECORDS.unknown().purchase], NOW, null));
    expect(text).toMatch(
      /2 requests are open.*waiting for approval.*Asked 10 min ago, open until.*unknown.*an approver has to settle/s,
    );
  });

  test('says so when there is nothing', () => {
    expect(requestsMessage([], NOW, null).text).toBe('No request is open.');
  });

  test('fits at its longest, and says how many are left out', () => {
    expect(readsAs(requestsMessage(many, NOW, { ...FREEZE, reason: '&'.repeat(3_000) }))).toMatch(/and 180 more/);
  });
});

describe('/proxy status', () => {
  const one: Instance = {
    id: '1a2b3c4d',
    version: '0.1.0',
    policyHash: '3f2a91c0d4e5f607',
    vendorHash: 'v',
    policySince: NOW,
    slack: 'connected',
    startedAt: NOW,
  };
  const status: Status = {
    now: NOW,
    schema: 1,
    frozen: false,
    freeze: null,
    purchases: [],
    oldest: [],
    notices: { count: 0, since: null },
    readings: { count: 0, since: null },
    instances: [one],
  };
  const desk = { status, lane: { sending: null, next: null }, reading: null, me: one.id };

  test('of an idle bot is a few lines', () => {
    expect(readsAs(deskStatusMessage(desk)).split('\n')).toEqual([
      'Spending is not frozen.',
      'Nothing waits to be sent.',
      'Open: 0 to be decided · 0 to be sent · 0 unknown',
      'Balance, as last read: this process has not read it yet',
      '1 process',
      expect.stringMatching(/^• 1a2b3c4d \(this one\) version 0\.1\.0, since /),
      expect.stringMatching(/^ {3}policy 3f2a91c since /),
      '   Slack: connected',
    ]);
  });

  test('names what is wrong with a process, and says nothing of what an older version does not tell', () => {
    const away = { ...one, slack: 'Slack refuses SLACK_BOT_TOKEN (token_revoked)' };
    const older = { ...one, id: 'old', version: '0.0.9', slack: null, policySince: null };
    const text = readsAs(deskStatusMessage({ ...desk, status: { ...status, instances: [older, away] } }));
    expect(text).toMatch(/• old version 0\.0\.9, since .*\n +policy 3f2a91c\n +Slack: not said/);
    expect(text).toContain('⚠️ Slack refuses SLACK_BOT_TOKEN (token_revoked)');
  });

  test('fits at its longest', () => {
    const long = '&'.repeat(3_000);
    const instances = Array.from({ length: 30 }, (_, n) => ({
      ...one,
      id: `${n}${long}`,
      version: long,
      slack: long,
      policyHash: `${n}`,
    }));
    const purchase = many[0];
    if (!purchase) throw new Error('there is none');
    accepted(
      deskStatusMessage({
        ...desk,
        lane: { sending: purchase, next: { purchase, why: long } },
        reading: { ok: false, at: NOW, why: long },
        status: { ...status, freeze: { ...FREEZE, reason: long }, instances },
      }),
    );
  });
});

describe('/proxy help', () => {
  test('is short, and names an unknown word without making it live', () => {
    expect(readsAs(helpText())).toMatch(/^\/proxy balance/);
    const message = helpText('<!channel>');
    expect(readsAs(message)).toMatch(/“<!channel>” is not a command/);
    expect(liveTokens(message)).toEqual([]);
  });
});

const wrongRow = (token: string) => ({ line: null, row: `${token} 5`, token, problem: 'country_unknown' }) as const;
const rowsRefused = (...problems: ReturnType<typeof wrongRow>[]) =>
  ({ problem: 'rows', reading: { basket: [], unclear: [], problems } }) as const;

describe('a typed command that cannot be followed', () => {
  test.each([
    [rowsRefused(wrongRow('Foo')), /“Foo” is not a country\./],
    [rowsRefused(wrongRow('<@U0EVE>')), /“<＠U0EVE>” is not a country\./],
    [
      {
        problem: 'rows',
        reading: {
          ...rowsRefused(wrongRow('Foo')).reading,
          basket: [{ country: 'US', quantity: 10 }],
          unclear: [{ word: 'korea', codes: ['KR', 'KP'], quantity: 2 }],
        },
      },
      /The rest, to copy:\n\/proxy buy US 10, korea 2/,
    ],
    [{ problem: 'order_id_not_digits', token: '12a', after: 'renew' }, /12a is not an order id.*\/proxy renew 123456/],
    [{ problem: 'order_id_zero', token: '0', after: 'orders' }, /\/proxy orders 123456.*`mine`|mine, with ending/],
    [{ problem: 'orders_unknown', token: '<!here>' }, /“<!here>” is neither a country nor a word.*may stand mine/],
    [
      { problem: 'orders_unclear', token: 'korea', codes: ['KR', 'KP'] },
      /“korea” may be South Korea or North Korea: write its code, like \/proxy orders KR\./,
    ],
    [{ problem: 'extra_words', after: 'balance', token: 'now' }, /“now” is one word too many after \/proxy balance/],
    [{ problem: 'stray_quote', token: '"US' }, /stray quotation mark/],
    [{ problem: 'reason_missing' }, /Say why/],
  ] as const)('%j names what is wrong, and that nothing was done', (refusal, words) => {
    const message = parseRefusalText(refusal);
    expect(readsAs(message)).toMatch(words);
    expect(readsAs(message)).toMatch(/Nothing was opened, filed or spent/);
    expect(liveTokens(message)).toEqual([]);
  });

  test('fits with many wrong rows', () => {
    const row = wrongRow('&'.repeat(3_000));
    expect(readsAs(parseRefusalText(rowsRefused(...Array.from({ length: 50 }, () => row))))).toMatch(/And 45 more/);
  });
});

test('freezing and unfreezing say what happens to what is approved', () => {
  expect(readsAs(freezeText(FREEZE))).toMatch(/frozen: bill looks odd.*Nothing is sent until \/proxy unfreeze/s);
  expect(readsAs(unfreezeText(FREEZE, 0))).toMatch(/no longer frozen.*is sent now/);
  accepted(freezeText({ reason: '&'.repeat(3_000) }));
});

describe('notices', () => {
  const notice = (kind: NoticeKind, overrides: Partial<Notice> = {}) =>
    aNotice({ kind, audience: kind === 'status' || kind === 'outcome' ? 'requester' : 'approvers', ...overrides });
  const around = surroundings({ mention: [GROUP], balance: BALANCE });
  const draw = (of: Notice) => renderNotice(of, RECORDS.unknown(), around);

  test.each(['card', 'unknown_card', 'frozen', 'alert'] as const)(
    'a %s mentions the groups when it is posted, never on an edit',
    (kind) => {
      const [first, edited] = [
        draw(notice(kind, { text: 'x' })),
        draw(notice(kind, { text: 'x', channel: 'C0', ts: '1.2' })),
      ];
      expect(JSON.stringify(accepted(first).blocks)).toContain(`<!subteam^${GROUP}>`);
      expect(JSON.stringify(accepted(edited))).not.toContain('subteam');
    },
  );

  test.each(['status', 'outcome', 'unfrozen'] as const)('a %s mentions no group', (kind) => {
    expect(JSON.stringify(accepted(draw(notice(kind))))).not.toContain('subteam');
  });

  test('nor does anything that goes to one person', () => {
    expect(JSON.stringify(draw(notice('card', { audience: `user:${ANN}` })))).not.toContain('subteam');
    expect(JSON.stringify(draw(notice('alert', { audience: 'requester', text: 'x' })))).not.toContain('subteam');
  });

  test('a freeze by the bot itself says so, and that it is nobody at fault', () => {
    const text = readsAs(
      draw(notice('frozen', { by: 'desk', text: 'the vendor does not accept the account token (401)' })),
    );
    expect(text).toMatch(/frozen by Proxy Desk itself: the vendor does not accept.*nobody's fault/s);
    expect(readsAs(draw(notice('unfrozen', { by: SAM })))).toMatch(/no longer frozen, by @U0SAM/);
  });

  test('one about a purchase that is not given is a bug', () => {
    expect(() => renderNotice(notice('card'), null, around)).toThrow(/got none/);
    expect(renderNotice(notice('alert', { text: 'look' }), null, around).text).toBe('look');
  });
});
