import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { TagTotals } from '../../base/billing/ledger/tag-totals.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { AskedSpans, MAX_DAYS, MAX_OWN_DAYS } from './asked-spans.js';
import type { TagUseQuery, TagUseView } from './dto/tag-use.dto.js';

const KEPT = {
  maxAgeMs: 10_000,
  maxEntries: 20,
  isKept: ({ rows }: TagUseView) => rows.length <= 20_000,
};

/** Charges by tag and by end user for the dashboard. */
@Injectable()
export class TagUseService {
  private readonly answers: RecentAnswers<TagUseView>;

  constructor(
    private readonly totals: TagTotals,
    private readonly spans: AskedSpans,
    clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** Tags or end users of every account. Fails: span_too_long, too_many_requests. */
  all(actor: Actor, query: TagUseQuery): Promise<TagUseView> {
    return this.read(actor, query);
  }

  /** Those of the reader's account alone. Fails: span_too_long, too_many_requests. */
  own(actor: Actor, query: TagUseQuery): Promise<TagUseView> {
    return this.read(actor, query, actor.id);
  }

  private async read(actor: Actor, query: TagUseQuery, ownerId?: number): Promise<TagUseView> {
    const span = this.spans.spanOf(query, ownerId === undefined ? MAX_DAYS : MAX_OWN_DAYS);
    const name = `${span.from}-${span.to} ${query.by} ${ownerId ?? 'all'}`;
    if (!this.answers.has(name)) await this.spans.admit(actor, 'tags');
    return this.answers.of(name, async () => {
      const uses = await this.totals.by(query.by, span, ownerId);
      return {
        counted_since: await this.totals.since(),
        rows: uses.map(({ userId, username, value, start, tokens, calls, quota }) => ({
          user_id: userId,
          username,
          value,
          created_at: start,
          token_used: tokens,
          count: calls,
          quota,
        })),
      };
    });
  }
}
