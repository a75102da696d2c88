import { sentence, SentenceError } from '../../common/import-sentences/sentence.js';
import type { DataSource, EntityManager } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { AuditLog } from '../../base/audit/audit-log.js';
import { ROLE } from '../../base/access/user.codes.js';
import { spentSince, takeBackMoney } from '../../base/billing/opening/take-back.js';
import { execute } from '../../base/billing/ledger/money-sql.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { IMPORTED_LINE } from '../../base/billing/opening/imported-line.js';
import { ImportEntity } from './import.entity.js';
import type { ImportLock } from './runs/import-lock.js';
import type { TransactionGuard } from './write/import-context.js';

/** The import cannot be taken back; the message says why. Nothing changed. */
export class UndoRefused extends SentenceError {}

/**
 * Removes every row an import brought, as long as no account of it has spent, received or paid anything here since. Options stay: their
 * history puts them back.
 * @returns rows that were removed, by table
 * Fails: UndoRefused, ImportRunning.
 */
export async function undoImport(
  house: UndoHouse,
  importId: number,
  actor: { readonly id: number; readonly username: string },
): Promise<Readonly<Record<string, number>>> {
  return house.lock.during((turn) => undoGuarded(house, importId, actor, (manager) => turn.guard(manager)));
}

interface UndoHouse {
  readonly dataSource: DataSource;
  readonly logDataSource: DataSource;
  readonly audit: AuditLog;
  readonly lock: ImportLock;
  readonly nowMs: () => number;
}

/** Removes rows as `undoImport` does, under a lease that the caller holds. @param guard  of the lease */
export async function undoGuarded(
  house: Omit<UndoHouse, 'lock'>,
  importId: number,
  actor: { readonly id: number; readonly username: string },
  guard: TransactionGuard,
): Promise<Readonly<Record<string, number>>> {
  const { dataSource, logDataSource, audit } = house;
  const known = await dataSource.getRepository(ImportEntity).findOneBy({ id: importId });
  if (known === null) throw new UndoRefused(sentence('undo_unknown', { id: importId }));
  if (known.status === 'undone') throw new UndoRefused(sentence('undo_done', { id: importId }));
  if (logDataSource !== dataSource) {
    // Asked first: what is refused removes no line elsewhere.
    const refusal = await spentSince(dataSource.manager, importId);
    if (refusal !== null) throw new UndoRefused(refusal);
    await runInTransaction(logDataSource, (manager) => removeLines(manager, importId));
  }
  return runInTransaction(dataSource, async (manager) => {
    const spent = await spentSince(manager, importId);
    if (spent !== null) throw new UndoRefused(spent);
    await bumpRevision(manager, 'channels');
    await bumpRevision(manager, 'imports');
    await bumpRevision(manager, 'limits');
    const removed: Record<string, number> = {};
    await takeBackMoney(manager, importId);
    if (logDataSource === dataSource) removed['logs'] = await removeLines(manager, importId);
    for (const [table, kind] of TABLES) {
      const { affected } = await execute(
        manager,
        `DELETE FROM "${table}" WHERE "${KEYS[table] ?? 'id'}" IN (SELECT "target_id" FROM "imported_rows" WHERE "import_id" = ? AND "kind" = ?)`,
        [importId, kind],
      );
      removed[table] = affected;
    }
    await execute(manager, `DELETE FROM "imported_rows" WHERE "import_id" = ?`, [importId]);
    await manager
      .getRepository(ImportEntity)
      .update({ id: importId }, { status: 'undone', endedAtMs: house.nowMs(), logPosition: 0 });
    await audit.record(manager, {
      actorId: actor.id,
      actorRole: ROLE.root,
      actorName: actor.username,
      action: 'import.undo',
      targetType: 'import',
      targetId: importId,
      detail: { count: Object.values(removed).reduce((sum, count) => sum + count, 0) },
    });
    // Last: it locks the lease, which could not be renewed while a long log is removed.
    await guard(manager);
    return removed;
  });
}

/** Tables in the order they are emptied, with the kind of row that names them. */
const TABLES = [
  ['limit_use', 'limit'],
  ['limits', 'limit'],
  ['top_ups', 'order'],
  ['redemptions', 'code'],
  ['abilities', 'channel'],
  ['channels', 'channel'],
  ['midjourneys', 'drawing'],
  ['tasks', 'task'],
  ['tokens', 'token'],
  ['passkeys', 'user'],
  ['two_factor', 'user'],
  ['sessions', 'user'],
  ['users', 'user'],
] as const;
const KEYS: Readonly<Record<string, string>> = {
  limit_use: 'limit_id',
  abilities: 'channel_id',
  passkeys: 'user_id',
  two_factor: 'user_id',
  sessions: 'user_id',
};

async function removeLines(manager: EntityManager, importId: number): Promise<number> {
  const { affected } = await execute(manager, `DELETE FROM "logs" WHERE "request_id" LIKE ?`, [
    `${IMPORTED_LINE}${importId}-%`,
  ]);
  return affected;
}
