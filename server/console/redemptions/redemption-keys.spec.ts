import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { readCode, RedemptionKeys } from './redemption-keys.js';

const SECRET = 'a secret of this installation, long enough';
const keysOf = (cryptoSecret: string) =>
  new RedemptionKeys({ cryptoSecret } as Env, new SecretBox(cryptoSecret));
const keys = keysOf(SECRET);

describe('readCode', () => {
  const OWN = '0123456789abcdef0123456789abcdef';

  it('reads a code of ours in any case, with blanks wherever they came from', () => {
    expect(readCode(` ${OWN.slice(0, 16).toUpperCase()} \n${OWN.slice(16)}\u00a0`)).toBe(OWN);
  });

  it('keeps the letter case of other codes', () => {
    expect(readCode('Gift-ABC')).toBe('Gift-ABC');
    expect(readCode(`${OWN.toUpperCase()}F`)).toBe(`${OWN.toUpperCase()}F`);
  });

  it.each(['', ' \t\n', 'x'.repeat(65)])('returns null for %j, which cannot be a code', (typed) => {
    expect(readCode(typed)).toBeNull();
  });

  it('takes the longest code there is', () => {
    expect(readCode('x'.repeat(64))).toBe('x'.repeat(64));
  });
});

describe('RedemptionKeys', () => {
  it('makes codes that are read as they are, and never the same twice', () => {
    const made = Array.from({ length: 500 }, () => keys.make());
    expect(new Set(made).size).toBe(500);
    for (const code of made) expect(readCode(code)).toBe(code);
  });

  it('finds a code by a digest that needs the secret of the installation', () => {
    expect(keys.digest('abc')).toBe(keysOf(SECRET).digest('abc'));
    expect(keys.digest('abc')).toMatch(/^[0-9a-f]{64}$/);
    expect(keys.digest('abc')).not.toBe(keys.digest('abd'));
    expect(keys.digest('abc')).not.toBe(keysOf(`${SECRET}!`).digest('abc'));
  });

  it('shows a sealed code again, and not in another row', () => {
    const digest = keys.digest('abc');
    // A space is in no sealed text by chance.
    const sealed = keys.seal(digest, 'a code');
    expect(sealed).not.toContain('a code');
    expect(keys.show(digest, sealed)).toBe('a code');
    expect(keys.show(keys.digest('abd'), sealed)).toBe('');
  });

  it('shows nothing of a code that was sealed under another secret', () => {
    const digest = keys.digest('abc');
    expect(keysOf(`${SECRET}!`).show(digest, keys.seal(digest, 'abc'))).toBe('');
  });
});
