import { describe, expect, test } from 'vitest';
import type { KnownFall } from '../../src/purchasing/model/account.ts';
import type { ToldMovement } from '../../src/purchasing/model/alerts.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { knowFallView } from '../../views/fall.ts';
import { renderNotice } from '../../views/notice.ts';
import { ANN, accepted, buttonsOf, FREEZE, liveTokens, NOW, notice, readsAs, surroundings } from './fixture.ts';

const told = (over: Partial<ToldMovement> = {}): ToldMovement => ({
  movement: {
    seq: 7,
    from: NOW - 900_000,
    to: NOW,
    before: '1000.00' as Money,
    after: '952.00' as Money,
    difference: '-48.00' as Money,
    kind: 'elsewhere',
    purchases: [],
    final: true,
  },
  sentInVain: false,
  ...over,
});

const knownAs = (known: KnownFall): ToldMovement => ({ ...told(), movement: { ...told().movement, known } });

const drawn = (change: ToldMovement, over: Parameters<typeof surroundings>[0] = {}, ts: string | null = null) =>
  renderNotice(
    notice({ kind: 'fall', text: '7', purchaseId: null, ts, channel: ts === null ? null : 'C1' }),
    null,
    surroundings({ change, mention: ['S0LEADS'], ...over }),
  );

describe('money that left and that nothing explains', () => {
  test('is told in plain words with both times and balances, and what can be done', () => {
    const message = drawn(told());
    const text = readsAs(message);
    for (const part of [
      '$48.00 left the account between',
      'and Proxy Desk sent nothing',
      'somebody used the console, or the token is known to somebody else',
      'The balance was $1,000.00 before, and $952.00 after',
    ])
      expect(text).toContain(part);
    expect(buttonsOf(message)).toEqual(['I know about it', 'Freeze spending']);
    expect(message.text).toContain('$48.00 left the account');
  });

  test('mentions those who approve once', () => {
    expect(JSON.stringify(drawn(told()))).toContain('<!subteam^S0LEADS>');
    expect(JSON.stringify(drawn(told(), {}, '1.0'))).not.toContain('<!subteam');
  });

  test('does not say that nothing was sent where something was', () => {
    const text = readsAs(drawn(told({ sentInVain: true })));
    expect(text).toContain('and nothing that Proxy Desk sent took it');
    expect(text).not.toContain('Proxy Desk sent nothing');
  });

  test('offers no second freeze', () => {
    expect(buttonsOf(drawn(told(), { freeze: FREEZE }))).toEqual(['I know about it']);
  });

  test('has no buttons once somebody knows, whose words are shown as they were typed', () => {
    const known = { by: ANN, at: NOW, note: '<!channel> <https://x.test|me> *bold*' };
    const message = drawn(knownAs(known), { freeze: FREEZE });
    expect(buttonsOf(message)).toEqual([]);
    expect(readsAs(message)).toContain('knows about it');
    expect(liveTokens(message).join()).not.toMatch(/channel|x\.test/);
  });

  test('and its modal are what Slack takes', () => {
    const known = { by: ANN, at: NOW, note: '<'.repeat(500) };
    for (const message of [drawn(told()), drawn(knownAs(known))]) accepted(message);
    expect(readsAs(knowFallView('d1', told()))).toContain('$48.00 left the account');
    accepted(knowFallView('d1', told()));
  });
});

describe('a top-up', () => {
  const topUp = (purchases: readonly string[]) => {
    const { movement } = told();
    const change = told({
      movement: { ...movement, after: '1500' as Money, difference: '500.00' as Money, kind: 'top_up', purchases },
    });
    return renderNotice(notice({ kind: 'top_up', text: '7', purchaseId: null }), null, surroundings({ change }));
  };

  test('is one line', () => {
    const message = topUp([]);
    expect(message.blocks).toHaveLength(1);
    expect(readsAs(message)).toMatch(/^\$500\.00 came into the account between .+: the balance is \$1,500\.00\.$/);
  });

  test('during which something was sent is only what the balance rose by: more may have come in', () => {
    const message = topUp(['P-1']);
    expect(message.blocks).toHaveLength(1);
    expect(readsAs(message)).toMatch(/^The balance rose by \$500\.00 between .+ so more may have come in: /);
    expect(readsAs(message)).not.toContain('came into the account');
  });
});
