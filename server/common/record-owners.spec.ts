import { describe, expect, it } from '@jest/globals';
import { accountUid, tokenUid } from './record-owners.js';

describe('owners in records of money', () => {
  it('names an account by its uid, or the moment it was made', () => {
    expect(accountUid('b1946ac9', 1_700)).toBe('b1946ac9');
    expect(accountUid(null, 1_700)).toBe('1700');
  });

  it('names a token by the beginning of its key’s digest', () => {
    expect(tokenUid('0123456789abcdef0123456789abcdef')).toBe('0123456789abcdef');
  });
});
