import { describe, expect, it } from '@jest/globals';
import { escape } from 'mysql2';
import { writeRows } from './mysql-literals.js';

describe('rows as text of a statement', () => {
  it('writes numbers, texts, truth values and nothing', () => {
    expect(
      writeRows([
        [1, 'a', null],
        [-2, true, false],
      ]),
    ).toBe("(1, 'a', NULL), (-2, TRUE, FALSE)");
  });

  it.each([
    ['a quote', "it's"],
    ['the end of a text', "'); DROP TABLE users; --"],
    ['a backslash', '\\'],
    ['a backslash before a quote', "\\'"],
    ['a NUL', 'a\0b'],
    ['line ends', 'a\r\nb'],
    ['the end of a file on Windows', '\u001a'],
    ['letters beyond ASCII', '漢字 \u2028 ’'],
  ])('writes %s as the driver does', (_what, text) => {
    expect(writeRows([[text]])).toBe(`(${escape(text)})`);
  });

  it('writes every character of one byte as the driver does, or as it is', () => {
    for (let code = 0; code < 256; code += 1) {
      const text = String.fromCharCode(code);
      const literal = writeRows([[text]]);
      if (!'\0\b\t\n\r\u001a"\'\\'.includes(text)) expect(literal).toBe(`('${text}')`);
      else if (text !== '"') expect(literal).toBe(`(${escape(text)})`);
    }
  });

  it.each([
    ['a fraction', 0.5],
    ['a number beyond exact ones', 2 ** 53],
    ['no number', Number.NaN],
    ['an object', {}],
    ['a text that is an object', Object('a')],
    ['something absent', undefined],
  ])('refuses %s', (_what, value) => {
    expect(() => writeRows([[value]])).toThrow(RangeError);
  });
});
