import { describe, expect, it } from '@jest/globals';
import { compareDocuments } from './compare-documents.js';

describe('compareDocuments', () => {
  it('names the entries that were added, changed and removed, by name', () => {
    expect(compareDocuments('{"same":1,"old":2,"b":{"x":1}}', '{"new":3,"b":{"x":2},"same":1}')).toEqual([
      { name: 'b', oldValue: '{"x":1}', newValue: '{"x":2}' },
      { name: 'new', oldValue: null, newValue: '3' },
      { name: 'old', oldValue: '2', newValue: null },
    ]);
  });

  it('sees no change in how a document is written', () => {
    expect(compareDocuments('{"a":1.0,"b":2}', '{ "b": 2, "a": 1 }')).toEqual([]);
  });

  it('distinguishes an entry of null from a missing one', () => {
    expect(compareDocuments('{"a":null}', '{}')).toEqual([{ name: 'a', oldValue: 'null', newValue: null }]);
  });

  it('takes an option that was not there for an empty document', () => {
    expect(compareDocuments(null, '{"a":1}')).toEqual([{ name: 'a', oldValue: null, newValue: '1' }]);
    expect(compareDocuments('{"a":1}', null)).toEqual([{ name: 'a', oldValue: '1', newValue: null }]);
    expect(compareDocuments(null, null)).toEqual([]);
  });

  it.each([
    ['0.5', '0.6'],
    ['text', '{"a":1}'],
    ['[1]', '[2]'],
    ['null', '{}'],
  ])('compares %s and %s as a whole', (oldValue, newValue) => {
    expect(compareDocuments(oldValue, newValue)).toEqual([{ name: '', oldValue, newValue }]);
    expect(compareDocuments(oldValue, oldValue)).toEqual([]);
  });

  it('compares a name that equals a member of objects', () => {
    expect(compareDocuments('{}', '{"__proto__":1,"constructor":2}')).toEqual([
      { name: '__proto__', oldValue: null, newValue: '1' },
      { name: 'constructor', oldValue: null, newValue: '2' },
    ]);
  });
});
