import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { sessionOf } from '../database/manager-session.js';

/**
 * Says that the database is as it should be, whatever was seen before: after a restore, or when an operator takes a loss as it is. A name
 * nobody has seen, so that a copy from before it is told from it. Beside the options, under a name that no option can have.
 */
export async function acceptHistory(manager: EntityManager): Promise<void> {
  const session = sessionOf(manager);
  const again =
    session.dialect === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE "value" = VALUES("value")'
      : 'ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"';
  await session.run(`INSERT INTO "options" ("key", "value") VALUES ('.history', ?) ${again}`, [randomUUID()]);
}
