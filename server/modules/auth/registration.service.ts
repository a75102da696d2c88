import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { Mailer } from '../mail/mailer.js';
import { OptionsService } from '../options/options.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ROLE } from '../access/user.codes.js';
import { assertPassword, assertUsername } from '../accounts/user-rules.js';
import { HumanCheck } from '../verification/human-check.js';
import { MailCodes } from '../verification/mail-codes.js';
import { networkOf } from '../../common/client-network.js';
import type { Registration } from './dto/login.dto.js';
import { PasswordHasher } from './password.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';

/** Accounts one network may register in an hour, and attempts it may make. */
const ACCOUNTS = { limit: 5, windowMs: 3_600_000 };
const ATTEMPTS = { limit: 20, windowMs: 1_200_000 };

/** Where a registration comes from. */
export interface RegistrationPlace {
  /** Token of the human check. */
  readonly turnstile: string;
  readonly ip: string;
  readonly host: string;
}

@Injectable()
export class RegistrationService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly throttle: RateLimiter,
    private readonly options: OptionsService,
    private readonly humanCheck: HumanCheck,
    private readonly codes: MailCodes,
    private readonly mailer: Mailer,
  ) {}

  /**
   * A new account. What the form alone tells is looked at first; then that a person sends it, then what costs something.
   * Fails: DomainError.
   */
  async register(input: Registration, { turnstile, ip, host }: RegistrationPlace): Promise<void> {
    this.assertOpen();
    const network = networkOf(ip);
    await this.throttle.admit(`register:attempts:${network}`, ATTEMPTS);
    const username = cleanLine(input.username);
    this.assertForm(username, input);
    await this.humanCheck.assert({ token: turnstile, action: 'register', ip, host });
    if (await this.accounts.isNameTaken(username)) throw new DomainError('username_taken');
    await this.accounts.assertOwnLook(username);
    // Asked before the code is used up; counted when the account is made.
    if ((await this.throttle.count(`register:accounts:${network}`, ACCOUNTS.windowMs)) >= ACCOUNTS.limit)
      throw new DomainError('too_many_requests', {}, ACCOUNTS.windowMs);
    const email = await this.provenMail(input);
    const passwordHash = await this.hasher.hash(input.password);
    await this.throttle.admit(`register:accounts:${network}`, ACCOUNTS);
    await this.accounts.create({
      username,
      displayName: username,
      passwordHash,
      role: ROLE.user,
      affCode: input.aff_code,
      email,
      actorId: 0,
      gift: 'new-user',
    });
  }

  private assertForm(username: string, input: Registration): void {
    if (username === '' || input.password === '') throw new DomainError('username_and_password_required');
    assertUsername(username, 'owner');
    assertPassword(input.password);
    if (input.password2 !== undefined && input.password2 !== '' && input.password2 !== input.password)
      throw new DomainError('passwords_differ');
    if (!this.options.values().EmailVerificationEnabled) return;
    if (input.email.trim() === '' || input.verification_code.trim() === '')
      throw new DomainError('mail_code_required');
  }

  /** The address the code proves; empty while registering needs none: an address nobody proved is not stored. */
  private async provenMail(input: Registration): Promise<string> {
    if (!this.options.values().EmailVerificationEnabled) return '';
    const wish = { address: input.email, purpose: 'register', userId: 0 } as const;
    return (await this.codes.prove(wish, input.verification_code)).address;
  }

  /** A check that is demanded and cannot be made refuses; it is never skipped. */
  private assertOpen(): void {
    const options = this.options.values();
    if (!options.RegisterEnabled) throw new DomainError('register_off');
    if (!options.PasswordRegisterEnabled) throw new DomainError('register_by_password_off');
    if (options.EmailVerificationEnabled && !this.mailer.isSetUp)
      throw new DomainError('register_mail_unavailable');
  }
}
