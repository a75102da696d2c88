import { describe, expect, it } from '@jest/globals';
import { makeSecret, otpauthAddress, stepOfCode } from './one-time-code.js';

/** "12345678901234567890" of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('stepOfCode', () => {
  // The RFC prints eight digits; six are their last six.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('accepts the code of RFC 6238 at second %d', async (second, eightDigits) => {
    expect(await stepOfCode(SECRET, eightDigits.slice(2), second * 1000)).toBe(Math.floor(second / 30));
  });

  it('accepts the step before and the step after, and no other', async () => {
    const at = (second: number) => stepOfCode(SECRET, '050471', second * 1000);
    const step = Math.floor(1_111_111_111 / 30);
    const start = step * 30;
    expect(
      await Promise.all([at(start - 31), at(start - 30), at(start + 29), at(start + 59), at(start + 61)]),
    ).toEqual([null, step, step, step, null]);
  });

  it.each(['', '50471', '0050471', '05047l', '０５０４７１', ' 050471', '050471\n'])(
    'refuses %j',
    async (code) => {
      expect(await stepOfCode(SECRET, code, 1_111_111_111_000)).toBeNull();
    },
  );
});

describe('makeSecret', () => {
  it('makes 160 bits in base32, another each time', async () => {
    const secrets = new Set(await Promise.all(Array.from({ length: 100 }, makeSecret)));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });
});

describe('otpauthAddress', () => {
  it('names issuer and account, whatever characters they hold', async () => {
    const url = new URL(await otpauthAddress('网关: Ä & Co', 'ann@example.org', SECRET));
    expect(url.protocol).toBe('otpauth:');
    expect(decodeURIComponent(url.pathname)).toMatch(/网关 {1,2}Ä & Co:ann@example\.org$/);
    expect(url.searchParams.get('secret')).toBe(SECRET);
    expect(url.searchParams.get('issuer')).toMatch(/^网关 {1,2}Ä & Co$/);
  });

  it('has an issuer when the system has no name', async () => {
    expect(new URL(await otpauthAddress(' ', 'ann', SECRET)).searchParams.get('issuer')).toBe('Tollgate');
  });
});
