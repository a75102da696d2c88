import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan, MoreThan } from 'typeorm';
import { isDuplicateKey } from '../../../infra/database/run-in-transaction.js';
import { Clock } from '../../../common/clock.js';
import { sumMinutes } from './fleet-minutes.js';
import { WorkerReports } from './worker-reports.js';
import type { FleetMinute } from '../model/observation.js';
import { StatusMinuteEntity } from './status-minute.entity.js';

const MINUTE_MS = 60_000;
/** Minutes that are kept and shown. */
const KEPT_MINUTES = 60;
/** A minute is written down this long after its end: by then every living worker has reported it. */
const SETTLED_AFTER_MS = 15_000;

/** The last hour of the whole installation, a row a minute. */
@Injectable()
export class FleetHistory {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly board: WorkerReports,
    private readonly clock: Clock,
  ) {}

  /** Writes down finished minutes that nobody has written yet. Fails: with the database's error. */
  async keep(): Promise<void> {
    const last = Math.floor((this.clock.nowMs() - SETTLED_AFTER_MS) / MINUTE_MS) - 1;
    const reports = await this.board.list();
    const parts = reports.flatMap(({ report }) => report.minutes.filter(({ minute }) => minute <= last));
    const minutes = this.dataSource.getRepository(StatusMinuteEntity);
    for (const [minute, ofMinute] of Map.groupBy(parts, (part) => part.minute)) {
      if (minute <= last - KEPT_MINUTES || (await minutes.existsBy({ minute }))) continue;
      const row = minutes.create({ ...sumMinutes(minute, ofMinute), workers: ofMinute.length });
      await minutes.insert(row).catch((error: unknown) => {
        // Another one wrote it between the question and now.
        if (!isDuplicateKey(error)) throw error;
      });
    }
    await minutes.delete({ minute: LessThan(last - KEPT_MINUTES) });
  }

  /** Oldest first. Fails: with the database's error. */
  async list(): Promise<readonly FleetMinute[]> {
    const from = Math.floor(this.clock.nowMs() / MINUTE_MS) - KEPT_MINUTES - 1;
    const rows = await this.dataSource
      .getRepository(StatusMinuteEntity)
      .find({ where: { minute: MoreThan(from) }, order: { minute: 'ASC' } });
    return rows;
  }
}
