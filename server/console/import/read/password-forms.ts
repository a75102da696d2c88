import type { PasswordForm } from '../source/records.js';

/** Costs above this take seconds for one try. */
export const HIGH_BCRYPT_COST = 14;

/** The form of a stored password. An empty text is never one. */
export function passwordFormOf(stored: string): PasswordForm {
  if (stored === '') return 'none';
  if (/^\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}$/.test(stored)) return 'bcrypt';
  if (stored.startsWith('scrypt:')) return 'scrypt';
  if (/^[0-9a-f]{64}$/i.test(stored)) return 'sha256';
  return 'plain';
}

/** Cost of a bcrypt hash: each step doubles the time. */
export const bcryptCostOf = (stored: string): number =>
  Number(/^\$2[abxy]?\$(\d\d)\$/.exec(stored)?.[1] ?? 0);

/**
 * The same hash under a mark that the library here reads. Go's bcrypt, which both programs of this family use, ignores the letter and
 * computes all of them as `$2b$`.
 */
export const readableBcrypt = (stored: string): string => stored.replace(/^\$2x?\$/, () => '$2b$');
