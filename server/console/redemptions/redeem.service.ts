import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { BalanceTooHighError } from '../../base/billing/ledger/account-money.service.js';
import { CodeRedeemer } from './code-redeemer.js';
import { RedemptionLog } from './redemption-log.js';

/** Attempts in a minute, failures in an hour: enough for somebody who mistypes, too little to guess. */
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
   * balance_too_high.
   */
  async redeem(actor: Actor, typed: string): Promise<number> {
    if (typed.trim() === '') throw new DomainError('redemption_code_required');
    await this.throttle.admit(`redeem:tries:${actor.id}`, TRIES);
    const failuresKey = `redeem:failures:${actor.id}`;
    if ((await this.throttle.count(failuresKey, FAILURES.windowMs)) >= FAILURES.limit)
      throw new DomainError('too_many_requests', {}, FAILURES.windowMs);
    const redeemed = await this.redeemer.redeem(actor.id, typed).catch(refuseFullAccount);
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
