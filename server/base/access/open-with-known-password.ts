import { SetMetadata } from '@nestjs/common';

export const OPEN_WITH_KNOWN_PASSWORD_KEY = 'tollgate:open-with-known-password';

/** Marks a route open to root after a sign-in with the default password: change it, or sign out. */
export const OpenWithKnownPassword = (): MethodDecorator => SetMetadata(OPEN_WITH_KNOWN_PASSWORD_KEY, true);
