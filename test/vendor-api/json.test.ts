import { LosslessNumber } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/vendor-api/answer.ts';
import { MAX_BODY_BYTES } from '../../src/vendor-api/exchange.ts';

describe('JSON is read strictly and without loss', () => {
  test('numbers keep their source text', () => {
    expect(parseJson(Buffer.from('[9007199254740993,1.50,-0,1e400]'))).toEqual({
      ok: true,
      value: ['9007199254740993', '1.50', '-0', '1e400'].map((source) => new LosslessNumber(source)),
    });
  });

  test.each([
    ['the same key twice with the same value', '{"a":1,"a":1}'],
    ['a key named like the prototype', '{"__proto__":{"x":1},"constructor":1}'],
    ['white space around', ' \r\n{"a":1}\n'],
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`],
    ['brackets in a string', `{"a":"${'['.repeat(100)}\\""}`],
  ])('%s is read', (_rule, text) => {
    expect(parseJson(Buffer.from(text))).toMatchObject({ ok: true });
  });

  test.each<readonly [string, Uint8Array, string]>([
    ['nothing', Buffer.alloc(0), 'its body was empty'],
    ['a byte order mark alone', Buffer.from('\ufeff'), 'its body was not complete JSON'],
    ['two byte order marks', Buffer.from('\ufeff\ufeff{}'), 'its body was not complete JSON'],
    ['bytes that are not UTF-8', Buffer.from('{"code":200,"msg":"\xb3\xc9"}', 'latin1'), 'its body was not UTF-8 text'],
    ['UTF-16', Buffer.from('{"code":200}', 'utf16le'), 'its body was not complete JSON'],
    ['the same key twice with other values', Buffer.from('{"a":1,"a":2}'), 'its JSON contradicts itself'],
    ['1 and 1.0 under one key', Buffer.from('{"a":1,"a":1.0}'), 'its JSON contradicts itself'],
    ['65 levels', Buffer.from('['.repeat(65) + ']'.repeat(65)), 'its body was nested too deeply'],
    ['one byte too many', Buffer.from(`"${'a'.repeat(MAX_BODY_BYTES - 1)}"`), 'its body was too large'],
    ['NaN', Buffer.from('NaN'), 'its body was not complete JSON'],
    ['a comment', Buffer.from('{}//x'), 'its body was not complete JSON'],
    ['single quotes', Buffer.from("{'a':1}"), 'its body was not complete JSON'],
    ['a number with a leading zero', Buffer.from('[007]'), 'its body was not complete JSON'],
    ['a raw line break in a string', Buffer.from('"a\nb"'), 'its body was not complete JSON'],
  ])('%s is not', (_rule, bytes, why) => {
    expect(parseJson(bytes)).toEqual({ ok: false, why });
  });
});
