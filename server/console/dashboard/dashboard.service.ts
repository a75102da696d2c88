import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { UTC } from '../../common/time-zone.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { ALL_USERS } from '../../base/billing/ledger/all-users.js';
import { UsageBuckets, type UsageSpan } from '../../base/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals, type UsageQuery } from '../../base/billing/ledger/usage-totals.js';
import { AccountZones } from '../../base/users/account-zones.js';
import type { AdminUseQuery, UseQuery, UseView } from './dto/use.dto.js';

const DAY_SECONDS = 86_400;
/** A month as the week view asks for it: 30 days and what its borders add. */
const MAX_OWN_DAYS = 31;
/** Longest stretch an administrator may ask for, and most rows of one answer. */
const MAX_DAYS = 366;
const MAX_ROWS = 100_000;
/** Answers an account may ask for; those that are given from memory are not counted. */
const RATE = { limit: 30, windowMs: 60_000 };
const KEPT = {
  maxAgeMs: 10_000,
  maxEntries: 20,
  isKept: (rows: UseView[]) => rows.length <= 20_000,
};

/** What is asked, and by which name the answer is remembered. */
interface Asked {
  readonly what: string;
  readonly query: UseQuery;
  readonly longestDays: number;
}

/** Figures for the dashboard, by quarter of an hour, hour or day of a time zone. Models or accounts beyond `MAX_ROWS` rows are one line without a name. */
@Injectable()
export class DashboardService {
  private readonly answers: RecentAnswers<UseView[]>;

  constructor(
    private readonly figures: UsageTotals,
    private readonly zones: AccountZones,
    private readonly throttle: RateLimiter,
    private readonly clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** The caller's own use by model. Fails: span_too_long, too_many_requests. */
  async own(actor: Actor, query: UseQuery): Promise<UseView[]> {
    const asked = { what: `own:${actor.id}`, query, longestDays: MAX_OWN_DAYS };
    return this.answer(actor, asked, (question) => this.figures.byModel(actor.id, question));
  }

  /** With a username that account's use, else everybody's, by model. Fails: span_too_long, too_many_requests. */
  async all(actor: Actor, query: AdminUseQuery): Promise<UseView[]> {
    const { username } = query;
    return this.answer(actor, { what: `all:${username}`, query, longestDays: MAX_DAYS }, async (question) => {
      const userId = username === '' ? ALL_USERS : await this.figures.findUserId(username);
      return userId === null ? [] : this.figures.byModel(userId, question);
    });
  }

  /** Use by account: of the hundred that used most, and of all others together. Fails: span_too_long, too_many_requests. */
  async byUser(actor: Actor, query: UseQuery): Promise<UseView[]> {
    return this.answer(actor, { what: 'users', query, longestDays: MAX_DAYS }, (question) =>
      this.figures.byUser(question),
    );
  }

  private async answer(
    actor: Actor,
    { what, query, longestDays }: Asked,
    read: (question: UsageQuery) => Promise<readonly UsageTotal[]>,
  ): Promise<UseView[]> {
    const span = this.spanOf(query, longestDays);
    const zone = query.grain === 'quarter' ? UTC : await this.zones.zoneFor(actor.id, query.time_zone);
    const name = `${span.from}-${span.to} ${query.grain} ${zone} ${what}`;
    if (!this.answers.has(name)) await this.throttle.admit(`dashboard:${actor.id}`, RATE);
    const buckets = new UsageBuckets(query.grain, zone);
    return this.answers.of(name, async () => present(await read({ span, buckets, limit: MAX_ROWS })));
  }

  private spanOf(query: UseQuery, longestDays: number): UsageSpan {
    const to = query.end_timestamp ?? Math.floor(this.clock.nowMs() / 1000);
    const from = query.start_timestamp ?? Math.max(0, to - DAY_SECONDS);
    if (to - from > longestDays * DAY_SECONDS) throw new DomainError('span_too_long', { days: longestDays });
    return { from, to };
  }
}

const present = (rows: readonly UsageTotal[]): UseView[] =>
  rows.map((row, index) => ({
    id: index + 1,
    user_id: row.userId,
    username: row.username,
    model_name: row.modelName,
    created_at: row.start,
    token_used: row.tokens,
    count: row.calls,
    quota: row.quota,
  }));
