import { describe, expect, it } from '@jest/globals';
import type { ChannelType } from './api';
import { isKeyOfFormat, keysIn } from './channel.types';

const isKey = (key_format: ChannelType['key_format'], key: string, vendor = {}) =>
  isKeyOfFormat({ key_format }, key, vendor);

describe('isKeyOfFormat', () => {
  it('counts the parts of a key, empty ones aside', () => {
    const keys = ['a', 'a|', 'a|b', 'a| |b', 'a|b|c', 'a|b|c|d', 'a|b|c|d|e'];
    const taken = (format: ChannelType['key_format']) => keys.filter((key) => isKey(format, key));
    expect(taken('two_parts')).toEqual(['a|b', 'a| |b']);
    expect(taken('three_parts')).toEqual(['a|b|c']);
    expect(taken('token_or_three_parts')).toEqual(['a', 'a|b|c']);
    expect(taken('access_keys_region')).toEqual(['a|b', 'a| |b', 'a|b|c', 'a|b|c|d']);
    expect(taken('any')).toEqual(keys);
  });

  it('takes a JSON object for a service account, or any key where the type is set to use keys', () => {
    expect(['{}', '[]', 'null', '"a"', 'a'].map((key) => isKey('json', key))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isKey('json', 'a', { vertex_key_type: 'api_key' })).toBe(true);
    expect(isKey('json', 'a', { vertex_key_type: 'json' })).toBe(false);
  });
});

describe('keysIn', () => {
  it.each([
    ['', []],
    [' \n ', []],
    ['a', ['a']],
    [' a \r\n\n b', ['a', 'b']],
    ['["a", "b"]', ['a', 'b']],
    ['[{"type":"service_account"}]', ['{"type":"service_account"}']],
    ['{\n"a": 1\n}', ['{\n"a": 1\n}']],
    ['{broken\nb', ['{broken', 'b']],
    ['[broken', ['[broken']],
  ])('finds in %j %j', (text, keys) => {
    expect(keysIn(text)).toEqual(keys);
  });
});
