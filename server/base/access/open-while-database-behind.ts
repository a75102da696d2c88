import { SetMetadata } from '@nestjs/common';

export const OPEN_WHILE_DATABASE_BEHIND_KEY = 'tollgate:open-while-behind';

/** A change anybody may make while the database is behind what was seen of it: it takes rights away and gives none. */
export const OpenWhileDatabaseBehind = (): MethodDecorator =>
  SetMetadata(OPEN_WHILE_DATABASE_BEHIND_KEY, true);
