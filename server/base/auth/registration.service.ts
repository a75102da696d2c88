import { Injectable } from '@nestjs/common';
import { networkOf } from '../../common/client-network.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { ROLE } from '../access/user.codes.js';
import { AccountCreation } from '../users/account-creation.service.js';
import { HumanCheck } from './verification/human-check.js';
import type { Registration } from './dto/login.dto.js';
import { PasswordHasher } from './password.js';
import { RegistrationRules } from './registration-rules.js';

/** Accounts one network may register in an hour, and attempts it may make. */
const ACCOUNTS = { limit: 5, windowMs: 3_600_000 };
const ATTEMPTS = { limit: 20, windowMs: 1_200_000 };

/** Origin of a registration. */
export interface RegistrationPlace {
  /** Token of the human check. */
  readonly turnstile: string;
  readonly ip: string;
  readonly host: string;
}

@Injectable()
export class RegistrationService {
  constructor(
    private readonly rules: RegistrationRules,
    private readonly accounts: AccountCreation,
    private readonly hasher: PasswordHasher,
    private readonly throttle: RateLimiter,
    private readonly humanCheck: HumanCheck,
  ) {}

  /**
   * Creates an account. Checks the form first, then that a person sends it, then everything expensive.
   * Fails: DomainError.
   */
  async register(input: Registration, { turnstile, ip, host }: RegistrationPlace): Promise<void> {
    this.rules.assertOpen();
    const network = networkOf(ip);
    await this.throttle.admit(`register:attempts:${network}`, ATTEMPTS);
    const username = cleanLine(input.username);
    this.rules.assertForm(username, input);
    await this.humanCheck.assert({ token: turnstile, action: 'register', ip, host });
    await this.accounts.assertNameFree(username);
    // Asked before the code is used up; counted when the account is made.
    if ((await this.throttle.count(`register:accounts:${network}`, ACCOUNTS.windowMs)) >= ACCOUNTS.limit)
      throw new DomainError('too_many_requests', {}, ACCOUNTS.windowMs);
    const email = await this.rules.provenMail(input);
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
    });
  }
}
