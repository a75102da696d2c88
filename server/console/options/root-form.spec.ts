import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import { rootNameOf } from './setup.service.js';

const FORM = { username: ' ada ', password: 'long enough words', confirmPassword: 'long enough words' };

const codeOf = (change: Partial<typeof FORM>): string => {
  try {
    return rootNameOf({ ...FORM, ...change });
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};

describe('rootNameOf', () => {
  it('gives the name without the blanks around it', () => {
    expect(rootNameOf(FORM)).toBe('ada');
  });

  it.each([
    [{ username: 'a' }, 'setup_username_invalid'],
    [{ username: 'ada lovelace' }, 'setup_username_invalid'],
    [{ confirmPassword: 'other words' }, 'setup_passwords_differ'],
    [{ password: 'short', confirmPassword: 'short' }, 'setup_password_length'],
    [{ password: 'password', confirmPassword: 'password' }, 'password_well_known'],
    [{ password: 'rootroot1', confirmPassword: 'rootroot1' }, 'password_well_known'],
  ])('refuses %j: %s', (change, code) => {
    expect(codeOf(change)).toBe(code);
  });
});
