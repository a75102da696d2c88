import { describe, expect, it } from '@jest/globals';
import { decodeCredential, faultOfCredentials } from './address-faults.js';

describe('faultOfCredentials', () => {
  it.each([
    'redis://host:6379',
    'redis://:secret@host:6379/0',
    'redis://user:a%2Fb%40c@host',
    'mysql://user@host/db?charset=utf8',
    'postgres://u:p@host/db?sslcert=/path/at@home',
    'sqlite:data.db',
    '',
  ])('finds nothing wrong with %s', (url) => {
    expect(faultOfCredentials(url)).toBeUndefined();
  });

  it.each(['redis://:a/b@host', 'redis://u:a?b@host', 'redis://u:a#b@host'])(
    'shows the encoding of the character that ends the password of %s',
    (url) => {
      expect(faultOfCredentials(url)).toBe(
        'has a password with /, ? or # in it: write them as %2F, %3F and %23',
      );
    },
  );

  it('shows the encoding of an @', () => {
    expect(faultOfCredentials('redis://u:a@b@host')).toBe('has an @ in its password: write it as %40');
  });
});

describe('decodeCredential', () => {
  it('reads percent-encoded characters', () => {
    expect(decodeCredential('a%2Fb%E5%AF%86')).toBe('a/b密');
    expect(decodeCredential('')).toBe('');
  });

  it.each(['100%', '%zz', '%E5'])('refuses %s', (text) => {
    expect(() => decodeCredential(text)).toThrow(
      new RangeError('has a % in its name or password: write it as %25'),
    );
  });
});
