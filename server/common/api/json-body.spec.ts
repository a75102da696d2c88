import { describe, expect, it } from '@jest/globals';
import { JSON_LIMITS, parseJsonBody } from './json-body.js';

const codeOf = (bytes: Buffer): unknown => {
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (depth: number): Buffer => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

describe('a JSON body', () => {
  it.each([
    ['not JSON', Buffer.from('{'), 'body_unreadable'],
    ['HTTP-04 invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'body_unreadable'],
    ['HTTP-04 an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'body_unreadable'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'body_unreadable'],
    ['a prototype member', Buffer.from('{"a":{"__proto__":{"admin":true}}}'), 'body_unreadable'],
    ['an escaped prototype member', Buffer.from('{"\\u005f_proto__":{}}'), 'body_unreadable'],
    ['HTTP-03 65 levels', nested(JSON_LIMITS.depth + 1), 'body_too_complex'],
    ['HTTP-03 500,000 levels', nested(500_000), 'body_too_complex'],
    [
      'HTTP-03 too many nodes',
      Buffer.from(JSON.stringify(Array.from({ length: JSON_LIMITS.nodes + 1 }, () => 0))),
      'body_too_complex',
    ],
    [
      'HTTP-03 too many keys',
      Buffer.from(
        JSON.stringify(
          Object.fromEntries(
            Array.from({ length: JSON_LIMITS.keysPerObject + 1 }, (_, index) => [`k${index}`, 0]),
          ),
        ),
      ),
      'body_too_complex',
    ],
  ])('refuses %s', (_name, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  it('takes 64 levels, brackets and escapes inside strings, and an empty body', () => {
    expect(codeOf(nested(JSON_LIMITS.depth))).toBeInstanceOf(Array);
    expect(codeOf(Buffer.from(JSON.stringify({ text: `${'['.repeat(100)}"\\` })))).toEqual({
      text: `${'['.repeat(100)}"\\`,
    });
    expect(codeOf(Buffer.alloc(0))).toBeUndefined();
    expect(codeOf(Buffer.from('null'))).toBeNull();
  });
});
