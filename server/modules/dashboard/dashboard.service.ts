import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { Throttle } from '../auth/throttle.js';
import { type HourlyUse, UseFigures, type UseSpan } from '../billing/use-figures.js';
import type { AdminUseQuery, HourlyUseView, UseQuery } from './dto/hourly-use.dto.js';

const DAY_SECONDS = 86_400;
/** A month as the week view asks for it: 30 days and what its borders add (DATA-4). */
const LONGEST_OWN_DAYS = 31;
/** DATA-3. */
const LONGEST_DAYS = 366;
const MAX_ROWS = 100_000;
/** DB-04. */
const RATE = { limit: 60, windowMs: 60_000 };

/** Hourly figures for the dashboard. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly figures: UseFigures,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {}

  /** The caller's own use by model and hour. Fails: span_too_long, too_many_requests. */
  async own(actor: Actor, query: UseQuery): Promise<HourlyUseView[]> {
    const span = await this.admit(actor, query, LONGEST_OWN_DAYS);
    return present(await this.figures.ofUser(actor.id, span, MAX_ROWS + 1));
  }

  /** With a username that account's use, else everybody's, by model and hour. Fails: span_too_long, too_many_requests. */
  async all(actor: Actor, query: AdminUseQuery): Promise<HourlyUseView[]> {
    const span = await this.admit(actor, query, LONGEST_DAYS);
    if (query.username === '') return present(await this.figures.byModel(span, MAX_ROWS + 1));
    const userId = await this.figures.findUserId(query.username);
    return userId === null ? [] : present(await this.figures.ofUser(userId, span, MAX_ROWS + 1));
  }

  /** Everybody's use by account and hour. Fails: span_too_long, too_many_requests. */
  async byUser(actor: Actor, query: UseQuery): Promise<HourlyUseView[]> {
    const span = await this.admit(actor, query, LONGEST_DAYS);
    return present(await this.figures.byUser(span, MAX_ROWS + 1));
  }

  private async admit(actor: Actor, query: UseQuery, longestDays: number): Promise<UseSpan> {
    await this.throttle.admit(`dashboard:${actor.id}`, RATE);
    const to = query.end_timestamp || Math.floor(this.clock.nowMs() / 1000);
    const from = query.start_timestamp || Math.max(0, to - DAY_SECONDS);
    if (to - from > longestDays * DAY_SECONDS) throw new DomainError('span_too_long', { days: longestDays });
    return { from, to };
  }
}

function present(rows: readonly HourlyUse[]): HourlyUseView[] {
  if (rows.length > MAX_ROWS) throw new DomainError('page_out_of_reach', { max: MAX_ROWS });
  return rows.map((row, index) => ({
    id: index + 1,
    user_id: row.userId,
    username: row.username,
    model_name: row.modelName,
    created_at: row.hour,
    token_used: row.tokens,
    count: row.calls,
    quota: row.quota,
  }));
}
