import { describe, expect, it } from '@jest/globals';
import {
  digestTokenKey,
  isTokenKey,
  makeTokenKey,
  tokenKeyPlace,
  tokenPepper,
  withoutKeyPrefix,
} from './token-key.js';

/** Their CRC-32 is 0x41f55d5e, in base 62: 1CtB1C. */
const ZEROS = '0'.repeat(42);

describe('keys of tokens', () => {
  it('makes keys that are keys, each another', () => {
    const keys = Array.from({ length: 200 }, makeTokenKey);
    expect(keys.filter(isTokenKey)).toHaveLength(200);
    expect(new Set(keys).size).toBe(200);
  });

  it('detects a mistyped key by its checksum, without a database', () => {
    const key = makeTokenKey();
    for (let place = 0; place < key.length; place += 1) {
      const other = key[place] === 'A' ? 'B' : 'A';
      expect([place, isTokenKey(key.slice(0, place) + other + key.slice(place + 1))]).toEqual([place, false]);
    }
  });

  it('keeps the checksum that published keys have', () => {
    expect(isTokenKey(`${ZEROS}1CtB1C`)).toBe(true);
  });

  it.each([
    [''],
    ['short'],
    [`${ZEROS}00000`],
    [`${ZEROS}0000000`],
    [`${'ä'.repeat(48)}`],
    [`${ZEROS}00000\n`],
  ])('refuses %p by its shape', (text) => {
    expect(isTokenKey(text)).toBe(false);
  });

  it.each([
    ['sk-abc', 'abc'],
    ['  sk-abc\n', 'abc'],
    ['abc', 'abc'],
    ['sk-sk-abc', 'sk-abc'],
    ['SK-abc', 'SK-abc'],
    ['sk-', ''],
    ['', ''],
  ])('reads %p without its prefix as %p', (text, key) => {
    expect(withoutKeyPrefix(text)).toBe(key);
  });

  it('looks keys up by a digest that depends on the secret', () => {
    const pepper = tokenPepper('a secret of at least 32 characters');
    expect(pepper).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenPepper('another secret of 32 characters ..')).not.toBe(pepper);
    expect(digestTokenKey(pepper, 'key')).toMatch(/^[0-9a-f]{64}$/);
    expect(digestTokenKey(pepper, 'kez')).not.toBe(digestTokenKey(pepper, 'key'));
    expect(digestTokenKey('', 'key')).not.toBe(digestTokenKey(pepper, 'key'));
  });

  it('seals each key into its own row', () => {
    expect(tokenKeyPlace(7)).toBe('tokens|key_encrypted|7');
  });
});
