import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { scrubText } from '../../relay-core/model/text-scrub.js';
import { Clock } from '../../common/clock.js';
import type { Document } from '../../relay-core/formats/shared/fields/json-fields.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import type { TaskKind } from './task-kinds.js';
import { TaskLog } from './task-log.js';
import { refundRefOf } from './task-refs.js';
import type { TaskRow } from './task-rows.js';
import { TASK_STATUS } from './task.codes.js';

/** The one way tasks change, whatever the source: a poll, a notification of the upstream, the passing of time. */
@Injectable()
export class TaskStates {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly money: AccountMoney,
    private readonly log: TaskLog,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies the upstream's report on a task, or the lack of one, to its record.
   * @param secrets  what must not be repeated to callers
   * @returns false when nothing changed: there was nothing to change, or the task is finished already
   * Fails: BalanceTooHighError; with the database's error.
   */
  async hear<Row extends TaskRow>(
    kind: TaskKind<Row>,
    row: Row,
    record: Document | undefined,
    secrets: readonly string[] = [],
  ): Promise<boolean> {
    const verdict = kind.decide(row, record, this.clock.nowMs());
    if (verdict.kind === 'keep') return false;
    if (verdict.kind === 'change') return kind.rows.change(row.id, verdict.changes);
    return this.fail(kind, row, { ...verdict, reason: scrubText(verdict.reason, secrets) });
  }

  /**
   * Ends a task: its change to failed and the refund of what it cost are one transaction, so that of any number of tries at once one
   * wins, on any number of instances.
   * @returns false when it was finished already: then nothing changed
   * Fails: BalanceTooHighError; with the database's error.
   */
  async fail<Row extends TaskRow>(
    kind: TaskKind<Row>,
    row: Row,
    failure: { readonly reason: string; readonly changes: Partial<Row> },
  ): Promise<boolean> {
    const changes = {
      ...failure.changes,
      ...kind.failed(this.clock.nowMs()),
      status: TASK_STATUS.failure,
      failReason: failure.reason,
      logPending: 1,
    };
    const { requestId } = row;
    const refunded = await runInTransaction(this.dataSource, async (manager) => {
      if (!(await kind.rows.change(row.id, changes, manager))) return undefined;
      return this.money.refundCall(manager, {
        callId: requestId,
        ref: refundRefOf(requestId),
        reason: `${kind.noun.toLowerCase()} ${kind.nameOf(row)} failed`,
      });
    });
    if (refunded === undefined) return false;
    await this.money.returnToLimits(requestId, refunded);
    this.feed.announce('user', row.userId);
    if (row.tokenId !== 0) this.feed.announce('token', row.tokenId);
    await this.log.write(kind, { ...row, failReason: failure.reason });
    return true;
  }
}
