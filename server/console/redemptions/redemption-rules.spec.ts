import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import {
  checkCodeCount,
  checkCodeExpiry,
  checkCodeName,
  checkCodeQuota,
  MAX_CODE_QUOTA,
  MAX_CODES_AT_ONCE,
} from './redemptions.service.js';

const NOW = 1_700_000_000;

function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe('checkCodeName', () => {
  it('counts characters as people do, and stores one line without blanks around it', () => {
    expect(checkCodeName('  spring  ')).toBe('spring');
    expect(checkCodeName('春'.repeat(20))).toBe('春'.repeat(20));
    expect(checkCodeName('🎁'.repeat(20))).toBe('🎁'.repeat(20));
  });

  it.each(['', '   ', 'x'.repeat(21), '🎁'.repeat(21)])('refuses %j', (name) => {
    expect(refusalOf(() => checkCodeName(name))).toBe('redemption_name_length');
  });
});

describe.each([
  ['checkCodeQuota', checkCodeQuota, MAX_CODE_QUOTA, 'redemption_quota_range'],
  ['checkCodeCount', checkCodeCount, MAX_CODES_AT_ONCE, 'redemption_count_range'],
] as const)('%s', (_name, check, largest, refusal) => {
  it.each([1, 2, largest])('takes %d', (value) => {
    expect(check(value)).toBe(value);
  });

  it.each([0, -1, 1.5, largest + 1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d', (value) => {
    expect(refusalOf(() => check(value))).toBe(refusal);
  });
});

describe('checkCodeExpiry', () => {
  it.each([0, NOW + 1, NOW + 86_400])('takes %d', (expiry) => {
    expect(checkCodeExpiry(expiry, NOW)).toBe(expiry);
  });

  it.each([NOW, NOW - 1, 1, -1, NOW + 0.5, Number.NaN])('refuses %d: it is over, or no second', (expiry) => {
    expect(refusalOf(() => checkCodeExpiry(expiry, NOW))).toBe('redemption_expiry_past');
  });
});
