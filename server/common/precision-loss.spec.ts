import { describe, expect, it } from '@jest/globals';
import { findPrecisionLoss, precisionLossOf } from './precision-loss.js';

describe('digits that a number does not keep', () => {
  it.each([
    '0.12345678901234567890',
    '1.00000000000000000001',
    '0.99999999999999999999',
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '1e-400',
  ])('finds lost digits of %s', (text) => {
    expect(precisionLossOf(text)).toMatchObject({ written: text, kept: Number(text) });
  });

  it.each([
    '0',
    '-0',
    '0.000',
    '1.50',
    '0.1',
    '0.12345678901234568',
    '16.666666666666668',
    '1000000',
    '1e6',
    '1.5e-7',
    '0.00000015',
    '150E-9',
    '123456789012345',
    '0.30000000000000004',
    '-2.75',
  ])('finds none of %s', (text) => {
    expect(precisionLossOf(text)).toBeUndefined();
  });

  it('finds them wherever they stand, by the place and what would be kept', () => {
    const text =
      '{"gpt-4o":1.25,"m":[{"above":9,"input":0.12345678901234567890}],"z":2.00000000000000000001}';
    expect(findPrecisionLoss(text)).toEqual({
      path: ['m', '0', 'input'],
      written: '0.12345678901234567890',
      kept: 0.12345678901234568,
    });
    expect(findPrecisionLoss('{"":0.12345678901234567890}')?.path).toEqual(['']);
    expect(findPrecisionLoss('0.12345678901234567890')?.path).toEqual([]);
    expect(findPrecisionLoss('{"a":"0.12345678901234567890","b":[0.5,"x"],"c":{"d":null}}')).toBeUndefined();
  });
});
