import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountsRepository } from '../../base/users/accounts.repository.js';
import { INVITE_CODE_ATTEMPTS, makeInviteCode } from '../../base/users/invite-code.js';
import {
  AccountMoney,
  BalanceTooHighError,
  BalanceTooLowError,
} from '../../base/billing/ledger/account-money.service.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { LogWriter } from '../../base/logs/log-writer.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { AffTransfer } from './dto/user.dto.js';

/** Inviting others: the code for it, and what it has earned. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly money: AccountMoney,
    private readonly options: OptionsService,
    private readonly logs: LogWriter,
  ) {}

  /** The invite code of an account, made when it has none. */
  async codeOf({ id }: Actor): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const code = await this.accounts.claimAffCode(id, makeInviteCode());
        if (code !== null) return code;
      } catch (error) {
        // The code is taken: draw another one.
        if (attempt === INVITE_CODE_ATTEMPTS || !isDuplicateKey(error)) throw error;
      }
    }
  }

  /**
   * Moves earnings into the balance, at least one unit of the installation.
   * Fails: DomainError `aff_transfer_minimum`, `aff_transfer_short`, `balance_too_high`.
   */
  async transfer(actor: Actor, { quota, operation_id: operationId }: AffTransfer): Promise<void> {
    const minimum = Math.ceil(this.options.values().QuotaPerUnit);
    if (quota < minimum) throw new DomainError('aff_transfer_minimum', { minimum });
    // A double click carries the same operation; the account in front keeps one person's from another's.
    const ref = operationId === undefined ? randomUUID() : `${actor.id}:${operationId}`;
    const isNew = await runInTransaction(this.dataSource, (manager) =>
      this.money.moveEarnings(manager, { userId: actor.id, amount: quota, ref }),
    ).catch((error: unknown) => {
      if (error instanceof BalanceTooLowError) throw new DomainError('aff_transfer_short');
      if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
      throw error;
    });
    if (!isNew) return;
    await this.logs.write({
      type: LOG_TYPE.system,
      userId: actor.id,
      username: actor.username,
      content: `Moved ${quota} quota of invite earnings into the balance`,
      quota,
      event: { code: 'earnings_moved' },
    });
  }
}
