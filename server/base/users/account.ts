import type { IdentityColumn, IssuerColumn } from '../access/identity-providers.js';
import type { UserEntity } from './user.entity.js';

/** Columns of a request's identity. */
export type Account = Pick<
  UserEntity,
  'id' | 'username' | 'displayName' | 'role' | 'status' | 'group' | 'authVersion'
>;

/** Columns that notices need of an account. */
export const RECIPIENT_COLUMNS = ['id', 'username', 'role', 'email', 'setting'] as const;
export type Recipient = Pick<UserEntity, (typeof RECIPIENT_COLUMNS)[number]>;

/** An account whose row a transaction holds: its sign-in methods, and the address for notices to its owner. */
export type LockedAccount = Pick<
  UserEntity,
  'id' | 'username' | 'email' | 'setting' | IdentityColumn | IssuerColumn
>;
