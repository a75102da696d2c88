import { describe, expect, it } from '@jest/globals';
import { assertIssuedByNow } from './oidc.identity.js';

const NOW_MS = 1_700_000_000_000;

describe('assertIssuedByNow', () => {
  it.each([[undefined], ['soon'], [1_600_000_000], [1_700_000_000], [1_700_000_300]])('takes %s', (iat) => {
    expect(() => assertIssuedByNow({ iat }, NOW_MS)).not.toThrow();
  });

  it('refuses a token issued more than five minutes ahead', () => {
    expect(() => assertIssuedByNow({ iat: 1_700_000_301 }, NOW_MS)).toThrow('issued in the future');
  });
});
