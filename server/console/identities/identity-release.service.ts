import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { DeregisteredAccounts } from '../../base/users/deregistered-accounts.service.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { type IdentityProvider, PROVIDER_FACTS } from '../../base/access/identity-providers.js';

/** Identities of deregistered accounts. */
@Injectable()
export class IdentityRelease {
  constructor(
    private readonly accounts: DeregisteredAccounts,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Takes an identity off a deregistered account, so that its person may come back: they get a new account.
   * Fails: DomainError `user_not_found`, `user_not_deregistered`, `identity_not_bound`.
   */
  async release(actor: Actor, userId: number, provider: IdentityProvider): Promise<void> {
    const { column, label } = PROVIDER_FACTS[provider];
    const isFreed = await this.accounts.freeIdentity(userId, column, (manager) =>
      this.audit.record(manager, {
        ...actorAndTarget(actor, userId),
        action: 'identity.free',
        detail: { provider },
      }),
    );
    if (!isFreed) throw new DomainError('identity_not_bound', { provider: label });
  }
}
