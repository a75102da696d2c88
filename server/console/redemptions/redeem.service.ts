import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { AccountMoney, BalanceTooHighError } from '../../base/billing/ledger/account-money.service.js';
import { RedemptionLog } from './redemption-log.js';
import { Clock } from '../../common/clock.js';
import { mayRedeem } from './code-acts.js';
import { readCode, RedemptionKeys } from './redemption-keys.js';
import { RedemptionsRepository } from './redemptions.repository.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';

/** Ledger ref of a redeemed code. */
export const ledgerRefOf = (codeId: number): string => `redemption:${codeId}`;

/** Finds a typed code, and books it. */
@Injectable()
export class CodeRedeemer {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: RedemptionsRepository,
    private readonly keys: RedemptionKeys,
    private readonly money: AccountMoney,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there is no such code to redeem. Fails: as `redeemCode`. */
  async redeem(actor: Pick<Actor, 'id' | 'role'>, typed: string): Promise<Redeemed | null> {
    const code = readCode(typed);
    if (code === null) return null;
    const { dataSource, codes, money } = this;
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    return redeemCode({ dataSource, codes, money }, { keyDigest: this.keys.digest(code), actor, nowSeconds });
  }
}

/** Attempts in a minute, failures in an hour: enough for mistyped codes, too little to guess. */
const TRIES = { limit: 10, windowMs: 60_000 };
const FAILURES = { limit: 20, windowMs: 3_600_000 };

/** Turning codes into quota. */
@Injectable()
export class RedeemService {
  constructor(
    private readonly redeemer: CodeRedeemer,
    private readonly throttle: RateLimiter,
    private readonly log: RedemptionLog,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * @returns the quota added
   * Fails: redemption_code_required, redemption_invalid (unknown, used, disabled, expired: one answer), too_many_requests,
   * balance_too_high, redemption_own_code.
   */
  async redeem(actor: Actor, typed: string): Promise<number> {
    if (typed.trim() === '') throw new DomainError('redemption_code_required');
    await this.throttle.admit(`redeem:tries:${actor.id}`, TRIES);
    const failuresKey = `redeem:failures:${actor.id}`;
    if ((await this.throttle.count(failuresKey, FAILURES.windowMs)) >= FAILURES.limit)
      throw new DomainError('too_many_requests', {}, FAILURES.windowMs);
    const redeemed = await this.redeemer.redeem(actor, typed).catch(refuseFullAccount);
    if (redeemed === null) {
      await this.throttle.record(failuresKey, FAILURES.windowMs);
      throw new DomainError('redemption_invalid');
    }
    this.feed.announce('user', actor.id);
    const { codeId: id, creatorId: userId, quota } = redeemed;
    await this.log.write({ id, userId, quota, usedUserId: actor.id });
    return quota;
  }
}

function refuseFullAccount(error: unknown): never {
  if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
  throw error;
}

/** A code that was just turned into quota. */
export interface Redeemed {
  readonly codeId: number;
  readonly creatorId: number;
  readonly quota: number;
}

export interface RedeemParts {
  readonly dataSource: DataSource;
  readonly codes: Pick<RedemptionsRepository, 'findByDigest' | 'use' | 'isEditor'>;
  readonly money: Pick<AccountMoney, 'credit'>;
}

/**
 * Turns a code into quota: its change from unused to used and the credit are one transaction, so that of any number of tries at
 * once one wins, on any number of instances.
 * @returns null when the code is unknown, used, disabled, expired or deleted: callers cannot distinguish these
 * Fails: AccountMissingError, BalanceTooHighError, DomainError `redemption_own_code`; the code then stays unused.
 */
export async function redeemCode(
  { dataSource, codes, money }: RedeemParts,
  attempt: {
    readonly keyDigest: string;
    readonly actor: Pick<Actor, 'id' | 'role'>;
    readonly nowSeconds: number;
  },
): Promise<Redeemed | null> {
  const { keyDigest, actor, nowSeconds } = attempt;
  const { id: userId } = actor;
  const code = await codes.findByDigest(keyDigest);
  if (code === null) return null;
  const quota = await runInTransaction(dataSource, async (manager) => {
    const worth = await codes.use(manager, code.id, { userId, nowSeconds });
    if (worth === null) return null;
    // Behind the lock of the code: a change that is running has ended by now.
    const isEditor = await codes.isEditor(manager, code.id, userId);
    if (!mayRedeem(actor, { makerId: code.userId, isEditor })) throw new DomainError('redemption_own_code');
    const isNew = await money.credit(manager, {
      userId,
      amount: worth,
      kind: 'redeem',
      ref: ledgerRefOf(code.id),
      actorId: userId,
      reason: `code ${code.id}`,
    });
    return isNew ? worth : null;
  });
  return quota === null ? null : { codeId: code.id, creatorId: code.userId, quota };
}
