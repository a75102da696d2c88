import { describe, expect, it } from '@jest/globals';
import { abilitiesOf, compareAbilities } from './abilities.repository.js';

const channel = { id: 7, models: 'a,b', group: 'default,vip', status: 1, priority: 3, weight: 2, tag: 't' };

describe('abilities', () => {
  it('makes one row per group and model, enabled exactly while the channel is', () => {
    const rows = abilitiesOf(channel);
    expect(rows.map((row) => `${row.group}/${row.model}`)).toEqual([
      'default/a',
      'default/b',
      'vip/a',
      'vip/b',
    ]);
    expect(rows[0]).toEqual({
      group: 'default',
      model: 'a',
      channelId: 7,
      enabled: true,
      priority: 3,
      weight: 2,
      tag: 't',
    });
    for (const status of [0, 2, 3]) {
      expect(abilitiesOf({ ...channel, status }).every((row) => !row.enabled)).toBe(true);
    }
  });

  it('refuses to make too many', () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, index) => `n${index}`).join(',');
    expect(() => abilitiesOf({ ...channel, models: many(1_001), group: many(50) })).toThrow(
      'channel_too_wide',
    );
    expect(abilitiesOf({ ...channel, models: many(1_000), group: many(50) })).toHaveLength(50_000);
  });

  it('touches only rows that are wrong [CHAN-107]', () => {
    const stored = [
      ...abilitiesOf({ ...channel, models: 'a', group: 'default' }),
      ...abilitiesOf({ ...channel, models: 'b', group: 'default', weight: 9 }),
      ...abilitiesOf({ ...channel, models: 'gone', group: 'default' }),
    ];
    const difference = compareAbilities(
      stored,
      abilitiesOf({ ...channel, group: 'default', models: 'a,b,new' }),
    );
    expect(difference.missing.map((row) => row.model)).toEqual(['new']);
    expect(difference.surplus.map((row) => row.model)).toEqual(['gone']);
    expect(difference.changed.map((row) => row.model)).toEqual(['b']);
  });

  it('does not confuse names that would join to the same text', () => {
    const one = abilitiesOf({ ...channel, group: 'a', models: 'b|c' });
    const other = abilitiesOf({ ...channel, group: 'a|b', models: 'c' });
    expect(compareAbilities(one, other).missing).toHaveLength(1);
  });
});
