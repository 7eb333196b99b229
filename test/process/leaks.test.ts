import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findLeaks } from './leaks.ts';

const token = { name: 'the token', value: 'xoxb-4f1c09aa7d3e5b6f8812' };
const { value } = token;

/** Without this, a search that finds nothing would pass for a program that leaks nothing. */
describe('the search for secrets', () => {
  it.each([
    ['as it is', `{"msg":"Bearer ${value}"}`],
    ['cut in two', `…${value.slice(0, 14)}`],
    ['its end alone', value.slice(-13)],
    ['escaped for JSON', Array.from(value, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['percent-encoded', Array.from(value, (c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    ['escaped for HTML', Array.from(value, (c) => `&#${c.charCodeAt(0)};`).join('')],
    ['in hex', Buffer.from(value).toString('hex')],
    ['in capital hex', Buffer.from(value).toString('hex').toUpperCase()],
    ['in base64', Buffer.from(value).toString('base64')],
    ['in base64 after one byte', Buffer.from(`:${value}:`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`ab${value}cdef`).toString('base64url')],
    ['in UTF-16', Buffer.from(value, 'utf16le')],
    ['among other bytes', Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(value), Buffer.from([200])])],
  ])('finds one %s', (_, bytes) => {
    expect(findLeaks([token], [{ name: 'an output', bytes }])).toHaveLength(1);
  });

  it('finds none where there is none, and never repeats one', () => {
    const clean = [{ name: 'clean', bytes: `{"msg":"[removed]","at":"${deflateRawSync('x').toString('hex')}"}` }];
    expect(findLeaks([token], clean)).toEqual([]);
    expect(findLeaks([token], [{ name: 'an output', bytes: value }]).join()).not.toContain(value.slice(5, 12));
  });
});
