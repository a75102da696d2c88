import { Injectable, Logger } from '@nestjs/common';
import { JobParts } from '../../infra/schedule/job-parts.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { Clock } from '../../common/clock.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { AccountLines } from '../../base/users/account-lines.js';
import { type TaskKind, TaskKinds } from './task-kinds.js';
import { refundRefOf } from './task-refs.js';
import type { TaskRow } from './task-rows.js';

const PERIOD_MS = 60_000;
const GRACE_MS = 30_000;
const AT_ONCE = 200;

/**
 * The log line of each failed task. The log may live in another database, so the line is written after the commit. A mark on the record keeps
 * that the line is missing; a job writes lines that a crash or the log's database prevented. Each line is written once.
 */
@Injectable()
export class TaskLog {
  private readonly logger = new Logger('Tasks');

  constructor(
    private readonly kinds: TaskKinds,
    private readonly money: AccountMoney,
    private readonly lines: AccountLines,
    private readonly clock: Clock,
  ) {}

  /** Never fails: what cannot be written now is written by the job. */
  async write<Row extends TaskRow>(kind: TaskKind<Row>, row: Row): Promise<void> {
    try {
      await this.writeLine(kind, row);
    } catch (error) {
      this.logger.warn(`the log line of ${kind.platform} task ${row.id} waits for the log: ${String(error)}`);
    }
  }

  /** Writes the lines that are missing. Fails: in the end, with the errors of the database: no line keeps the others waiting. */
  @LeasedInterval('task-log', PERIOD_MS)
  async writeMissing(run?: JobRun): Promise<void> {
    const parts = new JobParts();
    await parts.make('drawings', () => this.writeMissingOf(this.kinds.drawings, parts, run));
    await parts.make('tasks', () => this.writeMissingOf(this.kinds.tasks, parts, run));
    parts.throwIfAnyFailed();
  }

  private async writeMissingOf<Row extends TaskRow>(
    kind: TaskKind<Row>,
    parts: JobParts,
    run?: JobRun,
  ): Promise<void> {
    const before = Math.floor((this.clock.nowMs() - GRACE_MS) / kind.unitMs);
    await parts.each(await kind.rows.withoutLog(before, AT_ONCE), {
      run,
      nameOf: ({ id }) => `log line of ${kind.platform} task ${id}`,
      work: (row) => this.writeLine(kind, row),
    });
  }

  private async writeLine<Row extends TaskRow>(kind: TaskKind<Row>, row: Row): Promise<void> {
    const refunded = await this.money.refundOf(refundRefOf(row.requestId));
    const taskId = kind.nameOf(row);
    const money = refunded === 0 ? '' : `, refunded ${this.lines.quotaText(refunded)}`;
    await this.lines.write({
      type: LOG_TYPE.system,
      userId: row.userId,
      content: `${kind.noun} ${taskId} failed${money}: ${row.failReason}`,
      quota: refunded,
      event: {
        code: 'task_failed',
        platform: kind.platform,
        task_id: taskId,
        reason: row.failReason,
        request_id: row.requestId,
      },
      other: { admin_info: { channel_id: row.channelId } },
      onceKey: `${kind.platform}:${row.id}`,
    });
    await kind.rows.markLogged(row.id);
  }
}
