import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Command, parseCommand } from '../../commands/parse.ts';

/** A basket as people write it: `US 10, DE 5`, unclear rows as `?word quantity`. Refused rows are `!problem token`. */
function buy(text: string): string {
  const command = parseCommand(`buy ${text}`);
  if (command.verb === 'buy')
    return [
      ...command.basket.map(({ country, quantity }) => `${country} ${quantity}`),
      ...command.unclear.map(({ word, quantity }) => `?${word} ${quantity}`),
    ].join(', ');
  if (command.verb === 'refused' && command.refusal.problem === 'rows')
    return command.refusal.reading.problems.map(({ problem, token }) => `!${problem} ${token}`).join(', ');
  throw new Error(`not a purchase: ${JSON.stringify(command)}`);
}

/** The order id, or `!problem token`. */
function renew(text: string): string {
  const command = parseCommand(`renew ${text}`);
  if (command.verb === 'renew') return command.orderId ?? 'several';
  if (command.verb === 'refused' && 'token' in command.refusal)
    return `!${command.refusal.problem} ${command.refusal.token}`;
  throw new Error(`not a renewal: ${JSON.stringify(command)}`);
}

describe('the verb', () => {
  test.each<[string, Command]>([
    ['', { verb: 'help', unknownWord: null }],
    [' \u200b\n', { verb: 'help', unknownWord: null }],
    ['help', { verb: 'help', unknownWord: null }],
    ['help buy', { verb: 'help', unknownWord: null }],
    ['balance', { verb: 'balance' }],
    ['Baskets', { verb: 'baskets' }],
    ['requests', { verb: 'requests', mine: false }],
    ['requests Mine', { verb: 'requests', mine: true }],
    ['requests “mine”', { verb: 'refused', refusal: { problem: 'extra_words', after: 'requests', token: '“mine”' } }],
    ['requests mine now', { verb: 'refused', refusal: { problem: 'extra_words', after: 'requests', token: 'now' } }],
    ['requests yours', { verb: 'refused', refusal: { problem: 'extra_words', after: 'requests', token: 'yours' } }],
    ['orders', { verb: 'orders', query: { which: 'running', mine: false, country: null } }],
    ['unfreeze', { verb: 'unfreeze' }],
    ['status', { verb: 'status' }],
    ['buy', { verb: 'buy', basket: [], unclear: [] }],
    ['buy , ,\n', { verb: 'buy', basket: [], unclear: [] }],
    ['renew 123', { verb: 'renew', orderId: '123' }],
    ['freeze prices look wrong', { verb: 'freeze', reason: 'prices look wrong' }],
  ])('%j is understood', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  test.each([
    'Balance',
    'BALANCE',
    'balance\n',
    '\tbalance  ',
    'ｂａｌａｎｃｅ',
    '“balance”',
    'bal\u200bance',
    '\ufeffbalance',
    '\u3000balance\u3000',
  ])('%j is balance', (text) => {
    expect(parseCommand(text)).toEqual({ verb: 'balance' });
  });

  test.each([
    'balnace',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'buyUS',
    'ba\u0131ance',
    '“balance',
    '123',
    'Kauf',
  ])('%j is an unknown word, and nothing else happens', (word) => {
    expect(parseCommand(word)).toEqual({ verb: 'help', unknownWord: word });
    expect(parseCommand(`${word} US 10`)).toEqual({ verb: 'help', unknownWord: word });
  });

  test('a mention in its place is named without pinging', () => {
    expect(parseCommand('<@U0AAA111|sam> 5')).toEqual({ verb: 'help', unknownWord: '@sam' });
    expect(parseCommand('<!channel>')).toEqual({ verb: 'help', unknownWord: '@channel' });
  });

  test.each(['balance', 'baskets', 'requests', 'unfreeze', 'status'] as const)('%s refuses extra words', (verb) => {
    expect(parseCommand(`${verb} now`)).toEqual({
      verb: 'refused',
      refusal: { problem: 'extra_words', after: verb, token: 'now' },
    });
  });
});

/** `running mine DE`, or the order id; what is refused is `!problem token`. */
function orders(text: string): string {
  const command = parseCommand(`orders ${text}`);
  if (command.verb === 'order') return command.orderId;
  if (command.verb === 'refused' && 'token' in command.refusal)
    return `!${command.refusal.problem} ${command.refusal.token}`;
  if (command.verb !== 'orders') throw new Error(`not the order book: ${JSON.stringify(command)}`);
  const { which, mine, country } = command.query;
  return [which, ...(mine ? ['mine'] : []), ...(country === null ? [] : [country])].join(' ');
}

describe('the order book', () => {
  test.each([
    ['', 'running'],
    ['mine', 'running mine'],
    ['ＭＩＮＥ', 'running mine'],
    ['“ending”', 'ending'],
    ['Ended', 'ended'],
    ['all', 'all'],
    ['mine ended', 'ended mine'],
    ['ending mine', 'ending mine'],
    ['DE', 'running DE'],
    ['uk', 'running GB'],
    ['germany', 'running DE'],
    ['South Korea mine', 'running mine KR'],
    ['Bosnia &amp; Herzegovina', 'running BA'],
    ["Côte d'Ivoire ended", 'ended CI'],
    ['all united states', 'all US'],
  ])('%j asks for %s', (text, query) => {
    expect(orders(text)).toBe(query);
  });

  test.each([
    ['123', '123'],
    ['#0123', '123'],
    ['１２３', '123'],
    ['&lt;123&gt;', '123'],
    ['<tel:123|123>', '123'],
    ['<https://vendor.example/orders/123|123>', '123'],
    ['9007199254740993', '9007199254740993'],
  ])('%j is an order', (text, orderId) => {
    expect(orders(text)).toBe(orderId);
  });

  test.each([
    ['korea', '!orders_unclear korea'],
    ['mine korea', '!orders_unclear korea'],
    ['foo', '!orders_unknown foo'],
    ['mine foo bar', '!orders_unknown foo bar'],
    ['mine mine', '!orders_unknown mine'],
    ['ended ending', '!orders_unknown ending'],
    ['US DE', '!orders_unknown US DE'],
    ['mine 123', '!orders_unknown 123'],
    ['123 456', '!orders_unknown 123 456'],
    ['mıne', '!orders_unknown mıne'],
    ['__proto__', '!orders_unknown __proto__'],
    ['12a', '!order_id_not_digits 12a'],
    ['0', '!order_id_zero 0'],
    ['<@U0AAA111|sam>', '!order_id_mention @sam'],
    ['<https://x.example/1|2>', '!order_id_link_disagrees 2'],
  ])('%j is refused with the word named: %s', (text, refusal) => {
    expect(orders(text)).toBe(refusal);
  });
});

describe('the rows of a purchase', () => {
  test.each([
    ['US 10, DE 5', 'US 10, DE 5'],
    ['us 10, De 5', 'US 10, DE 5'],
    ['US 10\r\nDE 5\r\n\r\n', 'US 10, DE 5'],
    ['US 10,,DE 5,', 'US 10, DE 5'],
    ['US\t10\u2028DE\u00a05', 'US 10, DE 5'],
    ['“US 10, DE 5”', 'US 10, DE 5'],
    ['‘US 10’', 'US 10'],
    ['"US 10"', 'US 10'],
    ['ＵＳ　１０，ＤＥ　５', 'US 10, DE 5'],
    ['U\u200bS 1\u20600', 'US 10'],
    ['US 10, DE 5, us 3', 'US 13, DE 5'],
    ['UK 5', 'GB 5'],
    ['uk 5, GB 5', 'GB 10'],
    ['NO 3', 'NO 3'],
    ['US 999999999', 'US 999999999'],
    ['US <tel:1000000|1000000>', 'US 1000000'],
    ['10 US', 'US 10'],
    ['US,10', 'US 10'],
    ['US;10', 'US 10'],
    ['US:10', 'US 10'],
    ['France: 3', 'FR 3'],
    ['US,10,DE,5', 'US 10, DE 5'],
    ['10,US,5,DE', 'US 10, DE 5'],
    ['US 10; DE 5', 'US 10, DE 5'],
    ['10 US, 5 DE', 'US 10, DE 5'],
    ['"US", "10"', 'US 10'],
    ['Country;Quantity\nUS;10\nDE;5', 'US 10, DE 5'],
    ['country, ips\n10, US', 'US 10'],
    ['- US 10\n• DE 5', 'US 10, DE 5'],
    ['US - 10', 'US 10'],
    ['germany 10', 'DE 10'],
    ['10 usa', 'US 10'],
    ['USA 5', 'US 5'],
    ['United States 5', 'US 5'],
    ['5 south korea', 'KR 5'],
    ["Côte d'Ivoire 5", 'CI 5'],
    ['Österreich 2', 'AT 2'],
    ['Bosnia &amp; Herzegovina 5', 'BA 5'],
    ['US 10, korea 5', 'US 10, ?korea 5'],
    ['5 congo', '?congo 5'],
    ['leone 2', '?leone 2'],
  ])('%j reads %s', (text, basket) => {
    expect(buy(text)).toBe(basket);
  });

  test.each([
    ['0', 'quantity_zero 0'],
    ['00', 'quantity_zero 00'],
    ['-5', 'quantity_not_whole -5'],
    ['+5', 'quantity_not_whole +5'],
    ['1e3', 'quantity_not_whole 1e3'],
    ['10.0', 'quantity_not_whole 10.0'],
    ['10.5', 'quantity_not_whole 10.5'],
    ['0x10', 'quantity_not_whole 0x10'],
    ['10abc', 'quantity_not_whole 10abc'],
    ['', 'quantity_missing US'],
    ['1,000', 'digits_grouped 1,000'],
    ['1,000,000', 'digits_grouped 1,000,000'],
    ['1,000.00', 'digits_grouped 1,000.00'],
    ['1, 000', 'digits_grouped 1,000'],
    ['1 000', 'extra_word 000'],
    ['1_000', 'quantity_not_whole 1_000'],
    ['01', 'quantity_not_whole 01'],
    ['1000000000', 'quantity_too_large 1000000000'],
    ['99999999999999999999', 'quantity_too_large 99999999999999999999'],
    ['10²', 'quantity_not_whole 10²'],
    ['①', 'quantity_not_whole ①'],
    ['½', 'quantity_not_whole ½'],
    ['٥', 'quantity_not_whole ٥'],
    ['<tel:5|10>', 'quantity_not_whole <tel:5|10>'],
    ['&lt;5&gt;', 'quantity_not_whole <5>'],
  ])('the quantity %j is refused', (quantity, problem) => {
    expect(buy(`US ${quantity}`)).toBe(`!${problem}`);
  });

  test.each([
    ['EU 5', 'country_unknown EU'],
    ['XX 5', 'country_unknown XX'],
    ['U S 5', 'country_unknown U S'],
    ['\u0131e 5', 'country_unknown \u0131e'],
    ['u\u017f 5', 'country_unknown u\u017f'],
    ['constructor 5', 'country_unknown constructor'],
    ['10', 'country_missing 10'],
    ['-5', 'country_missing -5'],
    ['DE', 'quantity_missing DE'],
    ['10 US 5', 'extra_word 5'],
    ['US 1,500 DE', 'digits_grouped 1,500'],
    ['1,500 US', 'digits_grouped 1,500'],
    ['US,1,000', 'digits_grouped 1,000'],
    ['US, DE 5', 'quantity_missing US'],
    ['US ten', 'quantity_not_whole ten'],
    ['Country, Quantity', 'country_unknown Country, !country_unknown Quantity'],
    ['republic 5', 'country_unknown republic'],
    ['Atlantis 5', 'country_unknown Atlantis'],
    ['US10', 'country_unknown US10'],
    ['US 10 DE 5', 'extra_word DE'],
    ['“US 10', 'stray_quote “US'],
    ['"US 10', 'stray_quote "US'],
    ['US "10"', 'stray_quote "10"'],
    ['<@U0AAA111|sam> 5', 'country_unknown @sam'],
    ['US 5 <!here>', 'extra_word @here'],
  ])('%j is refused', (text, problem) => {
    expect(buy(text)).toBe(`!${problem}`);
  });

  test('a word that means nothing opens nothing, and what is right is kept to be copied', () => {
    expect(parseCommand('buy US 1, Atlantis 5, korea 2')).toEqual({
      verb: 'refused',
      refusal: {
        problem: 'rows',
        reading: {
          basket: [{ country: 'US', quantity: 1 }],
          unclear: [{ word: 'korea', codes: ['KR', 'KP'], quantity: 2 }],
          problems: [{ line: null, row: 'Atlantis 5', token: 'Atlantis', problem: 'country_unknown' }],
        },
      },
    });
  });

  test('problems of several lines are told by their line', () => {
    const command = parseCommand('buy US 1\n\nAtlantis 5\nDE');
    expect(
      command.verb === 'refused' && command.refusal.problem === 'rows' && command.refusal.reading.problems,
    ).toEqual([
      { line: 3, row: 'Atlantis 5', token: 'Atlantis', problem: 'country_unknown' },
      { line: 4, row: 'DE', token: 'DE', problem: 'quantity_missing' },
    ]);
  });

  test('every wrong row is named, and one is enough to refuse all', () => {
    expect(buy('US 10, DE -5')).toBe('!quantity_not_whole -5');
    expect(buy('__proto__ 5, toString 2, US 1, FR x')).toBe(
      '!country_unknown __proto__, !country_unknown toString, !quantity_not_whole x',
    );
  });
});

describe('the order id', () => {
  test.each([
    ['123456', '123456'],
    ['\n123456', '123456'],
    [' \t 123456   ', '123456'],
    ['00012345', '12345'],
    ['9007199254740993', '9007199254740993'],
    ['9'.repeat(40), '9'.repeat(40)],
    ['１２３４５', '12345'],
    ['12\u200b345\ufeff', '12345'],
    ['#12345', '12345'],
    ['＃12345', '12345'],
    ['"12345"', '12345'],
    ['', 'several'],
    [' \u200b"" ', 'several'],
    ['&lt;123456&gt;', '123456'],
    ['<123456>', '123456'],
    ['&lt;#123&gt;', '123'],
    ['#&lt;123&gt;', '123'],
    ['<tel:123|123>', '123'],
    ['<https://x.example/orders/123|123>', '123'],
    ['<https://x.example/orders/123/|123>', '123'],
    ['<https://x.example/orders/0123?a=1&amp;b=2|0123>', '123'],
  ])('%j is %s', (text, orderId) => {
    expect(renew(text)).toBe(orderId);
  });

  test.each([
    ['#', 'order_id_missing #'],
    ['0', 'order_id_zero 0'],
    ['000', 'order_id_zero 000'],
    ['1'.repeat(41), `order_id_too_long ${'1'.repeat(41)}`],
    ['1 2', 'extra_words 2'],
    ['123 please', 'extra_words please'],
    ['—12345', 'order_id_not_digits —12345'],
    ['-12345', 'order_id_not_digits -12345'],
    ['##123', 'order_id_not_digits ##123'],
    ['12a', 'order_id_not_digits 12a'],
    ['1e3', 'order_id_not_digits 1e3'],
    ['12.0', 'order_id_not_digits 12.0'],
    ['１２²', 'order_id_not_digits 12²'],
    ['٥', 'order_id_not_digits ٥'],
    ['constructor', 'order_id_not_digits constructor'],
    ['“12345', 'stray_quote “12345'],
    ['&amp;lt;123&amp;gt;', 'order_id_not_digits &lt;123&gt;'],
    ['<@U0AAA111|sam>', 'order_id_mention @sam'],
    ['<@U0AAA111|sam smith>', 'order_id_mention @sam smith'],
    ['<@U0AAA111>', 'order_id_mention @U0AAA111'],
    ['<#C0AAA111|general>', 'order_id_mention #general'],
    ['<!channel>', 'order_id_mention @channel'],
    ['<!subteam^S0AAA|@leads>', 'order_id_mention @leads'],
    ['<!subteam^S0AAA>', 'order_id_mention @S0AAA'],
    ['<tel:124|123>', 'order_id_link_disagrees 123'],
    ['<https://x.example/orders/124|123>', 'order_id_link_disagrees 123'],
    ['<https://x.example/orders/9123|123>', 'order_id_link_disagrees 123'],
    ['<https://x.example/orders/124?id=123|123>', 'order_id_link_disagrees 123'],
    ['<mailto:123|123>', 'order_id_link_disagrees 123'],
    ['<https://x.example/orders/123>', 'order_id_link_disagrees https://x.example/orders/123'],
    ['<https://x.example/orders/123|order 123>', 'order_id_link_disagrees order 123'],
  ])('%j is refused', (text, problem) => {
    expect(renew(text)).toBe(`!${problem}`);
  });
});

describe('the reason to freeze', () => {
  test.each([
    ['R&amp;D &lt;test&gt;', 'R&D <test>'],
    ['&amp;lt;', '&lt;'],
    ['“stop” now\nplease', '“stop” now\nplease'],
    ['ask <@U0AAA111|sam> in <#C0AAA111|general>', 'ask @sam in #general'],
    ['ＡＢＣ', 'ＡＢＣ'],
  ])('%j is kept as typed, decoded once', (text, reason) => {
    expect(parseCommand(`freeze ${text}`)).toEqual({ verb: 'freeze', reason });
  });

  test.each(['freeze', 'freeze  \u200b ', 'Freeze\n'])('%j is refused without one', (text) => {
    expect(parseCommand(text)).toEqual({ verb: 'refused', refusal: { problem: 'reason_missing' } });
  });
});

describe('whatever is typed', () => {
  const pieces = fc.constantFrom(
    'buy',
    'renew',
    'US',
    'DE',
    '10',
    '1',
    ' ',
    ',',
    '\n',
    '<',
    '>',
    '|',
    '@U1',
    '&lt;',
    '&amp;',
    '"',
    '“',
    '#',
    '１',
    'tel:',
    '\u200b',
  );
  const typed = fc.oneof(fc.string({ unit: pieces, maxLength: 20 }), fc.string({ unit: 'binary' }));

  test('never throws, and what it lets through is what may be sent', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'buy ', 'renew ', 'freeze '), typed, (verb, text) => {
        const command = parseCommand(verb + text);
        if (command.verb === 'renew') expect(command.orderId ?? '1').toMatch(/^[1-9][0-9]{0,39}$/);
        if (command.verb === 'buy')
          for (const { country, quantity } of command.basket) {
            expect(country).toMatch(/^[A-Z]{2}$/);
            expect(Number.isSafeInteger(quantity) && quantity > 0).toBe(true);
          }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a long text is gone through once: once for each place in it would outlast every time-out', () => {
    for (const piece of ['<', '&lt;', ' ', '"', ',', '1,', 'US 1,', '<@U1>', '\u3000x'])
      for (const verb of ['', 'buy ', 'renew ', 'freeze ']) parseCommand(verb + piece.repeat(100_000));
  });
});
