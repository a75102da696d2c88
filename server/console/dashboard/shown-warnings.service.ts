import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { AccountWarnings } from '../warnings/account-warnings.service.js';
import { presentWarning, type WarningView } from './dto/warning.dto.js';
import { AskedSpans } from './asked-spans.js';

const KEPT = { maxAgeMs: 10_000, maxEntries: 200 };

/** Warnings of the dashboard, computed at most once in ten seconds for one account. */
@Injectable()
export class ShownWarnings {
  private readonly answers: RecentAnswers<WarningView[]>;

  constructor(
    private readonly warnings: AccountWarnings,
    private readonly spans: AskedSpans,
    clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** Fails: too_many_requests. */
  async of(actor: Actor): Promise<WarningView[]> {
    const name = `${actor.id} ${actor.role}`;
    if (!this.answers.has(name)) await this.spans.admit(actor, 'warnings');
    return this.answers.of(name, async () => (await this.warnings.of(actor)).map(presentWarning));
  }
}
