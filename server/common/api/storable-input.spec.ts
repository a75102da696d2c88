import { describe, expect, it } from '@jest/globals';
import { storableInput } from './storable-input.js';

describe('storableInput', () => {
  it('removes NULs from the texts and names of a body, at any depth', () => {
    const body = { name: 'a\0b', list: [{ 'k\0ey': '\0' }], count: 1, none: null };
    expect(storableInput(body, 'body')).toEqual({ name: 'ab', list: [{ key: '' }], count: 1, none: null });
  });

  it.each(['query', 'param'] as const)(
    'puts U+FFFD in place of NUL in a %s, so that a filter stays one',
    (place) => {
      const query = Object.assign(Object.create(Object.create(null) as object) as object, { keyword: '\0' });
      expect(storableInput(query, place)).toEqual({ keyword: '\ufffd' });
      expect(storableInput('a\0', place)).toBe('a\ufffd');
    },
  );

  it('replaces half characters and keeps whole ones', () => {
    expect(storableInput(['\ud800x', '🙂'], 'body')).toEqual(['\ufffdx', '🙂']);
  });

  it('returns what needs no change as it is, bytes included', () => {
    const body = { text: '漢字 🙂', nested: [{ a: 1 }], bytes: Buffer.from('a\0') };
    expect(storableInput(body, 'body')).toBe(body);
    expect(storableInput(undefined, 'body')).toBeUndefined();
  });
});
