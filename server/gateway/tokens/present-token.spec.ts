import { describe, expect, it } from '@jest/globals';
import { tokenRow } from '../../../test/support/stored-rows.js';
import { presentToken } from './tokens.service.js';
import { NEVER, TOKEN_STATUS } from './token.codes.js';
import type { TokenRow } from './tokens.repository.js';

const ROW = tokenRow({
  id: 7,
  userId: 3,
  createdTime: 10,
  accessedTime: 20,
  expiredTime: NEVER,
  remainQuota: 1,
  usedQuota: 40,
  refundedQuota: 15,
  modelLimitsEnabled: true,
  modelLimits: 'gpt-4o',
  allowIps: '10.0.0.0/8',
  group: 'vip',
});

describe('presentToken', () => {
  it('shows the remainder it is given instead of the column, which leaves reservations out', () => {
    expect(presentToken(ROW, { key: 'KEY', remainder: 500, nowSeconds: 100 })).toMatchObject({
      id: 7,
      user_id: 3,
      key: 'KEY',
      remain_quota: 500,
      used_quota: 40,
      status: TOKEN_STATUS.enabled,
      model_limits_enabled: true,
      model_limits: 'gpt-4o',
      allow_ips: '10.0.0.0/8',
      group: 'vip',
      DeletedAt: null,
    });
  });

  it('gives flags as true and false whatever the database keeps them as', () => {
    const row = { ...ROW, unlimitedQuota: 1, modelLimitsEnabled: 0 } as unknown as TokenRow;
    expect(presentToken(row, { key: '', remainder: 0, nowSeconds: 100 })).toMatchObject({
      unlimited_quota: true,
      model_limits_enabled: false,
    });
  });

  it.each([
    ['that has expired', { expiredTime: 99 }, 500, TOKEN_STATUS.expired],
    ['that expires now', { expiredTime: 100 }, 500, TOKEN_STATUS.expired],
    ['that expires later', { expiredTime: 101 }, 500, TOKEN_STATUS.enabled],
    ['that has nothing left', {}, 0, TOKEN_STATUS.exhausted],
    ['that is switched off', { status: TOKEN_STATUS.disabled, expiredTime: 99 }, 0, TOKEN_STATUS.disabled],
  ])('derives the status of a token %s', (_name, change, remainder, status) => {
    expect(presentToken({ ...ROW, ...change }, { key: '', remainder, nowSeconds: 100 }).status).toBe(status);
  });
});
