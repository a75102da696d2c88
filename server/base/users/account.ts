import type { IdentityColumn, IssuerColumn } from '../access/identity-providers.js';
import type { UserEntity } from './user.entity.js';

/** What a request's identity is made of. */
export type Account = Pick<
  UserEntity,
  'id' | 'username' | 'displayName' | 'role' | 'status' | 'group' | 'authVersion'
>;

/** What notices know of an account. */
export const RECIPIENT_COLUMNS = ['id', 'username', 'role', 'email', 'setting'] as const;
export type Recipient = Pick<UserEntity, (typeof RECIPIENT_COLUMNS)[number]>;

/** An account whose row a transaction holds: what decides who may come in, and where its owner is told of it. */
export type LockedAccount = Pick<
  UserEntity,
  'id' | 'username' | 'email' | 'setting' | IdentityColumn | IssuerColumn
>;
