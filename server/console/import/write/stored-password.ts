import { sentence } from '../../../common/import-sentences/sentence.js';
import type { SourceUser } from '../source/records.js';
import { wrappedPassword } from '../../../base/auth/foreign-passwords.js';
import type { ImportContext } from './import-context.js';

const ADMINISTRATOR = 10;
/** The password of one-api's first account. */
const FIRST_PASSWORD = '123456';

/** The password column of an imported account. The first password of one-api's root is none: it is public. */
export async function storedPassword(context: ImportContext, user: SourceUser): Promise<string> {
  const { hasher } = context.tools;
  // A lost second factor must not become a sign-in with the password alone: the mailbox proves the person first.
  if (user.hasLostFactor) return '';
  switch (user.passwordForm) {
    case 'none':
      return '';
    case 'plain':
      return hasher.hash(user.password);
    case 'sha256':
      return wrappedPassword(await hasher.hash(user.password.toLowerCase()));
    case 'bcrypt':
    case 'scrypt': {
      if (user.role < ADMINISTRATOR || !(await hasher.verify(user.password, FIRST_PASSWORD)))
        return user.password;
      context.note(
        'no-way-in',
        'users',
        user.sourceId,
        sentence('password_public', { password: FIRST_PASSWORD }),
      );
      return '';
    }
  }
}
