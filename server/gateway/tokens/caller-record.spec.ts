import { describe, expect, it } from '@jest/globals';
import { acceptsUnsetPrice, CallerRecord, type CallerRow, type GroupRule } from './caller-record.js';

const ROW: CallerRow = {
  tokenId: 5,
  tokenUid: 'token',
  tokenName: 'laptop',
  tokenStatus: 1,
  isLocked: false,
  expiredTime: -1,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: 'gpt-4o',
  allowIps: '',
  tags: '',
  needsEndUser: false,
  tokenGroup: '',
  userId: 1,
  accountUid: 'account',
  username: 'ada',
  role: 1,
  userStatus: 1,
  userGroup: 'default',
  userSetting: '',
};
const NOW_MS = 1_000_000;
const usable: GroupRule = () => 'usable';

interface Asked {
  readonly from?: string;
  readonly channelId?: number;
  readonly rule?: GroupRule;
}

const refused = (row: Partial<CallerRow>, { from = '192.0.2.7', channelId, rule = usable }: Asked = {}) =>
  new CallerRecord({ ...ROW, ...row }).refusal(channelId ?? null, from, NOW_MS, rule);

describe('the refusal of a key', () => {
  it('allows no address for an unreadable list', () => {
    expect(refused({})).toBeNull();
  });

  it.each([2, 3, 4, 0])('refuses a token of status %d, and ends its running calls', (tokenStatus) => {
    expect(refused({ tokenStatus })).toMatchObject({ kind: 'unauthenticated' });
    expect(new CallerRecord({ ...ROW, tokenStatus }).closure()).toMatchObject({ kind: 'unauthenticated' });
  });

  it('comes at the very second a token expires', () => {
    expect(refused({ expiredTime: 1_000 })).toMatchObject({ kind: 'unauthenticated' });
    expect(refused({ expiredTime: 1_001 })).toBeNull();
    // Only -1 means never.
    expect(refused({ expiredTime: 0 })).toMatchObject({ kind: 'unauthenticated' });
  });

  it('refuses a banned account, and ends its running calls', () => {
    expect(refused({ userStatus: 2 })).toMatchObject({ kind: 'account-banned' });
    expect(new CallerRecord({ ...ROW, userStatus: 2 }).closure()).toMatchObject({ kind: 'account-banned' });
    expect(new CallerRecord(ROW).closure()).toBeNull();
  });

  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.1', false],
    ['10.0.0.1, 192.0.2.7', '192.0.2.7', true],
    ['10.0.0.1\n192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['2001:db8::/32', '2001:DB8::1', true],
    ['2001:db8::/32', '192.0.2.7', false],
    ['192.0.2.7', 'unknown', false],
    // A list that cannot be read allows no address, not even its readable entries.
    ['192.0.2.7, everybody', '192.0.2.7', false],
    [',', '192.0.2.7', false],
    [' \n', '192.0.2.7', true],
  ])('lets by the list %j the address %s in: %p', (allowIps, from, isAllowed) => {
    expect(refused({ allowIps }, { from }) === null).toBe(isAllowed);
  });

  it('names the group that is closed or gone', () => {
    const row = { tokenGroup: 'vip' };
    expect(refused(row, { rule: () => 'unusable' })?.message).toContain('vip');
    expect(refused(row, { rule: () => 'unknown' })?.message).toContain('vip');
    expect(
      refused(row, { rule: (own, asked) => (`${own} ${asked}` === 'default vip' ? 'usable' : 'unknown') }),
    ).toBeNull();
  });

  it.each([
    [1, true],
    [9, true],
    [10, false],
    [100, false],
  ])('keeps a channel from being chosen by role %d: %p', (role, isRefused) => {
    expect(refused({ role }, { channelId: 3 }) !== null).toBe(isRefused);
  });

  it('refuses for the token before address, account, group and channel', () => {
    const wrong = { tokenStatus: 2, allowIps: '10.0.0.1', userStatus: 2 };
    const asked: Asked = { rule: () => 'unknown', channelId: 3 };
    expect(refused(wrong, asked)?.kind).toBe('unauthenticated');
    expect(refused({ ...wrong, tokenStatus: 1 }, asked)?.kind).toBe('address-refused');
    expect(refused({ userStatus: 2 }, asked)?.kind).toBe('account-banned');
  });
});

describe('the caller of a key', () => {
  const callerOf = (row: Partial<CallerRow>) => new CallerRecord({ ...ROW, ...row }).callerFor(null);

  it('calls in the group of the token, else in that of the account', () => {
    expect(callerOf({})).toMatchObject({ group: 'default' });
    expect(callerOf({})).not.toHaveProperty('userGroup');
    expect(callerOf({ tokenGroup: 'vip' })).toMatchObject({ group: 'vip', userGroup: 'default' });
    expect(callerOf({ tokenGroup: 'default' })).not.toHaveProperty('userGroup');
  });

  it('has the models of its list only while the list is switched on', () => {
    expect(callerOf({}).modelLimits).toBeNull();
    const limits = { modelLimitsEnabled: true, modelLimits: ' gpt-4o,, o3 ' };
    expect([...(callerOf(limits).modelLimits ?? [])]).toEqual(['gpt-4o', 'o3']);
    expect(callerOf({ modelLimitsEnabled: true, modelLimits: '' }).modelLimits).toEqual(new Set());
  });

  it('returns the same object for all calls, one for each pinned channel', () => {
    const record = new CallerRecord(ROW);
    expect(record.callerFor(null)).toBe(record.callerFor(null));
    expect(record.callerFor(3)).toBe(record.callerFor(3));
    expect(record.callerFor(3)).toMatchObject({ pinnedChannelId: 3, tokenLimited: true });
    expect(record.callerFor(null).pinnedChannelId).toBeNull();
  });
});

describe('acceptsUnsetPrice', () => {
  it.each([
    ['{"accept_unset_model_ratio_model":true}', true],
    ['{"accept_unset_model_ratio_model":"true"}', false],
    ['{"accept_unset_model_ratio_model":1}', false],
    ['{}', false],
    ['[true]', false],
    ['null', false],
    ['{broken', false],
    ['', false],
  ])('reads %s as %p', (setting, isAccepted) => {
    expect(acceptsUnsetPrice(setting)).toBe(isAccepted);
  });
});
