import { describe, expect, it } from '@jest/globals';
import { LOG_FILTERS, NARROWING, serverFilters } from './log-filters';

describe('filters of the usage log', () => {
  it('shows answered and failed calls until a type is chosen', () => {
    expect(serverFilters(LOG_FILTERS, 0)).toMatchObject({ kind: 'calls', type: '' });
    expect(serverFilters({ ...LOG_FILTERS, type: 'all' }, 0)).toMatchObject({ kind: '', type: '' });
    expect(serverFilters({ ...LOG_FILTERS, type: '5' }, 0)).toMatchObject({ kind: '', type: '5' });
  });

  it('counts everything but the order as a filter', () => {
    expect([...NARROWING, 'sort'].toSorted()).toEqual(Object.keys(LOG_FILTERS).toSorted());
  });
});
