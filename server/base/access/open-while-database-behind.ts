import { SetMetadata } from '@nestjs/common';

export const OPEN_WHILE_DATABASE_BEHIND_KEY = 'tollgate:open-while-behind';

/** Marks a change that is allowed while the database is an older copy: it removes rights and grants none. */
export const OpenWhileDatabaseBehind = (): MethodDecorator =>
  SetMetadata(OPEN_WHILE_DATABASE_BEHIND_KEY, true);
