import { describe, expect, it } from '@jest/globals';
import { withParameters } from './redirect-identity.js';

describe('withParameters', () => {
  it('adds parameters to those of the address, and escapes them', () => {
    expect(withParameters('https://id.test/auth?tenant=a', { state: 'x&y=z', nonce: '漢 +' })).toBe(
      'https://id.test/auth?tenant=a&state=x%26y%3Dz&nonce=%E6%BC%A2+%2B',
    );
  });

  it('replaces a parameter of the address, and leaves out those without a value', () => {
    expect(
      withParameters('https://id.test/auth?state=old&state=older', { state: '', nonce: undefined }),
    ).toBe('https://id.test/auth?state=');
  });

  it('refuses texts that are no address', () => {
    expect(() => withParameters('id.test/auth', { state: 'x' })).toThrow('Invalid URL');
  });
});
