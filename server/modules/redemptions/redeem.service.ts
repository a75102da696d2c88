import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { AccountMoney, BalanceTooHighError } from '../billing/ledger/account-money.service.js';
import { redeemCode } from './redeem.js';
import { readCode, RedemptionKeys } from './redemption-keys.js';
import { RedemptionLog } from './redemption-log.js';
import { RedemptionsRepository } from './redemptions.repository.js';

/** Attempts in a minute, failures in an hour: enough for somebody who mistypes, too little to guess. */
const TRIES = { limit: 10, windowMs: 60_000 };
const FAILURES = { limit: 20, windowMs: 3_600_000 };

/** Turning codes into quota. */
@Injectable()
export class RedeemService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: RedemptionsRepository,
    private readonly keys: RedemptionKeys,
    private readonly money: AccountMoney,
    private readonly throttle: RateLimiter,
    private readonly log: RedemptionLog,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the quota added
   * Fails: redemption_code_required, redemption_invalid (unknown, used, disabled, expired: one answer), too_many_requests,
   * balance_too_high.
   */
  async redeem(actor: Actor, typed: string): Promise<number> {
    if (typed.trim() === '') throw new DomainError('redemption_code_required');
    await this.throttle.admit(`redeem:tries:${actor.id}`, TRIES);
    const failuresKey = `redeem:failures:${actor.id}`;
    if ((await this.throttle.count(failuresKey, FAILURES.windowMs)) >= FAILURES.limit)
      throw new DomainError('too_many_requests', {}, FAILURES.windowMs);
    const parts = { dataSource: this.dataSource, codes: this.codes, money: this.money };
    const code = readCode(typed);
    const redeemed =
      code === null
        ? null
        : await redeemCode(parts, {
            keyDigest: this.keys.digest(code),
            userId: actor.id,
            nowSeconds: Math.floor(this.clock.nowMs() / 1000),
          }).catch(refuseFullAccount);
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
