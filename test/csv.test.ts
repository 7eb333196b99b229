import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow } from '../src/csv.ts';

/** One text cell as it stands in the file. */
const cell = (text: string) => csvRow([{ text }]).slice(0, -2);

describe('the export', () => {
  test('ends every row with CRLF', () => {
    expect(csvRow([{ text: 'p1' }, null])).toBe('p1,\r\n');
  });

  test.each([
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['one\r\ntwo', '"one\r\ntwo"'],
    ['plain', 'plain'],
    ['Zürich 東京', 'Zürich 東京'],
  ])('quotes %j so that it comes back as it was', (text, written) => {
    expect(cell(text)).toBe(written);
  });

  test.each([
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1', "'+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['   =1', "'   =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['\ttext', `"'\ttext"`],
  ])('takes the formula out of %j', (text, written) => {
    expect(cell(text)).toBe(written);
  });

  test('takes it out where a spreadsheet with semicolons would start a cell or row', () => {
    expect(cell('a;=1')).toBe(`"a;'=1"`);
    expect(cell('a\n=1')).toBe(`"a\n'=1"`);
    expect(cell('a; "=1')).toBe(`"a; ""'=1"`);
  });

  test('leaves an equals sign alone that cannot start a formula', () => {
    expect(cell('a = b')).toBe('a = b');
    expect(cell('semi-annual')).toBe('semi-annual');
  });

  test('keeps numbers numbers, negative ones too', () => {
    expect(csvRow([{ exact: '-3.20' }, { exact: 13 }, { exact: 9007199254740993n }])).toBe(
      '-3.20,13,9007199254740993\r\n',
    );
  });

  test.each(['=1', '1e3', '', '1,000', 'NaN'])('refuses %j as a number', (exact) => {
    expect(() => csvRow([{ exact }])).toThrow(RangeError);
  });

  test.each(['9007199254740993', '00012345', '1'])('keeps every digit of the id %s when opened', (digits) => {
    expect(csvRow([{ digits }])).toBe(`'${digits}\r\n`);
  });

  test('whatever is typed stays one cell, and no cell begins a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '+', '-', '@', ' ', '\t', '"', ',', ';', '\r', '\n', 'a', '＝') }),
        (text) => {
          const read = readCell(cell(text));
          expect(read).not.toMatch(/^[\s]*[=+\-@＝]/);
          expect(read.replaceAll("'", '')).toBe(text);
        },
      ),
    );
  });
});

/** Reads one field back by the rules of RFC 4180. */
function readCell(written: string): string {
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(written) ?? [];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  expect(written).not.toMatch(/[",\r\n]/);
  return written;
}
