import type { Actor } from '../../server/base/access/current-actor.js';
import type { Account } from '../../server/base/users/account.js';

/** An ordinary account, enabled. */
export const anAccount = (changes: Partial<Account> = {}): Account => ({
  id: 7,
  username: 'ann',
  displayName: 'Ann',
  role: 1,
  status: 1,
  group: 'default',
  authVersion: 3,
  ...changes,
});

/** The same account, signed in by a cookie. */
export const anActor = (changes: Partial<Actor> = {}): Actor => ({
  id: 7,
  username: 'ann',
  role: 1,
  group: 'default',
  way: 'session',
  sessionDigest: 'digest',
  ...changes,
});

/** The same account by its system access token. */
export const byAccessToken = (changes: Partial<Actor> = {}): Actor =>
  anActor({ way: 'access-token', sessionDigest: null, ...changes });
