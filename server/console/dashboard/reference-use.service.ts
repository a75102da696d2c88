import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { ReferenceKind } from '../../base/billing/ledger/reference-kinds.js';
import { ReferenceTotals } from '../../base/billing/ledger/reference-totals.js';
import { UsageBuckets } from '../../base/billing/ledger/usage-buckets.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { TokenNames } from '../../gateway/tokens/token-names.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { AskedSpans, MAX_DAYS, MAX_OWN_DAYS, MAX_ROWS } from './asked-spans.js';
import type { ReferenceUseView, UseQuery } from './dto/use.dto.js';

const KEPT = {
  maxAgeMs: 10_000,
  maxEntries: 20,
  isKept: ({ rows }: ReferenceUseView) => rows.length <= 20_000,
};

/** Charges by token and by channel for the dashboard. */
@Injectable()
export class ReferenceUseService {
  private readonly answers: RecentAnswers<ReferenceUseView>;

  constructor(
    private readonly totals: ReferenceTotals,
    private readonly spans: AskedSpans,
    private readonly tokens: TokenNames,
    private readonly channels: ChannelNames,
    clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** Tokens of every account. Fails: span_too_long, too_many_requests. */
  byToken(actor: Actor, query: UseQuery): Promise<ReferenceUseView> {
    return this.read(actor, 'token', query);
  }

  /** Fails: span_too_long, too_many_requests. */
  byChannel(actor: Actor, query: UseQuery): Promise<ReferenceUseView> {
    return this.read(actor, 'channel', query);
  }

  /** Tokens of the caller's account alone. Fails: span_too_long, too_many_requests. */
  ownByToken(actor: Actor, query: UseQuery): Promise<ReferenceUseView> {
    return this.read(actor, 'token', query, actor.id);
  }

  private async read(
    actor: Actor,
    kind: ReferenceKind,
    query: UseQuery,
    ownerId?: number,
  ): Promise<ReferenceUseView> {
    const span = this.spans.spanOf(query, ownerId === undefined ? MAX_DAYS : MAX_OWN_DAYS);
    const zone = await this.spans.zoneOf(actor, query);
    const name = `${span.from}-${span.to} ${query.grain} ${zone} ${kind} ${ownerId ?? 'all'}`;
    if (!this.answers.has(name)) await this.spans.admit(actor, 'references');
    const buckets = new UsageBuckets(query.grain, zone);
    return this.answers.of(name, async () => {
      const uses = await this.totals.by(kind, { span, buckets, limit: MAX_ROWS }, ownerId);
      const ids = uses.map(({ reference }) => reference);
      const names = await (kind === 'token' ? this.tokens.of(ids) : this.channels.of(ids));
      return {
        counted_since: await this.totals.since(kind),
        rows: uses.map(({ reference, username, start, tokens, calls, quota }) => ({
          reference,
          name: names.get(reference) ?? '',
          username,
          created_at: start,
          token_used: tokens,
          count: calls,
          quota,
        })),
      };
    });
  }
}
