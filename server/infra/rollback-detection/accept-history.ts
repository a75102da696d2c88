import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DIALECTS } from '../database/dialect.js';
import { sessionOf } from '../database/manager-session.js';

/**
 * Accepts the database as it is, whatever was seen before: after a restore, or when an operator accepts a loss. Writes a new random
 * name, so that a copy from before it can be distinguished. Beside the options, under a name that no option can have.
 */
export async function acceptHistory(manager: EntityManager): Promise<void> {
  const session = sessionOf(manager);
  const again = DIALECTS[session.dialect].orReplace({ table: 'options', key: ['key'] }, ['value']);
  await session.run(`INSERT INTO "options" ("key", "value") VALUES ('.history', ?) ${again}`, [randomUUID()]);
}
