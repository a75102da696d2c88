import { describe, expect, it } from '@jest/globals';
import { storedForms, storedKey } from './stored-key.js';

describe('storedKey', () => {
  it('leaves a key as it is that its column holds', () => {
    expect(storedKey('x'.repeat(191))).toBe('x'.repeat(191));
    expect(storedForms('x'.repeat(191))).toEqual(['x'.repeat(191)]);
  });

  it('keeps longer keys apart within 191 characters, also where a character of two halves is cut', () => {
    const long = `${'x'.repeat(146)}${'\u{1f600}'.repeat(40)}`;
    const [one, other] = [storedKey(`${long}1`), storedKey(`${long}2`)];
    expect(one).not.toBe(other);
    for (const key of [one, other]) {
      expect(key).toHaveLength(191);
      expect(key.isWellFormed()).toBe(true);
      expect(storedKey(key)).toBe(key);
    }
  });

  it('finds a key in the form of an earlier version', () => {
    const key = 'x'.repeat(300);
    expect(storedForms(key)).toEqual([storedKey(key), 'x'.repeat(191)]);
  });
});
