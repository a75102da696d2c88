import { Injectable } from '@nestjs/common';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { Clock } from '../../common/clock.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { LogStatView } from './dto/log.dto.js';
import { type LogFilter, LogsRepository } from '../../base/logs/logs.repository.js';

/** The same question within this time is answered once. */
const KEPT = { maxAgeMs: 10_000, maxEntries: 500 };
/** Sums an account may ask for; those that are answered from memory are not counted. */
const RATE = { limit: 30, windowMs: 60_000 };
const RECENT_SECONDS = 60;

/** Sums over the log: charge of all matching calls; calls and tokens of the last minute. */
@Injectable()
export class LogStatistics {
  private readonly answers: RecentAnswers<LogStatView>;

  constructor(
    private readonly logs: LogsRepository,
    private readonly throttle: RateLimiter,
    private readonly clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** @param askerId  account that asks. Fails: too_many_requests. */
  async of(askerId: number, filter: LogFilter): Promise<LogStatView> {
    const question = JSON.stringify(filter);
    if (!this.answers.has(question)) await this.throttle.admit(`log-statistics:${askerId}`, RATE);
    return this.answers.of(question, () => this.ask(filter));
  }

  private async ask(filter: LogFilter): Promise<LogStatView> {
    const since = Math.floor(this.clock.nowMs() / 1000) - RECENT_SECONDS;
    const [quota, recent] = await Promise.all([
      this.logs.sumQuota(filter),
      this.logs.sumRecent(filter, since),
    ]);
    return { quota, rpm: recent.calls, tpm: recent.tokens };
  }
}
