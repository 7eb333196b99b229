import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineProblemWords } from '../../src/input/line-words.ts';
import { IMPORT_HEADER, LONGEST_NOTE, MOST_LINES, readOrderList } from '../../src/input/order-list.ts';
import type { ListedOrder } from '../../src/purchasing/model/import.ts';

const PEN = { foreign: (text: string) => text, person: (id: string) => id, time: (at: number) => String(at) };

const said = (text: string) => readOrderList(text).problems.map((problem) => lineProblemWords(problem, PEN));
const list = (...lines: string[]) => [IMPORT_HEADER, ...lines].join('\n');
const JAN_31 = Date.UTC(2026, 0, 31);

const whole = (over: Partial<ListedOrder> = {}): ListedOrder => ({
  line: 2,
  orderId: '9007199254740993',
  productId: 'lt-monthly',
  basket: [
    { country: 'US', quantity: 10 },
    { country: 'DE', quantity: 5 },
  ],
  boughtAt: JAN_31,
  owner: { user: 'U0ANN' },
  note: 'ours',
  ...over,
});
const LINE = '9007199254740993,lt-monthly,US 10; DE 5,2026-01-31,U0ANN,ours';

describe('a list of orders is read as people and spreadsheets write it', () => {
  test.each<[string, string, Partial<ListedOrder>]>([
    ['as the header says', list(LINE), {}],
    ['with a byte order mark', `\ufeff${list(LINE)}`, {}],
    ['with CRLF', list(LINE, '').replaceAll('\n', '\r\n'), {}],
    ['with CR alone', list(LINE).replaceAll('\n', '\r'), {}],
    ['with blank and empty rows', list('', ',,,,,', LINE, ' ', ''), { line: 4 }],
    ['with semicolons', list(LINE.replace('US 10; DE 5', '"US 10; DE 5"')).replace(/,/g, ';'), {}],
    [
      'with semicolons, and commas in a value',
      list(LINE.replace('; ', ' + ')).replace(/,/g, ';').replace(' + ', ', '),
      {},
    ],
    ['with tabs', list(LINE).replaceAll(',', '\t'), {}],
    [
      'with columns in another order',
      `note,owner,bought_on,countries,product_id,order_id\nours,U0ANN,2026-01-31,US 10; DE 5,lt-monthly,9007199254740993`,
      {},
    ],
    ['with columns as people write them', list(LINE).replace('order_id,product_id', '"Order ID", Product-Id'), {}],
    [
      'with blanks around values',
      list(' 9007199254740993 , lt-monthly , US 10 ; DE 5 , 2026-01-31 , U0ANN , ours '),
      {},
    ],
    ['with quotes', list('"9007199254740993","lt-monthly","US 10; DE 5","2026-01-31","U0ANN","ours"'), {}],
    [
      'with a quote, separators and a line break in a note',
      list(LINE.replace('ours', '"5"" rack, a; b\nsecond"')),
      { note: '5" rack, a; b\nsecond' },
    ],
    [
      'with the last three empty',
      list('9007199254740993,lt-monthly,US 10; DE 5,,,'),
      { boughtAt: null, owner: null, note: null },
    ],
    [
      'with the last three left off',
      list('9007199254740993,lt-monthly,US 10; DE 5'),
      { boughtAt: null, owner: null, note: null },
    ],
    [
      'with an e-mail address',
      list(LINE.replace('U0ANN', 'Ann.O@Example.org')),
      { owner: { email: 'ann.o@example.org' } },
    ],
    ['with leading zeros and a hash', list(LINE.replace('9007', '#009007')), {}],
    [
      'with an id that a spreadsheet was told to leave alone',
      list(LINE.replace('9007199254740993', "'9007199254740993")),
      {},
    ],
    ['with an id as a formula of a text', list(LINE.replace('9007199254740993', '"=""9007199254740993"""')), {}],
    [
      'with an id of 40 digits',
      list(LINE.replace('9007199254740993', '9'.repeat(40))),
      { orderId: `${'9'.repeat(40)}` as `${bigint}` },
    ],
    ['with names of countries, one a line', list(LINE.replace('US 10; DE 5', '"usa 10\n5 germany"')), {}],
    ['with a country named twice', list(LINE.replace('US 10; DE 5', 'US 4; DE 5; US 6')), {}],
    ['with full-width digits', list(LINE.replace('2026-01-31', '２０２６-01-31')), {}],
    [
      'with columns of a spreadsheet that hold nothing',
      list(`${LINE},,`).replace(IMPORT_HEADER, `${IMPORT_HEADER},,`),
      {},
    ],
    ['with a note that would be a formula', list(LINE.replace('ours', '"=1+1"')), { note: '=1+1' }],
    ['with an entity as it was typed', list(LINE.replace('ours', 'a &amp; b')), { note: 'a &amp; b' }],
  ])('%s', (_, text, over) => {
    expect(readOrderList(text)).toEqual({ lines: [whole(over)], problems: [] });
  });

  test('a leap day is in the calendar', () => {
    expect(readOrderList(list('1,a,US 1,2024-02-29')).lines).toMatchObject([{ boughtAt: Date.UTC(2024, 1, 29) }]);
  });
});

