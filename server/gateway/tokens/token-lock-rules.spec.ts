import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import { assertUnlocked, checkLockReason, storedStatus } from './token-lock-rules.js';

const refusalOf = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};

describe('the rules of locks', () => {
  it('refuses changes of a locked token, with the reason', () => {
    expect(refusalOf(() => assertUnlocked({ lockedAtMs: null, lockReason: '' }))).toBe('done');
    // A lock set at the beginning of time is a lock.
    expect(refusalOf(() => assertUnlocked({ lockedAtMs: 0, lockReason: 'leaked' }))).toBe('token_locked');
  });

  it('counts a locked token as disabled, whatever is stored', () => {
    expect(storedStatus({ status: 1, lockedAtMs: 5 })).toBe(2);
    expect(storedStatus({ status: 1, lockedAtMs: null })).toBe(1);
    expect(storedStatus({ status: 2, lockedAtMs: null })).toBe(2);
  });

  it('takes one line of 1 to 200 characters as a reason', () => {
    expect(checkLockReason('  found\non a forum ')).toBe('found on a forum');
    expect(checkLockReason('𝒳'.repeat(200))).toBe('𝒳'.repeat(200));
    for (const text of ['', ' \t', 'x'.repeat(201)])
      expect(refusalOf(() => checkLockReason(text))).toBe('token_lock_reason');
  });
});
