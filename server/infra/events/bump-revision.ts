import type { EntityManager } from 'typeorm';
import { sessionOf } from '../database/manager-session.js';

/** The parts of the shared settings that every instance keeps in memory. */
export type RevisionName = 'options' | 'channels';

/**
 * Counts a change of shared settings, inside the transaction that makes it. The row stays locked until that transaction ends: changes of
 * one part happen one after the other, so that a number names one state and no other. Bump before the change is read or written.
 */
export async function bumpRevision(manager: EntityManager, name: RevisionName): Promise<void> {
  const session = sessionOf(manager);
  const again =
    session.dialect === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE "number" = "number" + 1'
      : 'ON CONFLICT ("name") DO UPDATE SET "number" = "revisions"."number" + 1';
  await session.run(`INSERT INTO "revisions" ("name", "number") VALUES (?, 1) ${again}`, [name]);
}
