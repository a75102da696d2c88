import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { PasskeysRepository } from './passkeys.repository.js';

/** Passkeys of an account, for administrators who help its owner. */
@Injectable()
export class UserPasskeys {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly passkeys: PasskeysRepository,
    private readonly audit: AuditLog,
  ) {}

  countOf(userId: number): Promise<number> {
    return this.passkeys.countOf(userId);
  }

  /** Removes all passkeys of an account; the caller has checked that the actor may. */
  async removeAll(actor: Actor, userId: number): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      const count = await this.passkeys.deleteAllOf(manager, userId);
      const act = { action: 'passkey.reset', detail: { count } } as const;
      await this.audit.record(manager, { ...actorAndTarget(actor, userId), ...act });
    });
  }
}
