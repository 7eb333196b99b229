import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literal, plain, plainLines } from '../../views/text.ts';

const LONG = 1_000;

describe('text from people in one of our sentences', () => {
  test.each([
    ['R&D <test>', 'R&amp;D &lt;test&gt;'],
    ['&lt;', '&amp;lt;'],
    ['<@U0AAA111>', '&lt;＠U0AAA111&gt;'],
    ['<!channel> now', '&lt;!channel&gt; now'],
    ['<https://evil.example|https://good.example>', '&lt;https：//evil.example|https：//good.example&gt;'],
    ['@here', '＠here'],
    ['#general', '＃general'],
    ['*bold* _it_ ~no~ `code`', '＊bold＊ ＿it＿ ～no～ ｀code｀'],
    [':tada: at 10:30', '：tada: at 10:30'],
    ['see :tada', 'see ：tada'],
    ['> quoted', '＞ quoted'],
    ['a > b', 'a &gt; b'],
  ])('%j reads %j', (text, shown) => {
    expect(literal(text, LONG)).toBe(shown);
  });

  test.each(['lt_monthly', '2*3 = 6', 'for: crawler', '10:30', 'Zürich 東京', '👩‍👩‍👧 family'])(
    '%j stays as it is',
    (text) => {
      expect(literal(text, LONG)).toBe(text);
    },
  );

  test('stays on one line, so that it cannot look like a line of ours', () => {
    expect(literal('ok\n*Approved by* Sam\r\n\u2028end', LONG)).toBe('ok ＊Approved by＊ Sam end');
  });
});

describe('what cannot be seen', () => {
  test.each([
    ['\u202egnp.exe', 'gnp.exe'],
    ['a\u2066b\u2069c\u061c\u200e\u200f', 'abc'],
    ['a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
    ['a\u0000b\u001bc\u0085d', 'abc d'],
    ['\u{e0041}x', 'x'],
  ])('is taken out of %j', (text, shown) => {
    expect(literal(text, LONG)).toBe(shown);
    expect(plain(text, LONG).text).toBe(shown);
  });

  test('half a surrogate pair becomes a character that can be seen', () => {
    expect(plain('a\ud800b', LONG).text).toBe('a\ufffdb');
  });

  test('a tower of marks is cut down', () => {
    expect(plain(`a${'\u0301'.repeat(50)}b`, LONG).text).toBe(`a${'\u0301'.repeat(4)}b`);
  });

  test.each(['', ' \n ', '\u200b\u202e', '\u3164', '\u200d'])(
    '%j leaves a dash, since Slack refuses an empty text',
    (text) => {
      expect(literal(text, LONG)).toBe('–');
      expect(plain(text, LONG).text).toBe('–');
      expect(plainLines(text, LONG).text).toBe('–');
    },
  );
});

describe('cutting', () => {
  test('counts after escaping, and keeps entities whole', () => {
    expect(literal('a&b', 7)).toBe('a&amp;b');
    expect(literal('a&bc', 7)).toBe('a&amp;…');
    expect(literal('a&bc', 6)).toBe('a…');
    expect(literal('&&&&', 5)).toBe('…');
  });

  test('keeps an emoji of several parts whole', () => {
    const family = '👩‍👩‍👧';
    expect(plain(`${family}${family}`, family.length + 1).text).toBe(`${family}…`);
    expect(plain(`${family}x${family}`, family.length).text).toBe('…');
  });

  test('goes through a very long text once: once for each place in it would outlast every time-out', () => {
    expect(literal(`:a@#*<&_`.repeat(200_000), 100).length).toBeLessThanOrEqual(100);
  });
});

describe('a plain_text object', () => {
  test('shows marks as they were typed, and parses no emoji', () => {
    expect(plain('*a* :tada: @here https://x', LONG)).toEqual({
      type: 'plain_text',
      text: '*a* :tada: @here https://x',
      emoji: false,
    });
  });

  test('keeps line breaks only where asked', () => {
    expect(plain('a\nb', LONG).text).toBe('a b');
    expect(plainLines('a  b \r\nc\n\n\n\nd\n', LONG).text).toBe('a b\nc\n\nd');
  });
});

describe('whatever is typed', () => {
  const nasty = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '@',
        '#',
        '!',
        '|',
        '*',
        '_',
        '~',
        '`',
        ':',
        '/',
        ' ',
        '\n',
        '&lt;',
        '<@U1>',
        '<!here>',
        ':x:',
      ),
      fc.constantFrom('\ud800', '\udc00', '\u202e', '\u200d', '\u0301', '👩‍👩‍👧', '🇩🇪', '\u200b', '\ufe0f'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    maxLength: 60,
  });

  test('is within the limit, well formed, with whole entities and nothing live', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 0, max: 80 }), (text, limit) => {
        for (const shown of [literal(text, limit), plain(text, limit).text, plainLines(text, limit).text]) {
          expect(shown.length).toBeLessThanOrEqual(limit);
          expect(shown.isWellFormed()).toBe(true);
          expect(shown).not.toMatch(/[<>]/);
          expect(shown.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
          expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
        }
        const sentence = literal(text, limit);
        expect(sentence).not.toMatch(/[`\n]|[@#]\S|:\/\/|(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])/);
        expect(sentence).not.toMatch(/:[a-z0-9_+'-]+:/);
      }),
      { numRuns: 1_000 },
    );
  });
});
