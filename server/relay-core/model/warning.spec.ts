import { describe, expect, it } from '@jest/globals';
import { knownWarnings, type Warning, WARNINGS_HEADER, warningHeader, withUnread } from './warning.js';

const warning = (setting: string, reason = 'left out'): Warning => ({ setting, reason });

describe('knownWarnings', () => {
  it('keeps each once, the first twenty of them', () => {
    const many = Array.from({ length: 60 }, (_, index) => warning(`s${Math.floor(index / 2)}`));
    expect(knownWarnings(many)).toEqual(Array.from({ length: 20 }, (_, index) => warning(`s${index}`)));
    expect(knownWarnings([warning('a', 'x'), warning('a', 'y')])).toHaveLength(2);
    expect(knownWarnings([])).toEqual([]);
  });
});

describe('withUnread', () => {
  it('adds a word about events that could not be read, and none about no event', () => {
    const warnings = [warning('a')];
    expect(withUnread(warnings, 0)).toBe(warnings);
    expect(withUnread(warnings, 2)).toEqual([
      warning('a'),
      { setting: 'stream', reason: 'events that could not be read: 2' },
    ]);
  });
});

describe('warningHeader', () => {
  it('names each setting once', () => {
    expect(warningHeader([warning('tools'), warning('seed'), warning('tools', 'other')])).toEqual({
      [WARNINGS_HEADER]: 'tools, seed',
    });
  });

  it.each(['a\r\nset-cookie: b', 'a, b', '设置', '', 'x'.repeat(65)])('leaves out %j', (setting) => {
    expect(warningHeader([warning(setting)])).toEqual({});
    expect(warningHeader([warning(setting), warning('seed')])).toEqual({ [WARNINGS_HEADER]: 'seed' });
  });
});
