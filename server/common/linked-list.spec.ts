import { describe, expect, it } from '@jest/globals';
import { LinkedList, LinkedListNode } from './linked-list.js';

class Named extends LinkedListNode {
  constructor(readonly name: string) {
    super();
  }
}

const names = (list: LinkedList<Named>): string =>
  list
    .toArray()
    .map(({ name }) => name)
    .join('');

describe('Ring', () => {
  it('keeps insertion order after any node is removed', () => {
    const members = [...'abcdef'].map((name) => new Named(name));
    for (const leaving of ['a', 'f', 'c', 'ab', 'ef', 'bd', 'abcdef', 'fedcba', 'acebdf']) {
      const list = new LinkedList<Named>();
      for (const member of members) list.add(member);
      const left = new Set(leaving);
      for (const name of leaving) list.remove(members.find((member) => member.name === name) as Named);
      const rest = [...'abcdef'].filter((name) => !left.has(name));
      expect(names(list)).toBe(rest.join(''));
      expect(list.count).toBe(rest.length);
      for (const member of members)
        if (left.has(member.name)) expect([member.before, member.after]).toEqual([null, null]);
      while (list.shift() !== undefined) expect(list.count).toBeLessThan(rest.length);
    }
  });

  it('takes a member in again, and gives them out one by one', () => {
    const list = new LinkedList<Named>();
    const [one, two] = [new Named('1'), new Named('2')];
    list.add(one);
    list.add(two);
    list.remove(one);
    list.add(one);
    expect(names(list)).toBe('21');
    expect([list.shift(), list.shift(), list.shift()]).toEqual([two, one, undefined]);
    expect(list.count).toBe(0);
    list.add(two);
    expect(names(list)).toBe('2');
  });
});
