import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { USER_STATUS } from '../access/user.codes.js';
import { loginNameOf } from '../users/login-name.js';
import { PASSWORD_LENGTH } from '../users/user-rules.js';
import { isForeignPassword, isSeenWhole } from './foreign-passwords.js';
import { countKeyOf, LoginGuard } from './login-guard.js';
import { LoginUnlock } from './login-unlock.service.js';
import { PasswordHasher } from './password.js';

/** Credentials of a password login. */
export interface PasswordLogin {
  readonly name: string;
  readonly password: string;
  /** Token of a mailed link; empty = none. */
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
    private readonly options: OptionsService,
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
      await this.guard.recordFailure(account);
      await this.guard.fail(admission, ip);
      throw new DomainError('login_failed');
    }
    await this.guard.pass(admission);
    await this.renewHash(account, password);
    if (apart !== undefined) await this.unlocks.spend(unlock);
    return account;
  }

  /** An imported password becomes argon2id, but not from a text of which the old hash saw only the beginning. */
  private async renewHash(account: Account & { readonly password: string }, password: string): Promise<void> {
    if (!isForeignPassword(account.password) || !isSeenWhole(account.password, password)) return;
    await this.accounts.renewHash(account.id, account.password, await this.hasher.hash(password));
  }

  /** Checks the own password of a signed-in user once more: guesses of others do not delay it. */
  async confirmPassword(user: { readonly id: number }, password: string, ip: string): Promise<boolean> {
    const admission = await this.guard.admit({ account: countKeyOf(user, ''), ip, apart: 'confirm' });
    const isRight = await this.hasher.verify(await this.accounts.passwordOf(user.id), password);
    if (!isRight) await this.guard.fail(admission, ip);
    return isRight;
  }
}
