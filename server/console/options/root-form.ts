import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { GIVEN_NAME_MAX, isPassword, isUsername, PASSWORD_LENGTH } from '../../base/users/user-rules.js';
import { isWellKnownPassword } from '../../base/users/well-known-passwords.js';
import type { Setup } from './dto/status.dto.js';

/**
 * Name and password of the first root, as typed at the set-up page. @returns the name as it is stored
 * Fails: DomainError `setup_username_invalid`, `setup_passwords_differ`, `setup_password_length`, `password_well_known`.
 */
export function rootNameOf({
  username: typed,
  password,
  confirmPassword,
}: Pick<Setup, 'username' | 'password' | 'confirmPassword'>): string {
  const username = cleanLine(typed);
  if (!isUsername(username, GIVEN_NAME_MAX))
    throw new DomainError('setup_username_invalid', { max: GIVEN_NAME_MAX });
  if (password !== confirmPassword) throw new DomainError('setup_passwords_differ');
  if (!isPassword(password)) throw new DomainError('setup_password_length', { min: PASSWORD_LENGTH.min });
  if (isWellKnownPassword(password)) throw new DomainError('password_well_known');
  return username;
}
