import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { LimitCache } from '../../base/limits/limit-cache.js';
import { LimitUses } from '../../base/limits/limit-uses.js';
import { type DueWarning, dueWarnings } from './due-warnings.js';
import { LimitNotices } from './limit-notices.js';
import { LimitWarningEntity } from './limit-warning.entity.js';
import { LimitsRepository } from './limits.repository.js';

const PERIOD_MS = 15_000;
/** Longer than every period but `ever`, whose warnings stay as long. */
const KEPT_MS = 200 * 86_400_000;

/** Warns of limits whose use reaches a share of the amount: once for each period and share, whichever instance looks. */
@Injectable()
export class LimitWarnings {
  constructor(
    private readonly limits: LimitsRepository,
    private readonly uses: LimitUses,
    @InjectRepository(LimitWarningEntity) private readonly sent: Repository<LimitWarningEntity>,
    private readonly notices: LimitNotices,
    private readonly cache: LimitCache,
  ) {}

  /** Fails: JobOvertakenError; with the database's error. */
  @LeasedInterval('limit-warnings', PERIOD_MS)
  async run(run?: JobRun): Promise<void> {
    const limits = (await this.limits.all()).filter(({ enabled, warnAt }) => enabled && warnAt !== '');
    if (limits.length === 0) return;
    const nowMs = this.cache.nowMs();
    for (const due of dueWarnings(limits, await this.uses.usesOf(limits, nowMs), nowMs)) {
      await run?.confirm();
      const percent = await this.firstTime(due, nowMs);
      if (percent !== undefined) await this.notices.send(due, percent);
    }
    await this.sent.delete({ warnedAtMs: LessThan(nowMs - KEPT_MS) });
  }

  /** Notes what is sent now. @returns the largest share that was not sent yet; one notice is enough for several */
  private async firstTime(
    { limit, use, percents, periodStartMs }: DueWarning,
    nowMs: number,
  ): Promise<number | undefined> {
    const key = { limitId: limit.id, value: use.value, periodStartMs };
    const known = new Set((await this.sent.findBy(key)).map(({ percent }) => percent));
    let first: number | undefined;
    for (const percent of percents.filter((each) => !known.has(each))) {
      try {
        await this.sent.insert({ ...key, percent, warnedAtMs: nowMs });
        first = percent;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
    return first;
  }
}
