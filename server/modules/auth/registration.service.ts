import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { OptionsService } from '../options/options.service.js';
import { AccountsService } from '../users/accounts.service.js';
import { ROLE } from '../users/user.codes.js';
import { assertPassword, assertUsername } from '../users/user-rules.js';
import { networkOf } from './client-network.js';
import type { Registration } from './dto/login.dto.js';
import { PasswordHasher } from './password.js';
import { Throttle } from './throttle.js';

/** Accounts one network may register in an hour (AUTH-09), and attempts it may make. */
const ACCOUNTS = { limit: 5, windowMs: 3_600_000 };
const ATTEMPTS = { limit: 20, windowMs: 1_200_000 };

@Injectable()
export class RegistrationService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly throttle: Throttle,
    private readonly options: OptionsService,
  ) {}

  async register(input: Registration, ip: string): Promise<void> {
    this.assertOpen();
    const network = networkOf(ip);
    await this.throttle.admit(`register:attempts:${network}`, ATTEMPTS);
    const username = cleanLine(input.username);
    if (username === '' || input.password === '') throw new DomainError('username_and_password_required');
    assertUsername(username, 'owner');
    assertPassword(input.password);
    if (await this.accounts.isNameTaken(username)) throw new DomainError('username_taken');
    const passwordHash = await this.hasher.hash(input.password);
    await this.throttle.admit(`register:accounts:${network}`, ACCOUNTS);
    await this.accounts.create({
      username,
      displayName: username,
      passwordHash,
      role: ROLE.user,
      affCode: input.aff_code,
      actorId: 0,
      gift: 'new-user',
    });
  }

  /** A check that is demanded and cannot be made refuses; it is never skipped (G15). */
  private assertOpen(): void {
    const options = this.options.values();
    if (!options.RegisterEnabled) throw new DomainError('register_off');
    if (!options.PasswordRegisterEnabled) throw new DomainError('register_by_password_off');
    if (options.EmailVerificationEnabled) throw new DomainError('register_mail_unavailable');
    if (options.TurnstileCheckEnabled) throw new DomainError('human_check_away');
  }
}
