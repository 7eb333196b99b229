import { describe, expect, test } from 'vitest';
import { parseMrkdwn, unescaped } from '../../sandbox/page/mrkdwn.ts';

const text = (words: string) => ({ kind: 'text', text: words });

describe('mrkdwn is read as Slack reads it', () => {
  test.each<[string, unknown[]]>([
    [
      '*bold* and _slanted_ and ~gone~',
      [
        { kind: 'bold', inside: [text('bold')] },
        text(' and '),
        { kind: 'italic', inside: [text('slanted')] },
        text(' and '),
        { kind: 'strike', inside: [text('gone')] },
      ],
    ],
    ['2*3*4 snake_case_name', [text('2*3*4 snake_case_name')]],
    ['*_both_*', [{ kind: 'bold', inside: [{ kind: 'italic', inside: [text('both')] }] }]],
    ['`*no*` ```a\n*b*```', [{ kind: 'code', text: '*no*' }, text(' '), { kind: 'pre', text: 'a\n*b*' }]],
    [
      '<@U1> <#C1|old> <!subteam^S1> <!here>',
      [
        { kind: 'person', id: 'U1', label: null },
        text(' '),
        { kind: 'channel', id: 'C1', label: 'old' },
        text(' '),
        { kind: 'group', id: 'S1', label: null },
        text(' '),
        { kind: 'broadcast', range: 'here' },
      ],
    ],
    [
      '<https://a.example/?x=1&amp;y=2|a &lt;b&gt;>',
      [{ kind: 'link', url: 'https://a.example/?x=1&y=2', label: 'a <b>' }],
    ],
    [
      '<!date^1700000000^{date_short} at {time}|then>',
      [{ kind: 'date', at: 1700000000, format: '{date_short} at {time}', url: null, fallback: 'then' }],
    ],
    ['&gt; said\nanswer', [{ kind: 'quote', inside: [text('said')] }, text('answer')]],
    ['&lt;@U1&gt;', [text('<@U1>')]],
  ])('%s', (source, pieces) => {
    expect(parseMrkdwn(source, true)).toEqual(pieces);
  });

  test('a bare address is a link, unless verbatim', () => {
    expect(parseMrkdwn('see https://a.example/x.', false)).toEqual([
      text('see '),
      { kind: 'link', url: 'https://a.example/x', label: 'https://a.example/x' },
      text('.'),
    ]);
    expect(parseMrkdwn('see https://a.example/x.', true)).toEqual([text('see https://a.example/x.')]);
  });
});

test('entities are undone once', () => {
  expect(unescaped('&amp;lt; &lt; &amp;amp; &quot;')).toBe('&lt; < &amp; &quot;');
});
