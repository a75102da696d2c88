import { describe, expect, it } from '@jest/globals';
import { isKeyPrefix, isWholeKey, matching, type PaletteEntry } from './palette-entry';

const entry = (label: string, rest: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  kind: 'go',
  label,
  path: '/',
  ...rest,
});
const labels = (entries: readonly PaletteEntry[]) => entries.map(({ label }) => label);

describe('matching entries', () => {
  const entries = [
    entry('Retries', { hint: 'RetryTimes' }),
    entry('Channels', { words: '渠道' }),
    entry('Times of the day'),
  ];

  it('finds by label, hint and other words, in any case', () => {
    expect(labels(matching(entries, 'CHANN'))).toEqual(['Channels']);
    expect(labels(matching(entries, '渠道'))).toEqual(['Channels']);
    expect(labels(matching(entries, 'retrytimes'))).toEqual(['Retries']);
  });

  it('puts matches of the label first', () => {
    expect(labels(matching(entries, 'times'))).toEqual(['Times of the day', 'Retries']);
  });

  it('needs every word', () => {
    expect(labels(matching(entries, 'times day'))).toEqual(['Times of the day']);
    expect(labels(matching(entries, 'times night'))).toEqual([]);
  });
});

describe('pasted keys', () => {
  it('separates a whole key from its beginning', () => {
    const whole = `sk-${'a1'.repeat(24)}`;
    expect([isWholeKey(whole), isKeyPrefix(whole)]).toEqual([true, false]);
    expect([isWholeKey('sk-ab12'), isKeyPrefix('sk-ab12')]).toEqual([false, true]);
    expect([isWholeKey('sk-'), isKeyPrefix('sk-')]).toEqual([false, false]);
    expect([isWholeKey('skip to'), isKeyPrefix('skip to')]).toEqual([false, false]);
  });
});
