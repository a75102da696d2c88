import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan } from 'typeorm';
import { dialectOf } from '../../../infra/database/dialect-of.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { execute, nowExpression, read, toInteger, toText } from '../../../base/billing/ledger/money-sql.js';
import type { WorkerStart } from '../model/observation.js';
import { readWorkerReport, type WorkerReport } from '../model/worker-report.js';
import { WorkerReportEntity } from './worker-report.entity.js';

/** A report as the database has it, its age measured by the database's clock. */
export interface StoredReport {
  readonly report: WorkerReport;
  readonly ageMs: number;
}

const RETENTION_MS = 24 * 3_600_000;
/** More workers than any installation has, restarts of a day included. */
const MAX_ROWS = 2_000;

/** Reports of workers in SQL: there while Redis is away, and after a worker is gone. Everything fails with the database's error. */
@Injectable()
export class ReportStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async write(report: WorkerReport): Promise<void> {
    const now = nowExpression(dialectOf(this.dataSource));
    const text = JSON.stringify(report);
    await runInTransaction(this.dataSource, async (manager) => {
      const { affected } = await execute(
        manager,
        `UPDATE "worker_reports" SET "last_seen_ms" = ${now}, "report" = ? WHERE "boot_id" = ?`,
        [text, report.bootId],
      );
      if (affected > 0) return;
      await execute(
        manager,
        `INSERT INTO "worker_reports" ("boot_id", "instance", "worker", "started_at_ms", "last_seen_ms", "report")
           VALUES (?, ?, ?, ${now}, ${now}, ?)`,
        [report.bootId, report.instance, report.worker, text],
      );
    });
  }

  /** Latest reports of workers that reported within `withinMs`. */
  async list(withinMs: number): Promise<readonly StoredReport[]> {
    const now = nowExpression(dialectOf(this.dataSource));
    const rows = await read(
      this.dataSource,
      `SELECT "report" AS "report", ${now} - "last_seen_ms" AS "age" FROM "worker_reports"
         WHERE "last_seen_ms" > ${now} - ? ORDER BY "last_seen_ms" DESC LIMIT ${MAX_ROWS}`,
      [withinMs],
    );
    return rows.flatMap((row) => {
      const report = readWorkerReport(toText(row['report']));
      return report === null ? [] : [{ report, ageMs: Math.max(0, toInteger(row['age'])) }];
    });
  }

  /** Starts within `withinMs`, oldest first; times are the database's. */
  async listStarts(withinMs: number): Promise<readonly WorkerStart[]> {
    const now = nowExpression(dialectOf(this.dataSource));
    const rows = await read(
      this.dataSource,
      `SELECT "instance" AS "instance", "worker" AS "worker", "started_at_ms" AS "started" FROM "worker_reports"
         WHERE "started_at_ms" > ${now} - ? ORDER BY "started_at_ms" LIMIT ${MAX_ROWS}`,
      [withinMs],
    );
    return rows.map((row) => ({
      instance: toText(row['instance']),
      worker: toInteger(row['worker']),
      startedAtMs: toInteger(row['started']),
    }));
  }

  /** Forgets the silent workers of an instance: they are no longer expected back. */
  async forgetInstance(instance: string, silentForMs: number): Promise<void> {
    const now = nowExpression(dialectOf(this.dataSource));
    await runInTransaction(this.dataSource, (manager) =>
      execute(manager, `DELETE FROM "worker_reports" WHERE "instance" = ? AND "last_seen_ms" < ${now} - ?`, [
        instance,
        silentForMs,
      ]),
    );
  }

  /** @param nowMs  only days matter here: any clock will do */
  async prune(nowMs: number): Promise<void> {
    await this.dataSource
      .getRepository(WorkerReportEntity)
      .delete({ lastSeenMs: LessThan(nowMs - RETENTION_MS) });
  }
}
