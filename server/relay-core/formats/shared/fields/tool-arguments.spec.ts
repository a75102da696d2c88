import { describe, expect, it } from '@jest/globals';
import { isTooDeep, parseArguments } from './tool-arguments.js';

const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const padded = (json: string): string => `${json}${' '.repeat(100_000)}`;

describe('parseArguments', () => {
  it('reads arguments of any length', () => {
    expect(parseArguments(padded('{"a":1}'))).toEqual({ a: 1 });
    expect(parseArguments(`{"a":"${'[{\\"'.repeat(50_000)}"}`)).toEqual({ a: '[{"'.repeat(50_000) });
    expect(parseArguments(padded(`{"a":[${'[],'.repeat(1_000)}[]]}`))?.['a']).toHaveLength(1_001);
  });

  it('refuses what is no object', () => {
    expect([parseArguments('[1]'), parseArguments('{"a"'), parseArguments('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('refuses a long text that nests deeper than a document may', () => {
    expect([isTooDeep(padded(nested(63))), isTooDeep(padded(nested(64)))]).toEqual([false, true]);
    expect(parseArguments(`{"a":${'['.repeat(2_000_000)}`)).toBeUndefined();
    expect(parseArguments(nested(100))).toBeDefined();
  });
});
