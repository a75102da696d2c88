import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { SecurityEmails } from '../../base/notifications/mail/security-emails.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { assertBySession } from '../../base/auth/step-up.service.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';

/** 24 bytes: 32 characters of base64, the form clients of this API family know. */
const ACCESS_TOKEN_BYTES = 24;
const TOKEN_RATE = { limit: 10, windowMs: 600_000 };

/** Access of the own account: a new system access token, and deregistration. */
@Injectable()
export class SelfService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
    private readonly letters: SecurityEmails,
    private readonly throttle: RateLimiter,
    private readonly money: AccountMoney,
  ) {}

  /**
   * Makes or replaces the system access token. A leaked one must not be able to outlive its replacement.
   * @returns it, this once. Fails: DomainError `session_required`, `too_many_requests`.
   */
  async renewAccessToken(actor: Actor): Promise<string> {
    await this.throttle.admit(`access-token:${actor.id}`, TOKEN_RATE);
    assertBySession(actor);
    const token = randomBytes(ACCESS_TOKEN_BYTES).toString('base64');
    await this.accounts.change(actor.id, { accessTokenDigest: digestOf(token) }, { endsLogins: false });
    await this.audit.record(null, { ...actorAndTarget(actor), action: 'user.access_token' });
    this.letters.send(actor.id, 'access-token');
    return token;
  }

  /**
   * Deregisters the account. Clients of this API family confirm in the browser; a name that is sent must be right.
   * Fails: DomainError `session_required`, `root_cannot_leave`, `account_name_mismatch`.
   */
  async leave(actor: Actor, typedName: string | undefined): Promise<void> {
    assertBySession(actor);
    if (actor.role >= ROLE.root) throw new DomainError('root_cannot_leave');
    if (typedName !== undefined && typedName !== actor.username)
      throw new DomainError('account_name_mismatch');
    await this.accounts.deregister(actor.id);
    await this.audit.record(null, {
      ...actorAndTarget(actor),
      action: 'user.leave',
      detail: { username: actor.username },
    });
    await this.money.returnPools({ userId: actor.id });
  }
}
