import { describe, expect, it } from '@jest/globals';
import { hashSync } from 'bcryptjs';
import { verifyForeign } from '../../../base/auth/foreign-passwords.js';
import { passwordFormOf, readableBcrypt } from './password-forms.js';

describe('stored passwords', () => {
  it.each(['$2$', '$2a$', '$2b$', '$2x$', '$2y$'])('compares hashes that begin with %s', async (mark) => {
    const stored = hashSync('old password', 4).replace(/^\$2[aby]\$/, () => mark);
    expect(passwordFormOf(stored)).toBe('bcrypt');
    expect(await verifyForeign(readableBcrypt(stored), 'old password')).toBe(true);
    expect(await verifyForeign(readableBcrypt(stored), 'another')).toBe(false);
  });

  it.each([
    ['', 'none'],
    ['a'.repeat(64), 'sha256'],
    ['scrypt:abc', 'scrypt'],
    ['$2y$10$too-short', 'plain'],
    ['123456', 'plain'],
  ])('reads the form of %j', (stored, form) => {
    expect(passwordFormOf(stored)).toBe(form);
  });
});
