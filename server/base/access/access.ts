import { SetMetadata } from '@nestjs/common';

/**
 * Access level of a route. Every handler declares one; the application refuses to start otherwise.
 * public: any caller · guest: any caller, a login is used when present · user, admin, root: by role · token: an API token ·
 * notify: signed by an outside service, the handler verifies it.
 */
export type AccessLevel = 'public' | 'guest' | 'user' | 'admin' | 'root' | 'token' | 'notify';

export const ACCESS_KEY = 'tollgate:access';

export const Access = (level: AccessLevel): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_KEY, level);

/** Returns true when the level requires an account of a minimum role. */
export const isByRole = (level: AccessLevel): level is 'user' | 'admin' | 'root' =>
  level === 'user' || level === 'admin' || level === 'root';
