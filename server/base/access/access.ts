import { SetMetadata } from '@nestjs/common';

/**
 * Who may call a route. Every handler declares one; the start refuses a route that does not.
 * public: anybody · guest: anybody, a login is used when present · user, admin, root: by role · token: an API token ·
 * notify: signed by an outside service, the handler verifies it.
 */
export type AccessLevel = 'public' | 'guest' | 'user' | 'admin' | 'root' | 'token' | 'notify';

export const ACCESS_KEY = 'tollgate:access';

export const Access = (level: AccessLevel): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_KEY, level);

/** Whether the level asks for an account of at least some role. */
export const isByRole = (level: AccessLevel): level is 'user' | 'admin' | 'root' =>
  level === 'user' || level === 'admin' || level === 'root';
