import { describe, expect, it } from '@jest/globals';
import { limitRow } from '../../../test/support/fixtures/limits.fixture.js';
import { type LimitedCaller, LimitMatcher } from './match-limits.js';

const caller = (changes: Partial<LimitedCaller> = {}): LimitedCaller => ({
  userId: 5,
  tokenId: 7,
  group: 'vip',
  userGroup: 'default',
  tags: ['batch'],
  endUser: 'ada',
  ...changes,
});
const matched = (
  limits: Parameters<typeof limitRow>[0][],
  from = caller(),
  model = 'gpt-4o',
): [number, string][] =>
  new LimitMatcher(limits.map((limit, index) => limitRow({ id: index + 1, ...limit })))
    .of(from, model)
    .map(({ limit, value }) => [limit.id, value]);

describe('LimitMatcher', () => {
  it('finds the limits of every scope that a call belongs to', () => {
    expect(
      matched([
        { scope: 'token', subject: '7' },
        { scope: 'account', subject: '5' },
        { scope: 'group', subject: 'default' },
        { scope: 'call_group', subject: 'vip' },
        { scope: 'end_user', subject: 'ada', accountId: 5 },
        { scope: 'tag', subject: 'batch' },
        { scope: 'everyone', subject: '' },
      ])
        .map(([id]) => id)
        .toSorted(),
    ).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('leaves out limits of others, of channels and of other models', () => {
    expect(
      matched([
        { scope: 'token', subject: '8' },
        { scope: 'group', subject: 'vip' },
        { scope: 'call_group', subject: 'default' },
        { scope: 'end_user', subject: 'ada', accountId: 6 },
        { scope: 'channel', subject: '7' },
        { scope: 'everyone', subject: '', model: 'gpt-4' },
      ]),
    ).toEqual([]);
    expect(
      matched([{ scope: 'everyone', subject: '', model: 'gpt-4-gizmo-*' }], caller(), 'gpt-4-gizmo-x'),
    ).toEqual([[1, '']]);
  });

  it('gives each value an amount of its own, and puts its own limit in that place', () => {
    const each = { scope: 'account', subject: '', each: true } as const;
    expect(matched([each])).toEqual([[1, '5']]);
    expect(matched([each, { scope: 'account', subject: '5', amount: 1_000 }])).toEqual([[2, '']]);
    expect(matched([each, { scope: 'account', subject: '5', period: 'month' }]).length).toBe(2);
  });

  it("keeps the general limit beside a user's own", () => {
    const each = { scope: 'token', subject: '', each: true } as const;
    expect(matched([each, { scope: 'token', subject: '7', byUser: true }]).length).toBe(2);
  });

  it('counts a tag of an account under no limit of another account', () => {
    const ofOther = { scope: 'tag', subject: '', each: true, accountId: 6 } as const;
    expect(matched([ofOther])).toEqual([]);
    expect(matched([{ ...ofOther, accountId: 5 }])).toEqual([[1, 'batch']]);
  });

  it('limits no test of a channel', () => {
    expect(matched([{ scope: 'everyone', subject: '' }], caller({ isChannelTest: true }))).toEqual([]);
  });
});
