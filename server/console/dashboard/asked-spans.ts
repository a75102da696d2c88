import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { UTC } from '../../common/time-zone.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { UsageSpan } from '../../base/billing/ledger/usage-buckets.js';
import { AccountZones } from '../../base/users/account-zones.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { UseQuery } from './dto/use.dto.js';

const DAY_SECONDS = 86_400;
/** Longest span in days of an answer about the reader's own account: 30 days and the rest of the first and the last. */
export const MAX_OWN_DAYS = 31;
/** Longest span in days of an answer to administrators. */
export const MAX_DAYS = 366;
/** Most rows of one answer. */
export const MAX_ROWS = 100_000;
/** Answers of one kind an account may ask for, those from memory left out. A look at the dashboard asks for two of each. */
const RATE = { limit: 30, windowMs: 60_000 };

export type KindOfUse = 'models' | 'references' | 'attempts' | 'tags' | 'warnings';

/** Span and time zone of a question to the dashboard, and how many an account may ask. */
@Injectable()
export class AskedSpans {
  constructor(
    private readonly zones: AccountZones,
    private readonly throttle: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /** The last 24 hours where the query names no span. Fails: span_too_long. */
  spanOf(query: Pick<UseQuery, 'start_timestamp' | 'end_timestamp'>, longestDays: number): UsageSpan {
    const to = query.end_timestamp ?? Math.floor(this.clock.nowMs() / 1_000);
    const from = query.start_timestamp ?? Math.max(0, to - DAY_SECONDS);
    if (to - from > longestDays * DAY_SECONDS) throw new DomainError('span_too_long', { days: longestDays });
    return { from, to };
  }

  /** Name of the time zone that a query is answered in; quarters of an hour are the same in all. */
  async zoneOf(actor: Actor, query: UseQuery): Promise<string> {
    return query.grain === 'quarter' ? UTC : this.zones.zoneFor(actor.id, query.time_zone);
  }

  /** Counts an answer that is read from the database. Fails: too_many_requests. */
  async admit(actor: Actor, kind: KindOfUse): Promise<void> {
    await this.throttle.admit(`dashboard:${kind}:${actor.id}`, RATE);
  }
}
