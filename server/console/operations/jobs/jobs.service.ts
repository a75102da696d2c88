import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import type { JobState } from '../../../infra/schedule/job-leases.js';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { ScheduledWork } from '../../../infra/schedule/leased-interval.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import type { OperationsJobsView, ScheduledJobView } from '../dto/job.dto.js';
import { WorkerReports } from '../fleet/worker-reports.js';
import { WorkerIdentity } from '../fleet/worker-identity.js';
import { intervalTexts, jobTexts } from './job-texts.js';

type WorkerNumbers = ReadonlyMap<string, number>;

/** Jobs and intervals as administrators see them, and running one before its time. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobRunner,
    private readonly scheduled: ScheduledWork,
    private readonly board: WorkerReports,
    private readonly audit: AuditLog,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Jobs of all instances, and intervals of the worker that answers, by name. Fails: with the database's error. */
  async list(language: Language): Promise<OperationsJobsView> {
    const declared = this.jobs.declared();
    const states = new Map((await this.jobs.states()).map((state) => [state.name, state]));
    const reports = await this.board.list();
    const workers = new Map(reports.map(({ report }) => [report.bootId, report.worker]));
    const { bootId, worker } = this.identity.describe();
    const names = [...new Set([...declared.keys(), ...states.keys()])].sort();
    return {
      answered_by: bootId,
      place: this.identity.place(),
      worker,
      jobs: names.map((name) => ({
        ...runOf(states.get(name), declared.get(name) ?? null),
        ...holderOf(states.get(name), workers),
        name,
        ...jobTexts(name, language),
        can_run: declared.has(name),
      })),
      intervals: this.scheduled
        .intervals()
        .map(({ name, periodMs, outcome, message, startedAtMs, endedAtMs, nextAtMs }) => ({
          name,
          ...intervalTexts(name, language),
          outcome,
          message,
          period_ms: periodMs,
          started_at: seconds(startedAtMs),
          ended_at: seconds(endedAtMs),
          next_at: seconds(nextAtMs),
        }))
        .sort((left, right) => (left.name < right.name ? -1 : 1)),
    };
  }

  /**
   * Starts a recurring job now, on the worker that answers.
   * Fails: job_runs when it runs already, somewhere; job_not_here when this worker takes no part in it; not_found.
   */
  async run(actor: Actor, name: string): Promise<void> {
    if (!this.jobs.declared().has(name)) {
      const isKnown = (await this.jobs.states()).some((job) => job.name === name);
      throw new DomainError(isKnown ? 'job_not_here' : 'not_found');
    }
    const record = (): Promise<void> =>
      this.audit.record(null, {
        actorId: actor.id,
        actorRole: actor.role,
        action: 'job.run',
        targetType: 'job',
        targetId: name,
      });
    if (!(await this.jobs.runNow(name, record))) throw new DomainError('job_runs');
  }
}

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1_000));

function runOf(
  state: JobState | undefined,
  periodMs: number | null,
): Pick<ScheduledJobView, 'outcome' | 'message' | 'period_ms' | 'started_at' | 'ended_at' | 'next_at'> {
  const hasRun = state !== undefined && state.outcome !== '';
  return {
    outcome: state?.outcome ?? '',
    message: state?.message ?? '',
    period_ms: periodMs,
    // A job that was only introduced has a beginning in the table, and no run.
    started_at: hasRun ? seconds(state.startedAtMs) : 0,
    ended_at: hasRun ? seconds(state.endedAtMs) : 0,
    next_at: state === undefined || periodMs === null ? 0 : seconds(state.startedAtMs + periodMs),
  };
}

function holderOf(
  state: JobState | undefined,
  workers: WorkerNumbers,
): Pick<ScheduledJobView, 'holder' | 'last_place'> {
  if (state?.outcome !== 'running') return { holder: null, last_place: state?.host ?? '' };
  const { owner, host } = state;
  return {
    last_place: host,
    holder: { boot_id: owner, place: host, worker: workers.get(owner) ?? null },
  };
}
