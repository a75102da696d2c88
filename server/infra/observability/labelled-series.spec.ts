import { describe, expect, it } from '@jest/globals';
import { LabelledSeries, MAX_LABEL_VALUES, OTHER } from './labelled-series.js';

const opened = (...names: string[]) => new LabelledSeries(names, () => ({ count: 0 }));

describe('LabelledSeries', () => {
  it('has one item per set of labels, and takes a missing one as empty', () => {
    const series = opened('model', 'status');
    series.at(['a', 'ok']).count += 1;
    series.at(['a', 'ok']).count += 1;
    series.at(['ok', 'a']).count += 5;
    series.at(['a']).count += 7;
    expect(series.at(['a', ''])).toBe(series.at(['a']));
    expect(series.entries()).toEqual([
      { labels: { model: 'a', status: 'ok' }, item: { count: 2 } },
      { labels: { model: 'ok', status: 'a' }, item: { count: 5 } },
      { labels: { model: 'a', status: '' }, item: { count: 7 } },
    ]);
  });

  it('keeps one item where there are no labels', () => {
    const series = opened();
    expect(series.at([])).toBe(series.at([]));
    expect(series.entries()).toEqual([{ labels: {}, item: { count: 0 } }]);
  });

  it('counts the values beyond the limit of a label together, whatever their names', () => {
    const series = opened('model', 'status');
    for (let model = 0; model < MAX_LABEL_VALUES + 50; model += 1) series.at([`m${model}`, 'ok']).count += 1;
    series.at([OTHER, 'ok']).count += 1;
    const others = series.entries().filter(({ labels }) => labels['model'] === OTHER);
    expect(others).toEqual([{ labels: { model: OTHER, status: 'ok' }, item: { count: 51 } }]);
    expect(series.entries()).toHaveLength(MAX_LABEL_VALUES + 1);
    expect(series.at(['m0', 'ok']).count).toBe(1);
  });

  it('counts sets of labels beyond two thousand together', () => {
    const series = opened('a', 'b');
    for (let a = 0; a < 100; a += 1) for (let b = 0; b < 100; b += 1) series.at([`${a}`, `${b}`]).count += 1;
    expect(series.entries()).toHaveLength(2_001);
    expect(series.at([OTHER, OTHER]).count).toBe(8_000);
    expect(series.at(['0', '0']).count).toBe(1);
  });
});
