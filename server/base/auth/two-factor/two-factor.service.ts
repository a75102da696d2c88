import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { isDuplicateKey, runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { Clock } from '../../../common/clock.js';
import { actorAndTarget } from '../../audit/actor-and-target.js';
import { AuditLog } from '../../audit/audit-log.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { stepOfCode } from './one-time-code.js';
import { looksLikeRecoveryCode, makeRecoveryCodes } from './recovery-codes.js';
import { TwoFactorRepository } from './two-factor.repository.js';

/** Actor, for the audit entry. */
export interface FactorActor {
  readonly id: number;
  readonly role: number;
}

const MINUTE_MS = 60_000;
/** Codes one account may try; a right one starts anew. Six digits with three valid steps: 60 tries a day are one in 5,500. */
const TRIES = [
  { name: 'short', limit: 5, windowMs: 15 * MINUTE_MS },
  { name: 'day', limit: 60, windowMs: 24 * 60 * MINUTE_MS },
] as const;

/** One-time codes of authenticator apps, and the recovery codes beside them. Knows accounts by their id only. */
@Injectable()
export class TwoFactorService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly repository: TwoFactorRepository,
    private readonly throttle: RateLimiter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  isEnabled(userId: number): Promise<boolean> {
    return this.repository.isEnabled(userId);
  }

  async statusOf(userId: number): Promise<{ enabled: boolean; locked: boolean; recoveryCodes: number }> {
    const enabled = await this.repository.isEnabled(userId);
    if (!enabled) return { enabled, locked: false, recoveryCodes: 0 };
    const [recoveryCodes, ...counts] = await Promise.all([
      this.repository.countRecoveryCodes(userId),
      ...TRIES.map(({ name, windowMs }) => this.throttle.count(triesKey(name, userId), windowMs)),
    ]);
    return {
      enabled,
      locked: TRIES.some(({ limit }, index) => (counts[index] ?? 0) >= limit),
      recoveryCodes,
    };
  }

  /**
   * Uses a code up: six digits of the app, or a recovery code. Each works once, over all instances.
   * Fails: DomainError `two_factor_locked` after too many tries, `two_factor_off`, `two_factor_code_wrong`.
   */
  async spend(userId: number, code: string): Promise<'app' | 'recovery-code'> {
    const secret = await this.repository.findSecret(userId);
    if (secret === null) throw new DomainError('two_factor_off');
    await this.admitTry(userId);
    const step = await stepOfCode(secret, code.replace(/\s/g, ''), this.clock.nowMs());
    if (step !== null && (await this.repository.claimStep(userId, step))) {
      await this.forgetTries(userId);
      return 'app';
    }
    if (looksLikeRecoveryCode(code) && (await this.repository.takeRecoveryCode(userId, code))) {
      await this.forgetTries(userId);
      return 'recovery-code';
    }
    throw new DomainError('two_factor_code_wrong');
  }

  /**
   * Turns codes on with a secret the app has shown a code of.
   * @returns the recovery codes, this once
   * Fails: DomainError `two_factor_locked`, `two_factor_code_wrong`, `two_factor_on` when they are on already.
   */
  async enable(actor: FactorActor, secret: string, code: string): Promise<string[]> {
    await this.admitTry(actor.id);
    const step = await stepOfCode(secret, code.replace(/\s/g, ''), this.clock.nowMs());
    if (step === null) throw new DomainError('two_factor_code_wrong');
    const codes = makeRecoveryCodes();
    const userId = actor.id;
    await runInTransaction(this.dataSource, async (manager) => {
      await this.repository.insert(manager, {
        userId,
        secret,
        // The code that turned it on is used up.
        lastStep: step,
        createdAtMs: this.clock.nowMs(),
      });
      await this.repository.replaceRecoveryCodes(manager, userId, codes);
      await this.audit.record(manager, { ...actorAndTarget(actor, userId), action: 'two_factor.enable' });
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('two_factor_on');
      throw error;
    });
    await this.forgetTries(userId);
    return codes;
  }

  /** New recovery codes instead of all old ones. @returns them, this once */
  async renewRecoveryCodes(actor: FactorActor): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await runInTransaction(this.dataSource, async (manager) => {
      await this.repository.replaceRecoveryCodes(manager, actor.id, codes);
      await this.audit.record(manager, { ...actorAndTarget(actor), action: 'two_factor.renew_recovery' });
    });
    return codes;
  }

  /**
   * Turns codes off; the caller has checked that the actor may.
   * Fails: DomainError `two_factor_off` when they were not on.
   */
  async remove(actor: FactorActor, userId: number): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      if (!(await this.repository.remove(manager, userId))) throw new DomainError('two_factor_off');
      const action = actor.id === userId ? 'two_factor.disable' : 'two_factor.reset';
      await this.audit.record(manager, { ...actorAndTarget(actor, userId), action });
    });
    await this.forgetTries(userId);
  }

  /** Counted before the code is looked at: tries made at once are all counted. */
  private async admitTry(userId: number): Promise<void> {
    for (const { name, limit, windowMs } of TRIES) {
      const verdict = await this.throttle.ask(triesKey(name, userId), { limit, windowMs });
      if (!verdict.admitted) {
        const minutes = Math.max(1, Math.ceil(verdict.retryAfterMs / MINUTE_MS));
        throw new DomainError('two_factor_locked', { minutes }, verdict.retryAfterMs);
      }
    }
  }

  private async forgetTries(userId: number): Promise<void> {
    await Promise.all(TRIES.map(({ name }) => this.throttle.reset(triesKey(name, userId))));
  }
}

const triesKey = (name: string, userId: number): string => `two-factor:${name}:${userId}`;
