import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { AuditLog } from '../audit/audit-log.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../accounts/account.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { USER_STATUS } from '../access/user.codes.js';
import { loginNameOf } from '../accounts/login-name.js';
import { PASSWORD_LENGTH } from '../accounts/user-rules.js';
import { countKeyOf, LoginGuard } from './login-guard.js';
import { LoginUnlock } from './login-unlock.service.js';
import { PasswordHasher } from './password.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';

const MINUTE_MS = 60_000;
/** Failures of all accounts that get a row in the audit log. */
const NOTED_FAILURES = { limit: 120, windowMs: MINUTE_MS };

/** What somebody signs in with. */
export interface PasswordLogin {
  readonly name: string;
  readonly password: string;
  /** What a mailed link carries; empty = none. */
  readonly unlock?: string;
}

/** Signing in with a password. */
@Injectable()
export class LoginService implements OnApplicationBootstrap {
  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly guard: LoginGuard,
    private readonly unlocks: LoginUnlock,
    private readonly throttle: RateLimiter,
    private readonly options: OptionsService,
    private readonly audit: AuditLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.hasher.warmUp();
  }

  /**
   * The account of a right name and password.
   * Fails: DomainError `login_failed` for an unknown name, a wrong password and a banned account alike; `login_too_often`.
   */
  async signIn({ name, password, unlock = '' }: PasswordLogin, ip: string): Promise<Account> {
    if (!this.options.values().PasswordLoginEnabled) throw new DomainError('login_by_password_off');
    if (name.trim() === '' || password === '') throw new DomainError('login_fields_required');
    // Looked up first: attempts are counted by the account that was found, however its name was spelled.
    const account = await this.accounts.findForLogin(name);
    const apart = await this.unlocks.countsOf(unlock, account);
    const admission = await this.guard.admit({
      account: countKeyOf(account, loginNameOf(name)),
      ip,
      ...(apart === undefined ? {} : { apart }),
    });
    const isRight =
      password.length <= PASSWORD_LENGTH.max * 2 &&
      (await this.hasher.verify(account?.password ?? null, password));
    if (!isRight || account === null || account.status !== USER_STATUS.active) {
      await this.noteFailure(account);
      await this.guard.fail(admission, ip);
      throw new DomainError('login_failed');
    }
    await this.guard.pass(admission);
    if (apart !== undefined) await this.unlocks.spend(unlock);
    return account;
  }

  /** A further check of the own password by somebody who is signed in: strangers who guess do not make them wait. */
  async confirmPassword(user: { readonly id: number }, password: string, ip: string): Promise<boolean> {
    const admission = await this.guard.admit({ account: countKeyOf(user, ''), ip, apart: 'confirm' });
    const isRight = await this.hasher.verify(await this.accounts.passwordOf(user.id), password);
    if (!isRight) await this.guard.fail(admission, ip);
    return isRight;
  }

  /** Not the name that was typed: it may be a password. A flood of guesses is counted elsewhere and does not fill the log. */
  private async noteFailure(account: Account | null): Promise<void> {
    const verdict = await this.throttle.ask('login:noted', NOTED_FAILURES);
    if (!verdict.admitted) return;
    await this.audit.record(null, {
      actorId: 0,
      actorRole: 0,
      action: 'login.fail',
      targetType: 'user',
      targetId: account?.id ?? '',
      detail: { way: 'password' },
    });
  }
}
