import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { LoginService } from '../../base/auth/login.service.js';
import { PasswordHasher } from '../../base/auth/password.js';
import { assertBySession, StepUpAuth } from '../../base/auth/step-up.service.js';
import type { UserEdit } from './dto/user.dto.js';
import { SecurityEmails } from '../../base/notifications/mail/security-emails.js';
import { assertPassword } from '../../base/users/user-rules.js';

/** Sets passwords of existing accounts: the requirements are the same for all callers. */
@Injectable()
export class UserPasswords {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly login: LoginService,
    private readonly proofs: StepUpAuth,
    private readonly letters: SecurityEmails,
  ) {}

  /** Fails: DomainError `password_length`. */
  async hash(password: string): Promise<string> {
    assertPassword(password);
    return this.hasher.hash(password);
  }

  /** Notifies the owner of a new password, in the background. */
  notifyOwner(userId: number, isOwn: boolean): void {
    this.letters.send(userId, isOwn ? 'password-changed' : 'password-set');
  }

  /**
   * The hash of the password an edit wants; undefined when it wants none. The own password needs the original one on this path
   * too. Fails: as `hash` and `ownHash`.
   */
  async newHash(actor: Actor, input: UserEdit, ip: string): Promise<string | undefined> {
    const { password = '', original_password: original = '' } = input;
    if (password === '') return undefined;
    return actor.id === input.id ? this.ownHash(actor, { password, original }, ip) : this.hash(password);
  }

  /**
   * The hash of a new password of one's own. It needs the original one; an account that has none yet, because it has always signed
   * in externally, needs a recent login instead.
   * Fails: DomainError `session_required`, `password_length`, `password_original_wrong`, `password_unchanged`, `login_not_fresh`.
   */
  async ownHash(
    actor: Actor,
    { password, original }: { readonly password: string; readonly original: string },
    ip: string,
  ): Promise<string> {
    assertBySession(actor);
    assertPassword(password);
    if (!(await this.proofs.hasPassword(actor.id))) {
      await this.proofs.assertFresh(actor);
      return this.hasher.hash(password);
    }
    if (!(await this.login.confirmPassword(actor, original, ip)))
      throw new DomainError('password_original_wrong');
    if (password.normalize('NFC') === original.normalize('NFC')) throw new DomainError('password_unchanged');
    return this.hasher.hash(password);
  }
}
