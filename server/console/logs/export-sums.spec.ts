import { describe, expect, it } from '@jest/globals';
import type { ExportedLine } from '../../base/logs/logs.repository.js';
import { ExportSums } from './export-sums.js';

const line = (part: Partial<ExportedLine>): ExportedLine =>
  ({
    type: 2,
    username: 'ann',
    modelName: 'm',
    promptTokens: 3,
    completionTokens: 2,
    quota: 10,
    ...part,
  }) as ExportedLine;

describe('ExportSums', () => {
  it('sums answered calls by account and model, the dearest first and the total last', () => {
    const sums = new ExportSums();
    for (const part of [
      {},
      { quota: 5 },
      { username: 'bob', quota: 90 },
      { type: 1, quota: 1_000 },
      { type: 5 },
    ])
      sums.add(line(part));
    expect(sums.all()).toEqual([
      { username: 'bob', model: 'm', calls: 1, promptTokens: 3, completionTokens: 2, quota: 90 },
      { username: 'ann', model: 'm', calls: 2, promptTokens: 6, completionTokens: 4, quota: 15 },
      { username: '', model: '', calls: 3, promptTokens: 9, completionTokens: 6, quota: 105 },
    ]);
  });

  it('keeps ten thousand pairs, and counts calls of others in the total', () => {
    const sums = new ExportSums();
    for (let turn = 0; turn < 10_001; turn += 1) sums.add(line({ modelName: `m-${turn}` }));
    const all = sums.all();
    expect(all).toHaveLength(10_001);
    expect(all.at(-1)).toMatchObject({ calls: 10_001, quota: 100_010 });
  });
});
