import { describe, expect, it } from '@jest/globals';
import { CHANNEL_TYPES } from './registry.js';
import { typeCodeFaults } from './type-codes.js';

const upTo = (highest: number): number[] => Array.from({ length: highest }, (_, index) => index + 1);

describe('codes of channel types', () => {
  it('finds no fault in the registry, whose four gaps are unused codes', () => {
    expect(typeCodeFaults(CHANNEL_TYPES.map(({ code }) => code))).toEqual([]);
    expect(typeCodeFaults(upTo(33).filter((code) => ![28, 29, 30, 32].includes(code)))).toEqual([]);
  });

  it('refuses a code that two types have', () => {
    expect(typeCodeFaults([...upTo(5), 3])).toEqual(['two types have the code 3']);
  });

  it('refuses a gap, but not between the examples', () => {
    expect(typeCodeFaults([...upTo(5), 7])).toEqual(['no type has the code 6']);
    expect(typeCodeFaults([...upTo(5), 9_001, 9_100])).toEqual([]);
  });
});
