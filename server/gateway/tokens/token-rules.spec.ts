import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import {
  checkAllowedAddresses,
  checkExpiry,
  checkModelLimits,
  checkStatusChange,
  checkTokenGroup,
  checkTokenName,
  checkTokenQuota,
  deriveTokenStatus,
} from './token-rules.js';

const NOW = 1_800_000_000;
const live = { status: 1, expiredTime: -1, unlimitedQuota: false, remainder: 5 };

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};

describe('token rules [TOK-101, TOK-07]', () => {
  it('refuses an empty name and one of more than 30 characters, counted as people count', () => {
    expect(refusalOf(() => checkTokenName('  \u0000 '))).toBe('token_name_required');
    expect(refusalOf(() => checkTokenName('x'.repeat(31)))).toBe('token_name_too_long');
    expect(checkTokenName('😀'.repeat(30))).toBe('😀'.repeat(30));
  });

  it('refuses a negative quota and a group that is not usable', () => {
    expect(refusalOf(() => checkTokenQuota(-1))).toBe('token_quota_negative');
    expect(refusalOf(() => checkTokenGroup('svip', new Set(['default'])))).toBe('group_not_usable');
    expect(refusalOf(() => checkTokenGroup('constructor', new Set(['default'])))).toBe('group_not_usable');
    expect(checkTokenGroup('', new Set())).toBe('');
  });

  it('refuses an expiry in the past, but lets an unchanged one be saved again', () => {
    expect(refusalOf(() => checkExpiry(NOW, NOW))).toBe('token_expiry_past');
    expect(checkExpiry(NOW - 10, NOW, NOW - 10)).toBe(NOW - 10);
    expect(checkExpiry(NOW + 1, NOW)).toBe(NOW + 1);
    // Only -1 is for ever: a zero is a field left empty.
    expect(() => checkExpiry(0, NOW)).toThrow('token_expiry_past');
    expect(checkExpiry(-1, NOW)).toBe(-1);
  });

  it.each([
    '10.0.0',
    '10.0.0.256',
    '0x7f000001',
    '10.0.0.0/33',
    '::1/129',
    'example.com',
    '10.0.0.1 10.0.0.2',
  ])('refuses %s as an address', (address) => {
    expect(refusalOf(() => checkAllowedAddresses(`127.0.0.1\n${address}`))).toBe('token_address_invalid');
  });

  it('keeps addresses and ranges, one per line, without duplicates', () => {
    expect(checkAllowedAddresses(' 10.0.0.1 \r\n\r\n10.0.0.1\n192.168.0.0/16\n2001:db8::/32')).toBe(
      '10.0.0.1\n192.168.0.0/16\n2001:db8::/32',
    );
    expect(checkAllowedAddresses(null)).toBe('');
  });

  it('cleans the model list and refuses names over 255 bytes', () => {
    expect(checkModelLimits(' gpt-4o, ,gpt-4o,o3 ')).toBe('gpt-4o,o3');
    expect(checkModelLimits(['a', 'b'])).toBe('a,b');
    expect(refusalOf(() => checkModelLimits('模'.repeat(86)))).toBe('invalid_input');
  });
});

describe('token status', () => {
  it('derives it from the limits, so that a renewed token works at once [TOK-108]', () => {
    expect(deriveTokenStatus(live, NOW)).toBe(1);
    expect(deriveTokenStatus({ ...live, expiredTime: NOW }, NOW)).toBe(3);
    expect(deriveTokenStatus({ ...live, remainder: 0 }, NOW)).toBe(4);
    expect(deriveTokenStatus({ ...live, remainder: 0, unlimitedQuota: true }, NOW)).toBe(1);
    expect(deriveTokenStatus({ ...live, status: 2, expiredTime: 1, remainder: 0 }, NOW)).toBe(2);
  });

  it.each([0, 3, 4, -1, 1.5, 99])('refuses status %s from a person [TOK-102]', (status) => {
    expect(refusalOf(() => checkStatusChange(status, live, NOW))).toBe('invalid_input');
  });

  it('refuses to enable a token that is still past its limit', () => {
    expect(refusalOf(() => checkStatusChange(1, { ...live, expiredTime: NOW - 1 }, NOW))).toBe(
      'token_still_expired',
    );
    expect(refusalOf(() => checkStatusChange(1, { ...live, remainder: 0 }, NOW))).toBe(
      'token_still_exhausted',
    );
    expect(checkStatusChange(2, { ...live, remainder: 0 }, NOW)).toBe(2);
    expect(checkStatusChange(1, { ...live, status: 2 }, NOW)).toBe(1);
  });
});
