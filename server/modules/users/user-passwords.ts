import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { LoginService } from '../auth/login.service.js';
import { PasswordHasher } from '../auth/password.js';
import { Mailer } from '../mail/mailer.js';
import type { UserEdit } from './dto/user.dto.js';
import type { UserEntity } from './user.entity.js';
import { assertPassword } from './user-rules.js';
import { readSetting } from './user-setting.js';

/** Passwords that administrators set. */
@Injectable()
export class UserPasswords {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly login: LoginService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Fails: DomainError `password_length`. */
  async hash(password: string): Promise<string> {
    assertPassword(password);
    return this.hasher.hash(password);
  }

  /**
   * The hash of the password an edit wants; undefined when it wants none. The own password needs the original one on this path too
   * (AUTH-12). Fails: DomainError `password_length`, `session_required`, `password_original_wrong`, `password_unchanged`.
   */
  async newHash(actor: Actor, input: UserEdit, ip: string): Promise<string | undefined> {
    const { password = '', original_password: original = '' } = input;
    if (password === '') return undefined;
    assertPassword(password);
    if (actor.id === input.id) {
      if (actor.way !== 'session') throw new DomainError('session_required');
      if (!(await this.login.confirmPassword(actor, original, ip)))
        throw new DomainError('password_original_wrong');
      if (password === original) throw new DomainError('password_unchanged');
    }
    return this.hasher.hash(password);
  }

  /** A letter to whose password it was (ADM-03); accounts without an address get none. */
  tellOwner(user: UserEntity): void {
    if (user.email === '' || !this.mailer.isSetUp) return;
    this.mailer.post({
      to: user.email,
      template: 'account-changed',
      language: readSetting(user.setting).language ?? 'en',
      values: {
        username: user.username,
        change: 'password',
        at: new Date(this.clock.nowMs()).toISOString(),
      },
    });
  }
}