describe('what is wrong with a line is said with its number, its column and how to write it', () => {
  test.each([
    ['order_id', ',a,US 1', 'The order id is missing.'],
    ['order_id', 'abc,a,US 1', '“abc” is not an order id: an order id is digits only.'],
    ['order_id', '1.0,a,US 1', '“1.0” is not an order id: an order id is digits only.'],
    ['order_id', '-1,a,US 1', '“-1” is not an order id: an order id is digits only.'],
    ['order_id', '0,a,US 1', '0 is not an order id.'],
    ['order_id', `${'9'.repeat(41)},a,US 1`, /is too long for an order id: at most 40 digits\.$/],
    [
      'order_id',
      '9.0072E+15,a,US 1',
      /^“9\.0072E\+15” is what a spreadsheet makes of a long id: its digits are lost\. Make the column a text column/,
    ],
    ['order_id', '"9,0072E+15",a,US 1', /its digits are lost/],
    ['order_id', '9e15,a,US 1', /its digits are lost/],
    ['product_id', '1,,US 1', 'The plan is missing: write its product_id, as in the policy.'],
    ['countries', '1,a,', 'Write them like US 10; DE 5.'],
    ['countries', '1,a,XX 1', '“XX” is not a country. Write them like US 10; DE 5.'],
    ['countries', '1,a,US', 'How many for “US”? Write it like US 10. Write them like US 10; DE 5.'],
    ['countries', '1,a,US 0', '“US 0”: at least 1. Write them like US 10; DE 5.'],
    [
      'countries',
      '1,a,"US 1,000"',
      '“US 1,000”: write 1,000 without marks between the digits. Write them like US 10; DE 5.',
    ],
    [
      'countries',
      '1,a,korea 3',
      '“korea” may mean South Korea or North Korea: write its two-letter code. Write them like US 10; DE 5.',
    ],
    ['bought_on', '1,a,US 1,31.01.2026', '“31.01.2026” is not a day: write it like 2026-01-31.'],
    ['bought_on', '1,a,US 1,01/31/2026', '“01/31/2026” is not a day: write it like 2026-01-31.'],
    ['bought_on', '1,a,US 1,2026-1-31', '“2026-1-31” is not a day: write it like 2026-01-31.'],
    ['bought_on', '1,a,US 1,2026-13-01', '“2026-13-01” is not a day: write it like 2026-01-31.'],
    ['bought_on', '1,a,US 1,2026-02-29', '2026-02-29 is not in the calendar.'],
    ['bought_on', '1,a,US 1,1900-01-01', '1900-01-01 is before 2000: look at the year.'],
    ['owner', '1,a,US 1,,@ann', /^“@ann” is neither a Slack user id, like U024BE7LH .+, nor an e-mail address\.$/],
    ['owner', '1,a,US 1,,u0ann', /^“u0ann” is neither/],
    ['owner', '1,a,US 1,,S0TEAM', /^“S0TEAM” is neither/],
    ['owner', '1,a,US 1,,ann@example', /^“ann@example” is neither/],
    ['owner', '1,a,US 1,,operator:root', /^“operator:root” is neither/],
    ['note', `1,a,US 1,,,${'x'.repeat(LONGEST_NOTE + 1)}`, 'It has more than 500 characters: shorten it.'],
  ])('%s: %s', (column, line, words) => {
    const [only, ...others] = said(list('7,a,US 1', line));
    expect(others).toEqual([]);
    const [, place, rest] = /^(line 3, \w+): (.+)$/s.exec(only ?? '') ?? [];
    expect(place).toBe(`line 3, ${column}`);
    expect(rest).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  });

  test('all of it at once, whatever else is right', () => {
    const { lines } = readOrderList(list('x,,US,nope,nobody', '8,a,US 1'));
    expect(said(list('x,,US,nope,nobody', '8,a,US 1')).map((words) => words.split(':')[0])).toEqual(
      ['order_id', 'product_id', 'countries', 'bought_on', 'owner'].map((column) => `line 2, ${column}`),
    );
    expect(lines).toMatchObject([
      { line: 2, orderId: undefined, note: null },
      { line: 3, orderId: '8' },
    ]);
  });

  test.each([
    ['7,a,US 1', '7,a,US 1'],
    ['7,a,US 1', '007,b,DE 2'],
  ])('an id that stands twice in it', (one, other) => {
    expect(said(list(one, other))).toEqual(['line 3, order_id: Order 7 stands in line 2 already.']);
  });

  test.each([
    ['nothing at all', '', /^line 1: There is nothing in it\. Its first line names the columns: order_id,product_id/],
    ['blanks', ' \n\n', /^line 1: There is nothing in it/],
    [
      'no header',
      '7,a,US 1',
      /^line 1: The first line must name the columns: order_id,product_id,countries,bought_on,owner,note$/,
    ],
    ['a header alone', `\n${IMPORT_HEADER}\n`, /^line 2: There is no order below the first line\.$/],
    [
      'a value without a column',
      list('7,a,US 1,,,note, with a comma'),
      /^line 2: “ with a comma” stands in no column\. A value that holds a comma goes in quotes: "…"\.$/,
    ],
    [
      'an unquoted list of countries between semicolons',
      list('7,a,US 1,,,').replaceAll(',', ';').replace('US 1', 'US 1;DE 1;FR 1'),
      /bought_on: “DE 1” is not a day/,
    ],
    [
      'an open quote',
      list('7,a,US 1', '', '8,a,US 1,,,"open', '9,a,US 1'),
      /^line 4: A quotation mark that begins a value has none at its end, so nothing that follows could be read/,
    ],
    [
      'a quote within',
      list('7,a,US 1', '8,a,US 1,,,5" rack', '9,x'),
      /^line 3: There is a quotation mark within a value, so nothing that follows could be read/,
    ],
    ['a quote that ends too early', list('7,a,US 1,,,"5" rack'), /^line 2: There is a quotation mark within a value/],
  ])('%s', (_, text, words) => {
    expect(said(text)[0]).toMatch(words);
  });

  test('more than can be written at once', () => {
    const lines = Array.from({ length: MOST_LINES + 1 }, (_, nth) => `${nth + 1},a,US 1`);
    expect(readOrderList(list(...lines.slice(1))).problems).toEqual([]);
    expect(said(list(...lines))).toEqual(['line 1: More than 10000 orders: cut the list into several.']);
  });
});

