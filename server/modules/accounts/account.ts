import type { UserEntity } from './user.entity.js';

/** What a request's identity is made of. */
export type Account = Pick<
  UserEntity,
  'id' | 'username' | 'displayName' | 'role' | 'status' | 'group' | 'authVersion'
>;

/** An account as notices see it. */
export type Recipient = Pick<UserEntity, 'id' | 'username' | 'role' | 'email' | 'setting'>;
