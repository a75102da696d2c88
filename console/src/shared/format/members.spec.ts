import { describe, expect, it } from '@jest/globals';
import { figure, listOf, membersOf, oneOf, positive, text } from './members';

const read = membersOf({
  name: text,
  size: figure,
  age: positive,
  tags: listOf(text),
  side: oneOf(['before', 'after']),
});

describe('membersOf', () => {
  it('reads members of the kind they should be, and leaves others out', () => {
    expect(read({ name: 'a', size: -1, age: 0, tags: ['b', 'c'], side: 'after', more: true })).toEqual({
      name: 'a',
      size: -1,
      age: 0,
      tags: ['b', 'c'],
      side: 'after',
    });
    expect(read({ name: 1, size: '1', age: -1, tags: ['b', 2], side: 'between' })).toEqual({});
  });

  it.each([[null], [undefined], ['text'], [[{ name: 'a' }]]])('reads nothing of %j', (value) => {
    expect(read(value)).toBeUndefined();
  });
});
