import { describe, expect, it } from '@jest/globals';
import type { SyncPick } from './price.api';
import { changesOfPicks } from './sync-picks';

describe('prices picked from a published list', () => {
  it('puts the classes of service of a model where the server puts them', () => {
    const items: SyncPick[] = [
      { model: 'gpt-x', entries: [{ key: 'ServiceTierRatio', listed: { flex: 0.5, priority: 2 } }] },
    ];
    expect(changesOfPicks({ ServiceTierRatio: '{"flex":0.7}' }, items)).toEqual([
      { key: 'ServiceTierRatio', value: '{"flex":0.7,"flex:gpt-x":0.5,"priority:gpt-x":2}' },
    ]);
  });
});
