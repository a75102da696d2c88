import { describe, expect, it } from '@jest/globals';
import { groupRule } from './caller-record.js';

const OPTIONS = {
  GroupRatio: { default: 1, vip: 0.5, closed: 2 },
  UserUsableGroups: { vip: 'VIP', gone: 'Gone' },
};

describe('groupRule', () => {
  it.each([
    ['default', '', 'usable'],
    ['unpriced', '', 'usable'],
    ['default', 'vip', 'usable'],
    ['default', 'closed', 'unusable'],
    ['closed', 'closed', 'usable'],
    ['default', 'gone', 'unknown'],
    ['gone', 'gone', 'unknown'],
    ['default', 'toString', 'unusable'],
    ['toString', 'toString', 'unknown'],
  ])('finds for an account of %s the group %j %s', (userGroup, named, rule) => {
    expect(groupRule(OPTIONS, userGroup, named)).toBe(rule);
  });
});
