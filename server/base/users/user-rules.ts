import { DomainError } from '../../common/errors/domain-error.js';
import { lengthOf } from '../../common/text.js';
import { isConfusableWithOfficial } from './confusable-names.js';
import { isWellKnownPassword } from './well-known-passwords.js';

/** Names typed at registration and by the owner. */
export const TYPED_NAME_MAX = 12;
/** Names given by administrators and outside logins. */
export const GIVEN_NAME_MAX = 64;
const NAME_MIN = 3;
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;
export const DISPLAY_NAME_MAX = 20;

const NAME_CHARACTERS = /^[A-Za-z0-9._-]+$/;
/** Form in which usernames are compared: two names with the same folded form are the same name. */
export const foldUsername = (username: string): string => username.normalize('NFC').trim().toLowerCase();

export const isUsername = (username: string, max: number): boolean =>
  username.length >= NAME_MIN && username.length <= max && NAME_CHARACTERS.test(username);

/** Fails: DomainError `username_invalid` or `username_reserved`. */
export function assertUsername(username: string, by: 'owner' | 'administrator'): void {
  const max = by === 'owner' ? TYPED_NAME_MAX : GIVEN_NAME_MAX;
  if (!isUsername(username, max)) throw new DomainError('username_invalid', { max });
  if (by === 'owner' && isConfusableWithOfficial(username)) throw new DomainError('username_reserved');
}

/** The password is never trimmed and never cut; its length is that of the composed form, which is what is hashed. */
export function isPassword(password: string): boolean {
  const length = lengthOf(password.normalize('NFC'));
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
}

/** Fails: DomainError `password_length`, `password_well_known`. */
export function assertPassword(password: string): void {
  if (!isPassword(password)) throw new DomainError('password_length', PASSWORD_LENGTH);
  if (isWellKnownPassword(password)) throw new DomainError('password_well_known');
}

/** Characters that are not seen, or that turn the reading direction of what stands beside them. Joiners inside emoji stay. */
const DECEPTIVE_CHARACTERS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** Fails: DomainError `display_name_*`. */
export function assertDisplayName(displayName: string, by: 'owner' | 'administrator'): void {
  if (by === 'owner' && isConfusableWithOfficial(displayName)) throw new DomainError('display_name_reserved');
  if (DECEPTIVE_CHARACTERS.test(displayName)) throw new DomainError('display_name_invalid');
  if (lengthOf(displayName) > DISPLAY_NAME_MAX)
    throw new DomainError('display_name_too_long', { max: DISPLAY_NAME_MAX });
}
