import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UTC } from '../../common/time-zone.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { nextDueMs } from './week.js';
import type { WeeklyEmailEntity } from './weekly-email.entity.js';
import { WeeklyEmailSender } from './weekly-email-sender.js';
import { WeeklyEmailsRepository } from './weekly-emails.repository.js';

const PERIOD_MS = 300_000;
/** Summaries of one run, and how long it goes on: what is left waits for the next run. */
const BATCH = 200;
const MAX_RUN_MS = 240_000;
const HOUR_MS = 3_600_000;
/** Pauses before further attempts; after the last one the week is left out. */
const RETRIES_MS = [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS] as const;
/** A summary that is later than this is left out: it would be of no use any more. */
const MAX_LATE_MS = 72 * HOUR_MS;

/**
 * Sends the summaries that are due. A row is moved to its next week before the letter leaves, and moved back only when the mail server
 * refused it: no instance and no restart sends a week twice.
 */
@Injectable()
export class WeeklyEmailJob {
  private readonly logger = new Logger('WeeklyEmail');

  constructor(
    private readonly rows: WeeklyEmailsRepository,
    private readonly sender: WeeklyEmailSender,
    private readonly clock: Clock,
  ) {}

  /** Fails: JobOvertakenError; with the database's error. */
  @LeasedInterval('weekly-emails', PERIOD_MS)
  async run(run?: JobRun): Promise<void> {
    if (!this.sender.isAvailable) {
      run?.setMessage('no mail server, no public address, or WeeklyEmailEnabled is off: nothing is sent');
      return;
    }
    const startedMs = this.clock.monotonicMs();
    const due = await this.rows.listDue(this.clock.nowMs(), BATCH);
    for (const row of due) {
      if (this.clock.monotonicMs() - startedMs >= MAX_RUN_MS) break;
      await run?.confirm();
      await this.sendOne(row);
    }
  }

  private async sendOne(row: WeeklyEmailEntity): Promise<void> {
    const nowMs = this.clock.nowMs();
    const receiver = await this.sender.receiverOf(row.userId);
    const next = (zone: string) => ({ dueAtMs: nextDueMs(zone, Math.floor(nowMs / 1_000)), failures: 0 });
    const isLate = nowMs - (row.dueAtMs ?? nowMs) > MAX_LATE_MS;
    // The zone may have been changed since: then the week is not over there, or was sent.
    if (receiver === null || isLate || receiver.week.number <= row.lastWeek) {
      await this.rows.change(row, { ...next(receiver?.zone ?? UTC), lastWeek: row.lastWeek });
      return;
    }
    const taken = { ...row, ...next(receiver.zone), lastWeek: receiver.week.number };
    if (!(await this.rows.change(row, taken))) return;
    const fault = await this.sender.send(receiver).catch(async (error: unknown) => {
      await this.postpone(row, taken, nowMs);
      throw error;
    });
    if (fault === null) return;
    this.logger.warn(`the weekly summary of account ${row.userId} was not sent: ${fault.kind}`);
    // A mailbox that does not exist will not exist in an hour either.
    if (fault.kind !== 'receiver' || fault.isPassing) await this.postpone(row, taken, nowMs);
  }

  /** Puts the week back for another attempt, unless it had all of them. */
  private async postpone(row: WeeklyEmailEntity, taken: WeeklyEmailEntity, nowMs: number): Promise<void> {
    const pauseMs = RETRIES_MS[row.failures];
    if (pauseMs === undefined) return;
    await this.rows.change(taken, {
      dueAtMs: nowMs + pauseMs,
      lastWeek: row.lastWeek,
      failures: row.failures + 1,
    });
  }
}
