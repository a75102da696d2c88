import { SetMetadata } from '@nestjs/common';

export const OPEN_WITHOUT_DATABASE_KEY = 'tollgate:open-without-database';

/**
 * Marks a read-only route that answers during a database outage, for accounts with a recent session: bans and sign-outs need the
 * database, too.
 */
export const OpenWithoutDatabase = (): MethodDecorator => SetMetadata(OPEN_WITHOUT_DATABASE_KEY, true);
