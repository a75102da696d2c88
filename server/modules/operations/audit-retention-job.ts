import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { JobRunner } from '../../infra/schedule/job-runner.js';
import { AuditMaintenance } from '../audit/audit-maintenance.js';
import { OptionsService } from '../options/options.service.js';

const PERIOD_MS = 6 * 3_600_000;

/** Checks the audit log, and removes of it what is older than the option says. One worker of all does it. */
@Injectable()
export class AuditRetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: () => void = () => undefined;

  constructor(
    private readonly jobs: JobRunner,
    private readonly upkeep: AuditMaintenance,
    private readonly options: OptionsService,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = this.jobs.every('audit-upkeep', PERIOD_MS, (turn) =>
      this.upkeep.run(this.options.values().AuditRetentionDays, turn),
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
