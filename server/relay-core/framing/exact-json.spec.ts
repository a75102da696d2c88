import { describe, expect, it } from '@jest/globals';
import { cloneExact, parseAsWritten, parseExact, plainNumber } from './exact-json.js';

const NOBODY: ReadonlySet<string> = new Set();

describe('numbers that are written again', () => {
  it.each(['12345678901234567890', '-9223372036854775808', '9007199254740993', '18446744073709551615'])(
    'keeps the digits of %s wherever it stands',
    (number) => {
      for (const text of [number, `[${number}]`, `{"a":${number}}`, `{"a":[1,${number}],"b":"${number}"}`]) {
        expect(JSON.stringify(parseExact(text))).toBe(text);
        expect(JSON.stringify(cloneExact(parseExact(text)))).toBe(text);
      }
      expect(plainNumber(parseExact(number))).toBe(Number(number));
    },
  );

  it('gives plain numbers for what JavaScript holds, and for fractions that someone reads', () => {
    expect(parseExact('{"a":9007199254740991,"b":[0.3000000000000000444,1e3,1.0]}')).toEqual({
      a: 9_007_199_254_740_991,
      b: [0.30000000000000004, 1_000, 1],
    });
  });

  it('keeps every form of a number that is passed on as it was written', () => {
    for (let round = 0; round < 3_000; round += 1) {
      const number = someNumber(round);
      for (const text of [`{"a":${number}}`, `[0,${number},"x"]`]) {
        expect(JSON.stringify(parseAsWritten(text, NOBODY))).toBe(text);
      }
    }
  });

  it('returns a plain number for a member that is read', () => {
    const read = new Set(['created']);
    expect(parseAsWritten('{"created":1764000000.0}', read)).toEqual({ created: 1_764_000_000 });
  });
});

/** All forms of numbers JSON has: by the round, so that a failure is repeatable. */
function someNumber(round: number): string {
  let state = round * 2_654_435_761 + 12_345;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const digits = (count: number): string =>
    Array.from({ length: count }, () => (below(2) === 0 ? '0' : String(below(10)))).join('');
  const whole = below(3) === 0 ? '0' : `${1 + below(9)}${digits(below(20))}`;
  const fraction = below(2) === 0 ? '' : `.${digits(1 + below(20))}`;
  const exponent =
    below(4) === 0 ? `${'eE'[below(2)] ?? 'e'}${['', '-', '+'][below(3)] ?? ''}${below(30)}` : '';
  return `${below(3) === 0 ? '-' : ''}${whole}${fraction}${exponent}`;
}