describe('a column that is unknown or missing is named', () => {
  test.each([
    ['ordr_id,product_id,countries,bought_on,owner,note', ['“ordr_id” is no column. Did you mean order_id?']],
    [
      'order_id,product_id,country,bought_on,owner,note',
      [
        '“country” is no column. Leave it out; the columns are order_id,product_id,countries,bought_on,owner,note',
        'The column countries is missing.',
      ],
    ],
    ['order_id,product_id,countries,bought_on,owner', ['The column note is missing. Its values may be empty.']],
    [
      'order_id,product_id,countries,bought_on,owner,note,price',
      ['“price” is no column. Leave it out; the columns are order_id,product_id,countries,bought_on,owner,note'],
    ],
    ['order_id,order_id,product_id,countries,bought_on,owner,note', ['The column order_id is there twice.']],
    [
      'orderid,productid,countries,bought on,owner,note',
      ['“orderid” is no column. Did you mean order_id?', '“productid” is no column. Did you mean product_id?'],
    ],
  ])('%s', (header, words) => {
    expect(said(`${header}\n1,a,US 1,,,`)).toEqual(words.map((text) => `line 1: ${text}`));
  });
});

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
/** What a quoted cell keeps: the ends are trimmed, and every line break is the same. */
const note = fc
  .string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '=', ' ', "'", 'é', '東', '&amp;'), maxLength: 40 })
  .map((text) => text.trim());
const order = fc.record({
  orderId: fc.bigInt({ min: 1n, max: 10n ** 40n - 1n }),
  basket: fc.uniqueArray(fc.constantFrom('US', 'DE', 'FR', 'GB', 'JP'), { minLength: 1 }),
  quantity: fc.integer({ min: 1, max: 999_999_999 }),
  day: fc.option(fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })),
  note,
});

test('whatever is written as CSV comes back as it was, with its line', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(order, { selector: ({ orderId }) => orderId, minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      (orders, separator, end, marked) => {
        let line = 2;
        const expected: ListedOrder[] = [];
        const rows = orders.map(({ orderId, basket, quantity, day, note: text }) => {
          const written = day?.toISOString().slice(0, 10) ?? '';
          expected.push({
            line,
            orderId: `${orderId}`,
            productId: 'p',
            basket: basket.map((country) => ({ country, quantity })),
            boughtAt: written === '' ? null : Date.parse(written),
            owner: null,
            note: text === '' ? null : text,
          });
          line += text.split('\n').length;
          const countries = basket.map((country) => `${country} ${quantity}`).join('; ');
          return [String(orderId), 'p', countries, written, '', text].map(cell).join(separator);
        });
        const text = [IMPORT_HEADER.replaceAll(',', separator), ...rows].join('\n').replaceAll('\n', end);
        expect(readOrderList(`${marked ? '\ufeff' : ''}${text}`)).toEqual({ lines: expected, problems: [] });
      },
    ),
  );
});

test('whatever is pasted is read or refused, and never thrown at', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '1', 'US', ' ', '=', 'order_id', '\ufeff') }),
      (text) => {
        for (const given of [text, `${IMPORT_HEADER}\n${text}`]) {
          const { lines, problems } = readOrderList(given);
          expect(lines.length + problems.length).toBeGreaterThan(0);
          for (const { line } of problems) expect(line).toBeGreaterThan(0);
        }
      },
    ),
  );
});
