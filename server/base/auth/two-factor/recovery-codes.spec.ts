import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import {
  digestOfRecoveryCode,
  looksLikeRecoveryCode,
  makeRecoveryCodes,
  RECOVERY_CODES,
} from './recovery-codes.js';

const secrets = new SecretBox('c'.repeat(32));

describe('recovery codes', () => {
  it('makes ten, all different, without characters that are mistaken for each other', () => {
    const codes = makeRecoveryCodes();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const code of codes) expect(code).toMatch(/^([A-HJ-KM-NP-Z2-9]{4}-){2}[A-HJ-KM-NP-Z2-9]{4}$/);
  });

  it('reads them the same however they are typed', () => {
    const digest = digestOfRecoveryCode(secrets, 1, 'ABCD-EFGH-JKMN');
    for (const typed of ['abcdefghjkmn', ' ABCD EFGH JKMN ', 'abcd-efgh-jkmn'])
      expect(digestOfRecoveryCode(secrets, 1, typed)).toBe(digest);
  });

  it('differs from account to account and from secret to secret', () => {
    const other = new SecretBox('d'.repeat(32));
    const digests = [
      digestOfRecoveryCode(secrets, 1, 'ABCD-EFGH-JKMN'),
      digestOfRecoveryCode(secrets, 2, 'ABCD-EFGH-JKMN'),
      digestOfRecoveryCode(other, 1, 'ABCD-EFGH-JKMN'),
    ];
    expect(new Set(digests).size).toBe(3);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['ABCD-EFGH-JKMN', true],
    ['abcdefghjkmn', true],
    ['123456', false],
    ['ABCD-EFGH-JKM', false],
    ['ABCD-EFGH-JKMO', false],
    ['', false],
  ])('recognises %j as one: %p', (text, expected) => {
    expect(looksLikeRecoveryCode(text)).toBe(expected);
  });
});
