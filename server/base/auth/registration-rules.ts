import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { assertPassword, assertUsername } from '../users/user-rules.js';
import { OptionsService } from '../options/options.service.js';
import { MailCodes } from './verification/mail-codes.js';
import type { Registration } from './dto/login.dto.js';

/** Rules of the options for registration by a form: that it is open, and a proven mail address where required. */
@Injectable()
export class RegistrationRules {
  constructor(
    private readonly options: OptionsService,
    private readonly codes: MailCodes,
  ) {}

  /** A required check that cannot be made refuses; it is never skipped. */
  assertOpen(): void {
    const options = this.options.values();
    if (!options.RegisterEnabled) throw new DomainError('register_off');
    if (!options.PasswordRegisterEnabled) throw new DomainError('register_by_password_off');
    if (options.EmailVerificationEnabled && !this.codes.isSetUp)
      throw new DomainError('register_mail_unavailable');
  }

  /** Checks the form alone. @param username  as it will be stored */
  assertForm(username: string, input: Registration): void {
    if (username === '' || input.password === '') throw new DomainError('username_and_password_required');
    assertUsername(username, 'owner');
    assertPassword(input.password);
    if (input.password2 !== undefined && input.password2 !== '' && input.password2 !== input.password)
      throw new DomainError('passwords_differ');
    if (!this.options.values().EmailVerificationEnabled) return;
    if (input.email.trim() === '' || input.verification_code.trim() === '')
      throw new DomainError('mail_code_required');
  }

  /** The address the code proves; empty when registering needs none: an unproven address is not stored. */
  async provenMail(input: Registration): Promise<string> {
    if (!this.options.values().EmailVerificationEnabled) return '';
    const wanted = { address: input.email, purpose: 'register', userId: 0 } as const;
    return (await this.codes.prove(wanted, input.verification_code)).address;
  }
}
