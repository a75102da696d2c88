import { SetMetadata } from '@nestjs/common';

export const OPEN_WITHOUT_DATABASE_KEY = 'tollgate:open-without-database';

/**
 * A reading route that answers while the database is away, to whoever was signed in a short while ago: nobody can be banned or
 * signed out meanwhile either.
 */
export const OpenWithoutDatabase = (): MethodDecorator => SetMetadata(OPEN_WITHOUT_DATABASE_KEY, true);
