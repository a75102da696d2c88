import { describe, expect, it } from '@jest/globals';
import { LinkedRing, LinkedRingMember } from './linked-ring.js';

class Named extends LinkedRingMember {
  constructor(readonly name: string) {
    super();
  }
}

const names = (ring: LinkedRing<Named>): string =>
  ring
    .toArray()
    .map(({ name }) => name)
    .join('');

describe('Ring', () => {
  it('keeps the order in which its members came, whoever leaves', () => {
    const members = [...'abcdef'].map((name) => new Named(name));
    for (const leaving of ['a', 'f', 'c', 'ab', 'ef', 'bd', 'abcdef', 'fedcba', 'acebdf']) {
      const ring = new LinkedRing<Named>();
      for (const member of members) ring.add(member);
      const left = new Set(leaving);
      for (const name of leaving) ring.remove(members.find((member) => member.name === name) as Named);
      const rest = [...'abcdef'].filter((name) => !left.has(name));
      expect(names(ring)).toBe(rest.join(''));
      expect(ring.count).toBe(rest.length);
      for (const member of members)
        if (left.has(member.name)) expect([member.before, member.after]).toEqual([null, null]);
      while (ring.shift() !== undefined) expect(ring.count).toBeLessThan(rest.length);
    }
  });

  it('takes a member in again, and gives them out one by one', () => {
    const ring = new LinkedRing<Named>();
    const [one, two] = [new Named('1'), new Named('2')];
    ring.add(one);
    ring.add(two);
    ring.remove(one);
    ring.add(one);
    expect(names(ring)).toBe('21');
    expect([ring.shift(), ring.shift(), ring.shift()]).toEqual([two, one, undefined]);
    expect(ring.count).toBe(0);
    ring.add(two);
    expect(names(ring)).toBe('2');
  });
});
