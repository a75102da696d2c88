import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { storeOf } from '../../infra/database/typeorm-store.js';
import type { AttemptTotals } from './attempt-totals.js';
import { writeAttempts } from './write-attempts.js';

/** Writes attempts of calls that are not charged; those of charged calls are booked with their charge. */
@Injectable()
export class AttemptRecorder {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** In one transaction. Fails: with the driver's error; whether a commit that broke off was done is not known. */
  async write(totals: AttemptTotals): Promise<void> {
    if (totals.isEmpty) return;
    await storeOf(this.dataSource).transaction((session) => writeAttempts(session, totals));
  }
}
