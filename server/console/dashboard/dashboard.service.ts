import { Injectable } from '@nestjs/common';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ALL_USERS } from '../../base/billing/ledger/all-users.js';
import { UsageBuckets } from '../../base/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals, type UsageQuery } from '../../base/billing/ledger/usage-totals.js';
import { AskedSpans, MAX_DAYS, MAX_OWN_DAYS, MAX_ROWS } from './asked-spans.js';
import type { AdminUseQuery, UseQuery, UseView } from './dto/use.dto.js';

const KEPT = {
  maxAgeMs: 10_000,
  maxEntries: 20,
  isKept: (rows: UseView[]) => rows.length <= 20_000,
};

/** A query, and the key its answer is cached under. */
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
    private readonly spans: AskedSpans,
    clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** The caller's own use by model. Fails: span_too_long, too_many_requests. */
  async own(actor: Actor, query: UseQuery): Promise<UseView[]> {
    const asked = { what: `own:${actor.id}`, query, longestDays: MAX_OWN_DAYS };
    return this.answer(actor, asked, (question) => this.figures.byModel(actor.id, question));
  }

  /** By model, for the account of a username, else for all accounts. Fails: span_too_long, too_many_requests. */
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
    const span = this.spans.spanOf(query, longestDays);
    const zone = await this.spans.zoneOf(actor, query);
    const name = `${span.from}-${span.to} ${query.grain} ${zone} ${what}`;
    if (!this.answers.has(name)) await this.spans.admit(actor, 'models');
    const buckets = new UsageBuckets(query.grain, zone);
    return this.answers.of(name, async () => present(await read({ span, buckets, limit: MAX_ROWS })));
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
