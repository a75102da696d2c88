import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { acceptHistory } from '../../infra/rollback-detection/accept-history.js';
import { RollbackWatch } from '../../infra/rollback-detection/rollback-watch.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import type { Actor } from '../../base/access/current-actor.js';
import { StepUpAuth } from '../../base/auth/step-up.service.js';

/** Root takes the database as it is, although rows that were seen of it are gone. */
@Injectable()
export class HistoryAcceptance {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(StepUpAuth) private readonly proofs: StepUpAuth,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(DegradedModes) private readonly modes: DegradedModes,
    @Inject(RollbackWatch) private readonly watch: RollbackWatch,
  ) {}

  /** The other workers follow with their next look. Fails: DomainError `session_required`, `login_not_fresh`. */
  async accept(actor: Actor): Promise<void> {
    await this.proofs.assertFresh(actor);
    const loss = this.modes.list().find(({ mode }) => mode === 'database-behind')?.cause ?? '';
    await runInTransaction(this.dataSource, async (manager) => {
      await acceptHistory(manager);
      await this.audit.record(manager, {
        actorId: actor.id,
        actorRole: actor.role,
        action: 'history.accept',
        targetType: 'database',
        targetId: '',
        detail: { loss },
      });
    });
    await this.watch.look();
  }
}
