import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import {
  checkAction,
  checkAmount,
  checkCountedCalls,
  checkLimitName,
  checkReason,
  checkWarnAt,
  type CountedCalls,
  narrowestAbove,
  warnPercents,
} from './limit-rules.js';

const DAY: CountedCalls = {
  scope: 'token',
  subject: '5',
  accountId: null,
  each: false,
  model: '',
  measure: 'quota',
  period: 'day',
  rolling: false,
};
const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};
const fieldOf = (given: Partial<CountedCalls>): unknown => {
  try {
    checkCountedCalls({ ...DAY, ...given });
    return 'accepted';
  } catch (error) {
    return (error as { values: { field: string } }).values.field;
  }
};

describe('checkCountedCalls', () => {
  it('accepts a limit of every scope', () => {
    expect(fieldOf({})).toBe('accepted');
    expect(fieldOf({ subject: '', each: true })).toBe('accepted');
    expect(fieldOf({ scope: 'everyone', subject: '' })).toBe('accepted');
    expect(fieldOf({ scope: 'tag', subject: 'acme', accountId: 3 })).toBe('accepted');
    expect(fieldOf({ measure: 'in_flight', period: '' })).toBe('accepted');
    expect(fieldOf({ measure: 'requests', period: 'ever' })).toBe('accepted');
  });

  it.each<[string, Partial<CountedCalls>]>([
    ['subject', { subject: ' ' }],
    ['subject', { each: true }],
    ['subject', { scope: 'everyone' }],
    ['subject', { subject: 'x'.repeat(192) }],
    ['each', { scope: 'group', subject: '', each: true }],
    ['account_id', { accountId: 3 }],
    ['period', { period: '' }],
    ['period', { measure: 'in_flight' }],
    ['period', { period: 'ever' }],
    ['rolling', { measure: 'in_flight', period: '', rolling: true }],
    ['rolling', { measure: 'requests', period: 'ever', rolling: true }],
  ])('names the field %s that does not fit %j', (field, given) => {
    expect(fieldOf(given)).toBe(field);
  });
});

describe('single fields of a limit', () => {
  it('refuses amounts that are no whole number from 0 to 2^53 - 1', () => {
    for (const amount of [-1, 0.5, 2 ** 53, Number.NaN])
      expect(refusalOf(() => checkAmount(amount))).toBe('limit_amount_range');
    expect(checkAmount(0)).toBe(0);
    expect(checkAmount(2 ** 53 - 1)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('cleans names and reasons and refuses empty and long ones', () => {
    expect(checkLimitName(' CI\u0000 jobs ')).toBe('CI jobs');
    expect(refusalOf(() => checkLimitName('x'.repeat(101)))).toBe('limit_name_length');
    expect(refusalOf(() => checkLimitName(' \u0000\n'))).toBe('limit_name_length');
    expect(refusalOf(() => checkReason(''))).toBe('limit_reason');
    expect(checkReason(' launch day ')).toBe('launch day');
  });

  it('sorts percents and refuses those outside of 1 to 100, doubled ones and too many', () => {
    expect(checkWarnAt([100, 50, 80])).toBe('[50,80,100]');
    expect(checkWarnAt([])).toBe('');
    expect(warnPercents('[50,80]')).toEqual([50, 80]);
    expect(warnPercents('')).toEqual([]);
    for (const percents of [[0], [101], [80, 80], [0.8], Array.from({ length: 11 }, (_, index) => index + 1)])
      expect(refusalOf(() => checkWarnAt(percents))).toBe('limit_warn_at');
  });

  it('passes over channels only', () => {
    expect(checkAction('channel', 'pass_over')).toBe('pass_over');
    expect(refusalOf(() => checkAction('channel_tag', 'refuse'))).toBe('limit_field');
    expect(refusalOf(() => checkAction('token', 'pass_over'))).toBe('limit_field');
    expect(checkAction('token', 'warn')).toBe('warn');
  });
});

describe('narrowestAbove', () => {
  const bound = (parts: Partial<Parameters<typeof narrowestAbove>[2][number]>) => ({
    ...DAY,
    id: 1,
    name: 'team',
    amount: 100,
    byUser: false,
    enabled: true,
    action: 'refuse' as const,
    ...parts,
  });

  it('finds the narrowest limit of others on the token, its account or everyone', () => {
    const others = [
      bound({ id: 1, scope: 'everyone', subject: '', amount: 900 }),
      bound({ id: 2, scope: 'account', subject: '7', amount: 300 }),
      bound({ id: 3, scope: 'token', subject: '', each: true, amount: 500 }),
    ];
    expect(narrowestAbove(DAY, 7, others)?.id).toBe(2);
    expect(narrowestAbove(DAY, 8, others)?.id).toBe(3);
  });

  it('ignores limits of other calls, own ones, disabled ones and those that only warn', () => {
    const others = [
      bound({ period: 'month' }),
      bound({ measure: 'tokens' }),
      bound({ model: 'gpt-5' }),
      bound({ subject: '6' }),
      bound({ byUser: true }),
      bound({ enabled: false }),
      bound({ action: 'warn' }),
      bound({ scope: 'end_user', subject: '', each: true }),
    ];
    expect(narrowestAbove(DAY, 7, others)).toBeUndefined();
    expect(narrowestAbove({ ...DAY, model: 'gpt-5' }, 7, others)?.model).toBe('gpt-5');
  });
});
