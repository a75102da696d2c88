import { Injectable } from '@nestjs/common';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { AuditMaintenance } from '../../base/audit/audit-maintenance.js';
import { OptionsService } from '../../base/options/options.service.js';

const PERIOD_MS = 6 * 3_600_000;

/** Checks the audit log, and removes of it what is older than the option allows. One worker of all does it. */
@Injectable()
export class AuditRetentionJob {
  constructor(
    private readonly maintenance: AuditMaintenance,
    private readonly options: OptionsService,
  ) {}

  @LeasedInterval('audit-upkeep', PERIOD_MS)
  async run(run: JobRun): Promise<void> {
    await this.maintenance.run(this.options.values().AuditRetentionDays, run);
  }
}
