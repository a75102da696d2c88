import type { EntityManager } from 'typeorm';
import { DIALECTS } from '../database/dialect.js';
import { sessionOf } from '../database/manager-session.js';

/** The parts of the shared settings that every instance keeps in memory. */
export type RevisionName = 'options' | 'channels' | 'limits' | 'imports';

/**
 * Counts a change of shared settings, inside the transaction that makes it. The row stays locked until that transaction ends: changes of
 * one part happen one after the other, so that a number names one state and no other. Bump before the change is read or written.
 */
export async function bumpRevision(manager: EntityManager, name: RevisionName): Promise<void> {
  const session = sessionOf(manager);
  const again = DIALECTS[session.dialect].orAdd({ table: 'revisions', key: ['name'] }, ['number']);
  await session.run(`INSERT INTO "revisions" ("name", "number") VALUES (?, 1) ${again}`, [name]);
}
