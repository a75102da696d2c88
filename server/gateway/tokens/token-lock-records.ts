import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { Notifier } from '../../base/notifications/notifier.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { TokenAllowances } from './token-allowances.js';
import type { TokenEntity } from './token.entity.js';

/** Locks and unlocks of one administrator: a stolen login must not stop every token by script. */
const RATE = { limit: 60, windowMs: 60_000 };

interface LockRecord {
  readonly action: 'lock' | 'unlock';
  readonly token: Pick<TokenEntity, 'id' | 'name'>;
  readonly owner: { readonly id: number; readonly username: string };
  readonly statusBefore: number;
  readonly status: number;
  readonly reason: string;
}

/** Records of a lock: its row of the audit log, and the notice to the owner. */
@Injectable()
export class TokenLockRecords {
  constructor(
    private readonly audit: AuditLog,
    private readonly notifier: Notifier,
    private readonly accounts: AccountsService,
    private readonly allowances: TokenAllowances,
    private readonly throttle: RateLimiter,
  ) {}

  /** Fails: too_many_requests. */
  async admit(actor: Actor): Promise<void> {
    await this.throttle.admit(`token-lock:${actor.id}`, RATE);
  }

  /** @param manager  the transaction of the act; call it last in there */
  async record(manager: EntityManager, actor: Actor, entry: LockRecord): Promise<void> {
    await this.audit.record(manager, {
      actorId: actor.id,
      actorRole: actor.role,
      action: `token.${entry.action}`,
      targetType: 'token',
      targetId: entry.token.id,
      detail: {
        name: entry.token.name,
        user_id: entry.owner.id,
        username: entry.owner.username,
        status_before: entry.statusBefore,
        status: entry.status,
        reason: entry.reason,
      },
    });
  }

  /** After the commit: returns quota that the token's pools hold, and notifies the owner in the background. */
  async announceLock(token: Pick<TokenEntity, 'id' | 'name' | 'userId'>, reason: string): Promise<void> {
    void this.notifyOwner(token, reason);
    await this.allowances.returnPools(token.userId, token.id);
  }

  private async notifyOwner(
    token: Pick<TokenEntity, 'id' | 'name' | 'userId'>,
    reason: string,
  ): Promise<void> {
    const [owner] = await this.accounts.listRecipients([token.userId]).catch(() => []);
    if (owner !== undefined)
      await this.notifier.notify(owner, {
        kind: 'token-locked',
        tokenId: token.id,
        tokenName: token.name,
        reason,
      });
  }
}
