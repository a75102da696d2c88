import { describe, expect, it } from '@jest/globals';
import { firstIdSince, msOfId } from './ids-by-time.js';

describe('firstIdSince', () => {
  it.each([
    [0, '00000000-0000-0000-0000-000000000000'],
    [-5, '00000000-0000-0000-0000-000000000000'],
    [1.9, '00000000-0001-0000-0000-000000000000'],
    [1_700_000_000_000, '018bcfe5-6800-0000-0000-000000000000'],
    [2 ** 48 - 1, 'ffffffff-ffff-0000-0000-000000000000'],
    [2 ** 48, 'ffffffff-ffff-0000-0000-000000000000'],
    [Number.MAX_SAFE_INTEGER, 'ffffffff-ffff-0000-0000-000000000000'],
  ])('writes %p as %s', (ms, id) => {
    expect(firstIdSince(ms)).toBe(id);
  });
});

describe('msOfId', () => {
  it.each(['', 'call-1', '018bcfe5-6800-4000-8000-000000000000', '018BCFE5-6800-7000-8000-000000000000'])(
    'finds no time in %p',
    (id) => {
      expect(msOfId(id)).toBeUndefined();
    },
  );

  it('reads the millisecond an id was made in', () => {
    expect(msOfId('018bcfe5-6800-7abc-8def-0123456789ab')).toBe(1_700_000_000_000);
    expect(msOfId('ffffffff-ffff-7000-bfff-ffffffffffff')).toBe(2 ** 48 - 1);
  });
});
