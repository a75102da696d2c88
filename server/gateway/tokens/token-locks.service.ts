import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import { AdministeredTokensRepository, type LockColumns } from './administered-tokens.repository.js';
import { assertUnlocked, checkLockReason, storedStatus } from './token-lock-rules.js';
import { TokenLockRecords } from './token-lock-records.js';
import { TokenStore } from './token-store.js';
import type { TokenEntity } from './token.entity.js';
import { TOKEN_STATUS } from './token.codes.js';

/** Locks that administrators put on tokens: a lock disables the token, and its owner can only delete it. */
@Injectable()
export class TokenLocks {
  constructor(
    private readonly store: TokenStore,
    private readonly tokens: AdministeredTokensRepository,
    private readonly accounts: AccountsService,
    private readonly records: TokenLockRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * Disables a token until an administrator unlocks it, and notifies its owner of the reason.
   * Fails: not_found, token_locked, token_lock_reason, too_many_requests, and as `assertMayActOn` for disabling the owner.
   */
  async lock(actor: Actor, id: number, reasonText: string): Promise<void> {
    const reason = checkLockReason(reasonText);
    await this.records.admit(actor);
    const token = await this.change(actor, id, 'disable', (row) => {
      assertUnlocked(row);
      return {
        status: TOKEN_STATUS.disabled,
        lockedAtMs: this.clock.nowMs(),
        lockedById: actor.id,
        lockReason: reason,
        statusBeforeLock: row.status,
      };
    });
    await this.records.announceLock(token, reason);
  }

  /**
   * Takes the lock off; the token has the status it had before.
   * Fails: not_found, token_not_locked, too_many_requests, and as `assertMayActOn` for enabling the owner.
   */
  async unlock(actor: Actor, id: number): Promise<void> {
    await this.records.admit(actor);
    await this.change(actor, id, 'enable', (row) => {
      if (row.lockedAtMs === null) throw new DomainError('token_not_locked');
      return {
        status: row.statusBeforeLock,
        lockedAtMs: null,
        lockedById: 0,
        lockReason: '',
        statusBeforeLock: TOKEN_STATUS.enabled,
      };
    });
  }

  /** Token first, then its account: the order in which allowances lock them, too. */
  private change(
    actor: Actor,
    id: number,
    action: 'disable' | 'enable',
    decide: (token: TokenEntity) => LockColumns,
  ): Promise<TokenEntity> {
    return this.store.change([id], async (manager: EntityManager) => {
      const token = await this.tokens.lock(manager, id);
      if (token === null) throw new DomainError('not_found');
      const owner = await this.accounts.lock(manager, token.userId);
      assertMayActOn(action, actor, owner);
      const columns = decide(token);
      await this.tokens.update(manager, id, columns);
      await this.records.record(manager, actor, {
        action: action === 'disable' ? 'lock' : 'unlock',
        token,
        owner,
        statusBefore: storedStatus(token),
        status: columns.status,
        reason: action === 'disable' ? columns.lockReason : token.lockReason,
      });
      return token;
    });
  }
}
