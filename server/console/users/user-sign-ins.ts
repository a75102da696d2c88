import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { IDENTITY_PROVIDERS, PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { SignInRecords } from '../../base/audit/sign-in-records.js';
import { OwnSessions } from '../../base/auth/own-sessions.js';
import { SessionsService } from '../../base/auth/sessions.service.js';
import type { Account } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import type { UserSignInsView } from './dto/user.dto.js';

const SHOWN = 20;

/** Reads the sign-ins of other accounts and ends their sessions, for administrators who may edit the account. */
@Injectable()
export class UserSignIns {
  constructor(
    private readonly accounts: AccountsService,
    private readonly own: OwnSessions,
    private readonly sessions: SessionsService,
    private readonly records: SignInRecords,
    private readonly audit: AuditLog,
  ) {}

  /** Fails: DomainError `user_not_found`, also for a deregistered account, `user_out_of_reach`. */
  async get(actor: Actor, id: number): Promise<UserSignInsView> {
    const account = await this.within(actor, id);
    const [facts, identities, sessions, signIns] = await Promise.all([
      this.accounts.signInFactsOf(id),
      this.accounts.identitiesOf(id),
      this.own.listOf(actor, account),
      this.records.of(id, SHOWN),
    ]);
    return {
      has_password: facts.hasPassword,
      has_access_token: facts.hasAccessToken,
      providers: IDENTITY_PROVIDERS.filter((name) => (identities[PROVIDER_FACTS[name].column] ?? '') !== ''),
      sessions,
      sign_ins: signIns.map(({ atMs, isSuccess, ip, way }) => ({
        created_at: Math.floor(atMs / 1_000),
        success: isSuccess,
        ip,
        way,
      })),
    };
  }

  /**
   * Ends the logins of an account, but not the one of this request.
   * @returns how many ended. Fails: DomainError `user_not_found`, `user_out_of_reach`.
   */
  async endAll(actor: Actor, id: number): Promise<number> {
    await this.within(actor, id);
    const ended = await this.sessions.closeOthers(id, actor.id === id ? actor.sessionDigest : null);
    await this.audit.record(null, {
      ...actorAndTarget(actor, id),
      action: 'user.sessions_end',
      detail: { ended },
    });
    return ended;
  }

  private async within(actor: Actor, id: number): Promise<Account> {
    const account = await this.accounts.findIdentity(id);
    if (account === null) throw new DomainError('user_not_found');
    assertMayActOn('edit', actor, account);
    return account;
  }
}
