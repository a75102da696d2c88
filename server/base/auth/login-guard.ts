import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { networkOf } from '../../common/client-network.js';
import { secondsToWait } from '../../common/retry-after.js';
import { AuditLog } from '../audit/audit-log.js';
import { digestOf } from './sessions.service.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';

const MINUTE_MS = 60_000;
/** Failures are forgotten after this long. */
const MEMORY_MS = 15 * MINUTE_MS;
const FREE_FAILURES = 5;
const MAX_DELAY_MS = MINUTE_MS;
/** Attempts on one account that may reach the hash function, whatever the delays are: parallel ones all see the same count. */
const ACCOUNT_ATTEMPTS = { limit: 12, windowMs: MINUTE_MS };
/** Time an address stays known to the account after its last sign-in. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS;
/** Failed attempts from one address. */
const ADDRESS_FAILURES = { limit: 50, windowMs: 20 * MINUTE_MS };
/** While other addresses keep an account busy, an address that never failed at it is admitted once. */
const FIRST_ATTEMPT = { limit: 1, windowMs: MEMORY_MS };
/** Limit over all such addresses: guesses from thousands of them are not all admitted. */
const FIRST_ATTEMPTS = { limit: 100, windowMs: MEMORY_MS };
const ALARM_FAILURES = 500;
/** Failures of all accounts that get a row in the audit log. */
const NOTED_FAILURES = { limit: 120, windowMs: MINUTE_MS };

/**
 * Key of the count of guesses: the account that was found; for an unused name, the form that was looked up. Other spellings of one
 * name and the mail address of the same account therefore share one count. Kept as a digest: the name field may hold a password
 * typed by mistake.
 */
export const countKeyOf = (found: { readonly id: number } | null, lookedUp: string): string =>
  digestOf(found === null ? `name ${lookedUp}` : `account ${found.id}`).slice(0, 32);

/** Origin of a login attempt, and the evidence in its favour. */
export interface LoginAttempt {
  /** Result of `countKeyOf`. */
  readonly account: string;
  readonly ip: string;
  /** Has counts of its own: a link sent to the owner's mail address, or a session that asks for its own password again. */
  readonly apart?: string;
}

/** An attempt that may reach the password. */
export interface Admission {
  readonly counted: string;
  readonly network: string;
  readonly known: string;
  readonly own: string;
  /** Set when the account is busy with guesses of others: a wrong password is answered like an attempt that was not admitted. */
  readonly busyMs?: number;
}

/**
 * Slows down password guessing. Guesses at an account are counted together, whatever their address. Exceptions with counts of their
 * own: an address its owner signed in from recently, and a link mailed to the owner. An address that has not failed at the account
 * is admitted once even while the common count is full: neither count alone keeps the owner out.
 */
@Injectable()
export class LoginGuard {
  private readonly logger = new Logger('Login');

  constructor(
    private readonly throttle: RateLimiter,
    private readonly audit: AuditLog,
  ) {}

  /** Fails: DomainError `login_too_often`. */
  async admit({ account, ip, apart }: LoginAttempt): Promise<Admission> {
    const network = networkOf(ip);
    const known = `login:known:${account}:${network}`;
    const own = `login:own:${account}:${network}`;
    const isKnown = apart !== undefined || (await this.throttle.count(known, KNOWN_MS)) > 0;
    const counted = isKnown ? `${account}:${apart ?? network}` : account;
    const admission = { counted, network, known, own };
    if (!isKnown && (await this.isAddressFull(network))) throw tooOften(MINUTE_MS);
    const waitMs = await this.waitOf(counted);
    if (waitMs === 0) return admission;
    if (isKnown || !(await this.isFirst(account, network, own))) throw tooOften(waitMs);
    return { ...admission, busyMs: waitMs };
  }

  /**
   * Fails: DomainError `login_too_often` for an attempt admitted although the account is busy; otherwise returns, and the caller
   * throws `login_failed`.
   */
  async fail({ counted, network, own, busyMs }: Admission, ip: string): Promise<void> {
    await Promise.all([
      this.throttle.record(`login:failures:${counted}`, MEMORY_MS),
      this.throttle.record(own, MEMORY_MS),
      this.throttle.record(`login:address:${network}`, ADDRESS_FAILURES.windowMs),
      this.throttle.record('login:all', MINUTE_MS),
    ]);
    const recent = await this.throttle.count('login:all', MINUTE_MS);
    if (recent > 0 && recent % ALARM_FAILURES === 0)
      this.logger.warn(`${recent} failed logins within a minute, last from ${ip}`);
    if (busyMs !== undefined) throw tooOften(busyMs);
  }

  /** Not the name that was typed: it may be a password. A flood of guesses is counted as all are and does not fill the log. */
  async recordFailure(found: { readonly id: number } | null): Promise<void> {
    const verdict = await this.throttle.ask('login:noted', NOTED_FAILURES);
    if (!verdict.admitted) return;
    await this.audit.record(null, {
      actorId: 0,
      actorRole: 0,
      action: 'login.fail',
      targetType: 'user',
      targetId: found?.id ?? '',
      detail: { way: 'password' },
    });
  }

  /** The password was right: the address is known from now on. Failures of other addresses at a busy account stay counted. */
  async pass({ counted, known, own, busyMs }: Admission): Promise<void> {
    const common = busyMs === undefined ? ['attempts', 'failures', 'gate'] : [];
    await Promise.all([
      ...common.map((name) => this.throttle.reset(`login:${name}:${counted}`)),
      this.throttle.reset(own),
      this.throttle.reset(known).then(() => this.throttle.record(known, KNOWN_MS)),
    ]);
  }

  private async isAddressFull(network: string): Promise<boolean> {
    const failures = await this.throttle.count(`login:address:${network}`, ADDRESS_FAILURES.windowMs);
    return failures >= ADDRESS_FAILURES.limit;
  }

  /** 0 = the attempt is taken now. */
  private async waitOf(counted: string): Promise<number> {
    const failures = await this.throttle.count(`login:failures:${counted}`, MEMORY_MS);
    if (failures >= FREE_FAILURES) {
      const windowMs = Math.min(MAX_DELAY_MS, 1_000 * 2 ** (failures - FREE_FAILURES));
      const gate = await this.throttle.ask(`login:gate:${counted}`, { limit: 1, windowMs });
      if (!gate.admitted) return Math.max(1, gate.retryAfterMs);
    }
    const attempt = await this.throttle.ask(`login:attempts:${counted}`, ACCOUNT_ATTEMPTS);
    return attempt.admitted ? 0 : Math.max(1, attempt.retryAfterMs);
  }

  private async isFirst(account: string, network: string, own: string): Promise<boolean> {
    if ((await this.throttle.count(own, MEMORY_MS)) > 0) return false;
    if (!(await this.throttle.ask(`login:first:${account}:${network}`, FIRST_ATTEMPT)).admitted) return false;
    return (await this.throttle.ask(`login:firsts:${account}`, FIRST_ATTEMPTS)).admitted;
  }
}

const tooOften = (waitMs: number): DomainError =>
  new DomainError('login_too_often', { seconds: secondsToWait(waitMs) }, waitMs);
