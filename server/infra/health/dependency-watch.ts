import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { dialectOf } from '../database/dialect-of.js';
import { DatabaseBusyError } from '../database/connection-acquire-limit.js';
import { isReadOnly } from '../database/database-faults.js';
import { renderSql } from '../database/sql-store.js';
import { Interval } from '../schedule/interval.js';
import { SharedStore } from '../shared-store/shared-store.js';
import { DegradedModes } from '../observability/degraded-modes.js';

const CHECK_INTERVAL_MS = 1_000;
/** A database that answers "yes" later than this makes a queue of everything else. */
const SLOW_MS = 500;
/** No answer within this time is none. */
const ANSWER_WITHIN_MS = 3_000;
/** A slow answer may be an accident; so many in a row are not, and as many quick ones end it. */
const IN_A_ROW = 2;

/** `busy`: it was not even asked, since all connections wait for it. That is slow, and no sign of life. */
type Answer =
  { readonly kind: 'quick' } | { readonly kind: 'slow' | 'busy' | 'none'; readonly cause: string };

/** Looks every second whether the shared store and the database are there and in time, and reports it. */
@Injectable()
export class DependencyWatch {
  private slowAnswers = 0;
  private quickAnswers = IN_A_ROW;
  private waitedMs = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: SharedStore,
    private readonly clock: Clock,
    private readonly modes: DegradedModes,
  ) {}

  /** Duration of the database's last answer, milliseconds. */
  get databaseMs(): number {
    return this.waitedMs;
  }

  @Interval('dependencies', CHECK_INTERVAL_MS)
  async look(): Promise<void> {
    const { fault } = this.store;
    this.modes.set('shared-store-away', fault === null ? null : `Redis: ${fault}`);
    const { concern } = this.store;
    this.modes.set('shared-store-evicts', concern === null ? null : `Redis: ${concern}`);
    // A file is never away, and its connection is this process's own.
    if (dialectOf(this.dataSource) === 'sqlite') return;
    const answer = await this.pingDatabase();
    this.report(answer);
    if (answer.kind === 'quick') this.modes.set('database-read-only', await this.findWriteBar());
  }

  private report(answer: Answer): void {
    const isSlow = answer.kind === 'slow' || answer.kind === 'busy';
    this.slowAnswers = isSlow ? this.slowAnswers + 1 : 0;
    this.quickAnswers = answer.kind === 'quick' ? this.quickAnswers + 1 : 0;
    if (answer.kind === 'none') this.modes.set('database-away', answer.cause);
    else if (answer.kind !== 'busy') this.modes.set('database-away', null);
    if (isSlow && this.slowAnswers >= IN_A_ROW) this.modes.set('database-slow', answer.cause);
    else if (this.quickAnswers >= IN_A_ROW) this.modes.set('database-slow', null);
  }

  private async pingDatabase(): Promise<Answer> {
    const startedMs = this.clock.monotonicMs();
    const timeout = Promise.withResolvers<Answer>();
    const cancel = this.clock.after(ANSWER_WITHIN_MS, () =>
      timeout.resolve({ kind: 'none', cause: `no answer within ${ANSWER_WITHIN_MS / 1_000} s` }),
    );
    const answer = this.dataSource.query('SELECT 1').then(
      (): Answer => {
        this.waitedMs = this.clock.monotonicMs() - startedMs;
        return this.waitedMs <= SLOW_MS
          ? { kind: 'quick' }
          : { kind: 'slow', cause: `an answer took more than ${SLOW_MS} ms` };
      },
      (error: unknown): Answer => {
        if (error instanceof DatabaseBusyError) return { kind: 'busy', cause: error.message };
        return { kind: 'none', cause: error instanceof Error ? error.message : String(error) };
      },
    );
    const first = await Promise.race([answer, timeout.promise]);
    cancel();
    return first;
  }

  /** @returns the database's answer to a change that changes nothing; null = it takes changes, or fails in another way */
  private async findWriteBar(): Promise<string | null> {
    try {
      await this.dataSource.query(
        renderSql(dialectOf(this.dataSource), `DELETE FROM "limit_counters" WHERE "key" = ''`),
      );
      return null;
    } catch (error) {
      return isReadOnly(error) && error instanceof Error ? error.message : null;
    }
  }
}
