import type { IdentityColumn } from '../access/identity-providers.js';
import type { UserEntity } from './user.entity.js';

/** What a request's identity is made of. */
export type Account = Pick<
  UserEntity,
  'id' | 'username' | 'displayName' | 'role' | 'status' | 'group' | 'authVersion'
>;

/** An account as notices see it. */
export type Recipient = Pick<UserEntity, 'id' | 'username' | 'role' | 'email' | 'setting'>;

/** An account whose row a transaction holds: what decides who may come in, and where its owner is told of it. */
export type LockedAccount = Pick<UserEntity, 'id' | 'username' | 'email' | 'setting' | IdentityColumn>;
