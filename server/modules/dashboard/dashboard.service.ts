import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { Throttle } from '../auth/throttle.js';
import { EVERYBODY } from '../billing/everybody.js';
import { type HourlyUse, UseFigures, type UseSpan } from '../billing/use-figures.js';
import type { AdminUseQuery, HourlyUseView, UseQuery } from './dto/hourly-use.dto.js';

const DAY_SECONDS = 86_400;
/** A month as the week view asks for it: 30 days and what its borders add (DATA-4). */
const LONGEST_OWN_DAYS = 31;
/** DATA-3. */
const LONGEST_DAYS = 366;
const MAX_ROWS = 100_000;
/** Answers an account may ask for; those that are given from memory are not counted (DB-04). */
const RATE = { limit: 30, windowMs: 60_000 };
const KEPT = {
  maxAgeMs: 10_000,
  maxEntries: 20,
  isKept: (rows: HourlyUseView[]) => rows.length <= 20_000,
};

/** Hourly figures for the dashboard. Models or accounts beyond `MAX_ROWS` rows are one line without a name. */
@Injectable()
export class DashboardService {
  private readonly answers: RecentAnswers<HourlyUseView[]>;

  constructor(
    private readonly figures: UseFigures,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** The caller's own use by model and hour. Fails: span_too_long, too_many_requests. */
  async own(actor: Actor, query: UseQuery): Promise<HourlyUseView[]> {
    return this.answer(actor, `own:${actor.id}`, this.spanOf(query, LONGEST_OWN_DAYS), (span) =>
      this.figures.byModel(actor.id, span, MAX_ROWS),
    );
  }

  /** With a username that account's use, else everybody's, by model and hour. Fails: span_too_long, too_many_requests. */
  async all(actor: Actor, query: AdminUseQuery): Promise<HourlyUseView[]> {
    const { username } = query;
    return this.answer(actor, `all:${username}`, this.spanOf(query, LONGEST_DAYS), async (span) => {
      const userId = username === '' ? EVERYBODY : await this.figures.findUserId(username);
      return userId === null ? [] : this.figures.byModel(userId, span, MAX_ROWS);
    });
  }

  /** Use by account and hour: of the hundred that used most, and of all others together. Fails: span_too_long, too_many_requests. */
  async byUser(actor: Actor, query: UseQuery): Promise<HourlyUseView[]> {
    return this.answer(actor, 'users', this.spanOf(query, LONGEST_DAYS), (span) =>
      this.figures.byUser(span, MAX_ROWS),
    );
  }

  private async answer(
    actor: Actor,
    what: string,
    span: UseSpan,
    read: (span: UseSpan) => Promise<readonly HourlyUse[]>,
  ): Promise<HourlyUseView[]> {
    const question = `${span.from}-${span.to} ${what}`;
    if (!this.answers.has(question)) await this.throttle.admit(`dashboard:${actor.id}`, RATE);
    return this.answers.of(question, async () => present(await read(span)));
  }

  private spanOf(query: UseQuery, longestDays: number): UseSpan {
    const to = query.end_timestamp ?? Math.floor(this.clock.nowMs() / 1000);
    const from = query.start_timestamp ?? Math.max(0, to - DAY_SECONDS);
    if (to - from > longestDays * DAY_SECONDS) throw new DomainError('span_too_long', { days: longestDays });
    return { from, to };
  }
}

const present = (rows: readonly HourlyUse[]): HourlyUseView[] =>
  rows.map((row, index) => ({
    id: index + 1,
    user_id: row.userId,
    username: row.username,
    model_name: row.modelName,
    created_at: row.hour,
    token_used: row.tokens,
    count: row.calls,
    quota: row.quota,
  }));
