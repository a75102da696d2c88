import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { PRODUCT_VERSION } from '../../common/product.js';
import type { DatabaseDialect } from '../../infra/database/database-url.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { Clock } from '../../common/clock.js';
import { ROLE } from '../../base/access/user.codes.js';
import { AccountCreation, type AccountRequest } from '../../base/users/account-creation.service.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { OptionsService } from '../../base/options/options.service.js';
import { SetupEntity } from './setup.entity.js';

const GUARD_ID = 1;

type RootAccount = Pick<AccountRequest, 'username' | 'passwordHash'>;

/** Set-up state of the installation, and the one transaction that completes it. */
@Injectable()
export class SetupCompletion {
  private readonly logger = new Logger('Setup');
  /** Never goes back to false; other instances learn of it from the database. */
  private isDoneHere = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountCreation,
    private readonly options: OptionsService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Reads no database: false until this process has seen that the set-up is done. */
  get isKnownDone(): boolean {
    return this.isDoneHere;
  }

  async isDone(): Promise<boolean> {
    this.isDoneHere ||= await this.dataSource.getRepository(SetupEntity).existsBy({ id: GUARD_ID });
    return this.isDoneHere;
  }

  get databaseKind(): DatabaseDialect {
    return dialectOf(this.dataSource);
  }

  /** Another request completed the set-up first: its values are read. */
  async adoptConcurrentSetup(): Promise<void> {
    this.isDoneHere = true;
    await this.options.refresh();
  }

  /**
   * Makes the root account and stores the modes.
   * @param root  null: there is one
   * Fails: DomainError `setup_done` when another request was faster, `setup_failed`.
   */
  async complete(root: RootAccount | null, modes: Readonly<Record<string, boolean>>): Promise<void> {
    try {
      await runInTransaction(this.dataSource, (manager) => this.write(manager, root, modes));
    } catch (error) {
      // The guard row, or the name of the root, was already there: another request was faster.
      if (isDuplicateKey(error)) throw new DomainError('setup_done');
      this.logger.error(
        `set-up failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      throw error instanceof DomainError ? error : new DomainError('setup_failed');
    }
    this.isDoneHere = true;
    await this.options.announceFirst();
  }

  /** The guard row first: the transaction that inserts it wins, and the loser's is undone as a whole. */
  private async write(
    manager: EntityManager,
    root: RootAccount | null,
    modes: Readonly<Record<string, boolean>>,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    await bumpRevision(manager, 'options');
    await manager
      .getRepository(SetupEntity)
      .insert({ id: GUARD_ID, version: PRODUCT_VERSION, initializedAt: Math.floor(nowMs / 1000) });
    let actorId = 0;
    if (root !== null) {
      const id = await this.accounts.createRoot(manager, root);
      if (id === null) throw new DomainError('setup_done');
      actorId = id;
    }
    const changes = Object.entries(modes).map(([key, value]) => ({
      key,
      stored: String(value),
      oldValue: null,
      newValue: String(value),
    }));
    if (changes.length > 0) await this.options.writeFirst(manager, changes, actorId);
    await this.audit.record(manager, {
      actorId,
      actorRole: actorId === 0 ? 0 : ROLE.root,
      action: 'setup.complete',
      targetType: 'user',
      targetId: actorId === 0 ? '' : actorId,
      detail: { modes },
    });
  }
}
