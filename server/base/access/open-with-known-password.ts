import { SetMetadata } from '@nestjs/common';

export const OPEN_WITH_KNOWN_PASSWORD_KEY = 'tollgate:open-with-known-password';

/** What root can still do after signing in with a password that everybody knows: change it, and leave. */
export const OpenWithKnownPassword = (): MethodDecorator => SetMetadata(OPEN_WITH_KNOWN_PASSWORD_KEY, true);
