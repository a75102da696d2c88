import { describe, expect, it } from '@jest/globals';
import { prefersNative, usableGroupsOf } from './groups.js';

const OPTIONS = {
  GroupRatio: { default: 1, vip: 0.5, own: 2, closed: 3 },
  UserUsableGroups: { default: 'Everybody', vip: 'VIP', unpriced: 'No factor', '': 'No name' },
  GroupGroupRatio: { own: { vip: 0.25 } },
};
const groupsOf = (own: string) => Object.fromEntries(usableGroupsOf(OPTIONS, own));

describe('prefersNative', () => {
  it.each([true, false])('takes the setting of the group before the general one, %s', (general) => {
    const options = { NativeChannelsFirst: general, NativeChannelsFirstGroup: { on: true, off: false } };
    expect(['on', 'off', 'other', 'constructor'].map((group) => prefersNative(options, group))).toEqual([
      true,
      false,
      general,
      general,
    ]);
  });
});

describe('usableGroupsOf', () => {
  it('offers the open groups that have a factor, and the own one', () => {
    expect(groupsOf('closed')).toEqual({
      closed: { ratio: 3, desc: 'Your group' },
      default: { ratio: 1, desc: 'Everybody' },
      vip: { ratio: 0.5, desc: 'VIP' },
    });
  });

  it('shows the factor that is agreed for the account', () => {
    expect(groupsOf('own')['vip']).toEqual({ ratio: 0.25, desc: 'VIP' });
  });

  it("prefers the operator's description of the own group", () => {
    expect(groupsOf('default')['default']).toEqual({ ratio: 1, desc: 'Everybody' });
  });

  it('does not offer an own group that has no factor', () => {
    expect(Object.keys(groupsOf('unheard-of')).toSorted()).toEqual(['default', 'vip']);
  });
});
