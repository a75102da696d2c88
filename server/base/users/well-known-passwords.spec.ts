import { describe, expect, it } from '@jest/globals';
import { isWellKnownPassword } from './well-known-passwords.js';

describe('isWellKnownPassword', () => {
  it.each(['123456', 'Password', 'PASSW0RD', 'Tollgate', 'root1234'])('finds %s', (password) => {
    expect(isWellKnownPassword(password)).toBe(true);
  });

  it.each(['rootroot1', 'password2026', 'Tollgate!', 'password1!', 'root12345678', '1234567890!!!!'])(
    'finds %s by its beginning',
    (password) => {
      expect(isWellKnownPassword(password)).toBe(true);
    },
  );

  it.each([
    '',
    '2026',
    'password ',
    'tollgate12345',
    'password-1',
    '1password',
    'correct horse battery staple1',
  ])('accepts %j', (password) => {
    expect(isWellKnownPassword(password)).toBe(false);
  });
});
