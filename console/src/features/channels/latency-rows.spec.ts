import { describe, expect, it } from '@jest/globals';
import { aLatencyRow } from '../../testing/latency-row';
import { FIRST_ORDER, latencyRows, nextOrder, type LatencyOrder } from './latency-rows';

const ROWS = [
  aLatencyRow({ model: 'gpt-4o', channel_name: 'Azure', first_token_p95_ms: 900, price_input: 2.5 }),
  aLatencyRow({ model: 'claude-haiku', channel_name: 'main', first_token_p95_ms: null, price_input: 10 }),
  aLatencyRow({ model: 'gpt-4o-mini', channel_name: 'main', first_token_p95_ms: 80, price_input: null }),
];
const namesOf = (keyword: string, order: LatencyOrder) =>
  latencyRows(ROWS, keyword, order).map(({ model }) => model);

describe('latencyRows', () => {
  it.each([
    ['first_token_p95_ms', 'asc', ['gpt-4o-mini', 'gpt-4o', 'claude-haiku']],
    ['first_token_p95_ms', 'desc', ['gpt-4o', 'gpt-4o-mini', 'claude-haiku']],
    ['price_input', 'asc', ['gpt-4o', 'claude-haiku', 'gpt-4o-mini']],
    ['model', 'asc', ['claude-haiku', 'gpt-4o', 'gpt-4o-mini']],
  ] as const)('sorts by %s %s, rows without the figure last', (by, direction, names) => {
    expect(namesOf('', { by, direction })).toEqual(names);
  });

  it('keeps rows whose model or channel has the keyword', () => {
    expect(namesOf(' GPT', FIRST_ORDER)).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect(namesOf('azure', FIRST_ORDER)).toEqual(['gpt-4o']);
  });
});

describe('nextOrder', () => {
  it('begins with the shortest time and the largest speed, and turns round on a second press', () => {
    const byTime = nextOrder(FIRST_ORDER, 'duration_p50_ms');
    expect(byTime).toEqual({ by: 'duration_p50_ms', direction: 'asc' });
    expect(nextOrder(byTime, 'duration_p50_ms').direction).toBe('desc');
    expect(nextOrder(byTime, 'tokens_per_second').direction).toBe('desc');
  });
});
