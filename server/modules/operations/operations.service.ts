import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Language } from '../../common/language.js';
import { Env } from '../../config/env.js';
import { hostListsInForce } from '../../infra/http-client/outbound-callers.js';
import { JobRunner } from '../../infra/schedule/job-runner.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Actor } from '../access/current-actor.js';
import { BOOT_ID } from '../billing/ledger/billing.tokens.js';
import { ROLE } from '../access/user.codes.js';
import type { OperationsStatusView } from './dto/status.dto.js';
import { FleetObserver } from './fleet/fleet-observer.js';
import { presentStatus } from './present-status.js';
import { judge } from './rules/judge.js';

/** What administrators see of the installation, and do about its jobs. */
@Injectable()
export class OperationsService {
  constructor(
    @Inject(FleetObserver) private readonly observer: FleetObserver,
    @Inject(JobRunner) private readonly jobs: JobRunner,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(BOOT_ID) private readonly bootId: string,
    @Inject(Env) private readonly env: Env,
  ) {}

  async status(actor: Actor, language: Language): Promise<OperationsStatusView> {
    const observation = await this.observer.observe();
    const reader = {
      language,
      isRoot: actor.role >= ROLE.root,
      answeredBy: this.bootId,
      hostLists: hostListsInForce(this.env),
    };
    return presentStatus(observation, judge(observation), reader);
  }

  /**
   * Starts a recurring job now, on the worker that answers.
   * Fails: job_runs when it runs already, somewhere; not_found.
   */
  async runJob(actor: Actor, name: string): Promise<void> {
    const known = await this.jobs.states();
    if (!known.some((job) => job.name === name)) throw new DomainError('not_found');
    if (!(await this.jobs.runNow(name))) throw new DomainError('job_runs');
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'job.run',
      targetType: 'job',
      targetId: name,
    });
  }
}
