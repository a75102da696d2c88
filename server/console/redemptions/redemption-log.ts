import { Injectable, Logger } from '@nestjs/common';
import { JobParts } from '../../infra/schedule/job-parts.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { Clock } from '../../common/clock.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { AccountLines } from '../../base/users/account-lines.js';
import { type RedeemedCode, RedemptionsRepository } from './redemptions.repository.js';

const PERIOD_MS = 60_000;
const GRACE_SECONDS = 30;
const AT_ONCE = 200;

/**
 * The log line of each redeemed code. The log may live in another database, so the line is written after the commit. A mark on the code keeps
 * that the line is missing; a job writes lines that a crash or the log's database prevented. Each line is written once.
 */
@Injectable()
export class RedemptionLog {
  private readonly logger = new Logger('Redemptions');

  constructor(
    private readonly codes: RedemptionsRepository,
    private readonly lines: AccountLines,
    private readonly clock: Clock,
  ) {}

  /** Never fails: what cannot be written now is written by the job. */
  async write(code: RedeemedCode): Promise<void> {
    try {
      await this.writeLine(code);
    } catch (error) {
      this.logger.warn(`the log line of code ${code.id} waits for the log: ${String(error)}`);
    }
  }

  /** Writes the lines that are missing. Fails: in the end, with the errors of the database: no line keeps the others waiting. */
  @LeasedInterval('redemption-log', PERIOD_MS)
  async writeMissing(run?: JobRun): Promise<void> {
    const before = Math.floor(this.clock.nowMs() / 1000) - GRACE_SECONDS;
    const parts = new JobParts();
    await parts.each(await this.codes.withoutLog(before, AT_ONCE), {
      run,
      nameOf: ({ id }) => `log line of code ${id}`,
      work: (code) => this.writeLine(code),
    });
    parts.throwIfAnyFailed();
  }

  private async writeLine(code: RedeemedCode): Promise<void> {
    await this.lines.write({
      type: LOG_TYPE.topUp,
      userId: code.usedUserId,
      content: `Redeemed ${this.lines.quotaText(code.quota)}, code id ${code.id}`,
      quota: code.quota,
      event: { code: 'redeemed', redemption_id: code.id },
      other: { redemption_id: code.id, admin_info: { creator_id: code.userId } },
      onceKey: `redemption:${code.id}`,
    });
    await this.codes.markLogged(code.id);
  }
}
