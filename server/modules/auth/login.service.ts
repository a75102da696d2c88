import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { AuditLog } from '../audit/audit-log.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { USER_STATUS } from '../users/user.codes.js';
import { foldUsername, PASSWORD_LENGTH } from '../users/user-rules.js';
import { networkOf } from './client-network.js';
import { PasswordHasher } from './password.js';
import { digestOf } from './sessions.service.js';
import { Throttle } from './throttle.js';

const MINUTE_MS = 60_000;
/** Failures are forgotten after this long. */
const MEMORY_MS = 15 * MINUTE_MS;
const FREE_FAILURES = 5;
const MAX_DELAY_MS = MINUTE_MS;
/** Attempts on one account that may reach the hash function, whatever the delays say: parallel ones all see the same count. */
const ACCOUNT_ATTEMPTS = { limit: 12, windowMs: MINUTE_MS };
/** An address somebody signed in from stays known to the account this long after the last time. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS;
/** Failed attempts from one address. */
const ADDRESS_FAILURES = { limit: 50, windowMs: 20 * MINUTE_MS };
const ALARM_FAILURES = 500;
/** Failures of all accounts that get a row in the audit log. */
const NOTED_FAILURES = { limit: 120, windowMs: MINUTE_MS };

/**
 * Signing in with a password, and what slows guessing down (AUTH-01, AUTH-02). Guesses at an account are counted together,
 * wherever they come from, except from an address its owner signed in from lately: that one has counts of its own, so that
 * strangers who guess do not make the owner wait.
 */
@Injectable()
export class LoginService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Login');

  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly throttle: Throttle,
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
  async signIn(name: string, password: string, ip: string): Promise<Account> {
    if (!this.options.values().PasswordLoginEnabled) throw new DomainError('login_by_password_off');
    if (name.trim() === '' || password === '') throw new DomainError('login_fields_required');
    const keys = await this.keysOf(name, ip);
    await this.slowDown(keys);
    const account = await this.accounts.findForLogin(name);
    const isRight =
      password.length <= PASSWORD_LENGTH.max * 2 &&
      (await this.hasher.verify(account?.password ?? null, password));
    if (!isRight || account === null || account.status !== USER_STATUS.active) {
      await this.recordFailure(keys, ip);
      await this.noteFailure(account);
      throw new DomainError('login_failed');
    }
    await Promise.all([
      this.throttle.reset(keys.attempts),
      this.throttle.reset(keys.failures),
      this.throttle.reset(keys.gate),
      this.remember(keys.known),
    ]);
    return account;
  }

  /** A further check of the own password counts like an attempt to sign in. */
  async confirmPassword(
    user: { readonly id: number; readonly username: string },
    password: string,
    ip: string,
  ): Promise<boolean> {
    const keys = await this.keysOf(user.username, ip);
    await this.slowDown(keys);
    const isRight = await this.hasher.verify(await this.accounts.passwordOf(user.id), password);
    if (!isRight) await this.recordFailure(keys, ip);
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

  private async keysOf(name: string, ip: string): Promise<LoginKeys> {
    // Names are kept as digests: what somebody typed into the name field may be a password.
    const account = digestOf(foldUsername(name)).slice(0, 32);
    const network = networkOf(ip);
    const known = `login:known:${account}:${network}`;
    const counted = (await this.throttle.count(known, KNOWN_MS)) > 0 ? `${account}:${network}` : account;
    return {
      known,
      attempts: `login:attempts:${counted}`,
      failures: `login:failures:${counted}`,
      gate: `login:gate:${counted}`,
      address: `login:address:${network}`,
    };
  }

  private async remember(known: string): Promise<void> {
    await this.throttle.reset(known);
    await this.throttle.record(known, KNOWN_MS);
  }

  private async slowDown(keys: LoginKeys): Promise<void> {
    if ((await this.throttle.count(keys.address, ADDRESS_FAILURES.windowMs)) >= ADDRESS_FAILURES.limit) {
      throw tooOften(MINUTE_MS);
    }
    const failures = await this.throttle.count(keys.failures, MEMORY_MS);
    if (failures >= FREE_FAILURES) {
      const windowMs = Math.min(MAX_DELAY_MS, 1_000 * 2 ** (failures - FREE_FAILURES));
      const gate = await this.throttle.ask(keys.gate, { limit: 1, windowMs });
      if (!gate.admitted) throw tooOften(gate.retryAfterMs);
    }
    const attempt = await this.throttle.ask(keys.attempts, ACCOUNT_ATTEMPTS);
    if (!attempt.admitted) throw tooOften(attempt.retryAfterMs);
  }

  private async recordFailure(keys: LoginKeys, ip: string): Promise<void> {
    await Promise.all([
      this.throttle.record(keys.failures, MEMORY_MS),
      this.throttle.record(keys.address, ADDRESS_FAILURES.windowMs),
      this.throttle.record('login:all', MINUTE_MS),
    ]);
    const recent = await this.throttle.count('login:all', MINUTE_MS);
    if (recent > 0 && recent % ALARM_FAILURES === 0)
      this.logger.warn(`${recent} failed logins within a minute, last from ${ip}`);
  }
}

interface LoginKeys {
  readonly known: string;
  readonly attempts: string;
  readonly failures: string;
  readonly gate: string;
  readonly address: string;
}

const tooOften = (waitMs: number): DomainError =>
  new DomainError('login_too_often', { seconds: Math.max(1, Math.ceil(waitMs / 1000)) }, waitMs);
