import { describe, expect, it } from '@jest/globals';
import { knownWarnings, type Warning, WARNINGS_HEADER, warningHeader, withUnread } from './warning.js';

const warning = (setting: string, reason = 'left out'): Warning => ({ setting, reason });

describe('knownWarnings', () => {
  it('keeps each once, the first hundred of them', () => {
    const many = Array.from({ length: 300 }, (_, index) => warning(`s${Math.floor(index / 2)}`));
    expect(knownWarnings(many)).toEqual(Array.from({ length: 100 }, (_, index) => warning(`s${index}`)));
    expect(knownWarnings([warning('a', 'x'), warning('a', 'y')])).toHaveLength(2);
    expect(knownWarnings([])).toEqual([]);
  });
});

describe('withUnread', () => {
  it('mentions unreadable events, and nothing without any', () => {
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

  it('holds a path, and twenty names of many', () => {
    expect(warningHeader([warning('messages.1.content.0.citations')])).toEqual({
      [WARNINGS_HEADER]: 'messages.1.content.0.citations',
    });
    const many = warningHeader(Array.from({ length: 60 }, (_, index) => warning(`s${index}`)));
    expect(many[WARNINGS_HEADER]?.split(', ')).toHaveLength(20);
  });

  it('ends before a name that would make it longer than 1 kB', () => {
    const long = Array.from({ length: 20 }, (_, index) => warning(`${index}.`.padEnd(100, 'x')));
    expect(warningHeader(long)[WARNINGS_HEADER]?.split(', ')).toHaveLength(9);
  });

  it.each(['a\r\nset-cookie: b', 'a, b', '设置', '', 'x'.repeat(129)])('leaves out %j', (setting) => {
    expect(warningHeader([warning(setting)])).toEqual({});
    expect(warningHeader([warning(setting), warning('seed')])).toEqual({ [WARNINGS_HEADER]: 'seed' });
  });
});
