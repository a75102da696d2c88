import { describe, expect, it } from '@jest/globals';
import { isWellKnownPassword } from './well-known-passwords.js';

describe('isWellKnownPassword', () => {
  it.each(['123456', 'Password', 'PASSW0RD', 'Tollgate', 'root1234'])('knows %s', (password) => {
    expect(isWellKnownPassword(password)).toBe(true);
  });

  it.each(['', 'password ', 'tollgate!', 'correct horse battery staple'])('does not know %j', (password) => {
    expect(isWellKnownPassword(password)).toBe(false);
  });
});
