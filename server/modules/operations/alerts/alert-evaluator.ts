import { Injectable } from '@nestjs/common';
import { type Moment, momentOf } from '../../../common/moment.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { OptionsService } from '../../options/options.service.js';
import { AlertStore } from './alert-store.js';
import type { AlertEntity } from './alert.entity.js';
import { AlertNotifier } from './alert-notifier.js';
import type { AlertMessage, AlertPhase } from './alert-messages.js';
import { JobParts } from './job-parts.js';
import { FleetObserver } from '../fleet/fleet-observer.js';
import { FleetHistory } from '../fleet/fleet-history.js';
import { ReportStore } from '../fleet/report-store.js';
import { type Facts, findingKey, isRule, type Severity } from '../model/finding.js';
import { evaluateEach, type RuleResults } from '../rules/evaluate-rules.js';
import { ALERTS_JOB } from '../rules/worker-rules.js';
import { parseJson } from '../../../common/parse-json.js';

/** How often one instance looks for all. */
const EVALUATE_EVERY_MS = 10_000;
const MOST_ATTEMPTS = 5;

/** Looks at the installation every few seconds, on one instance, and remembers and tells what lasts longer than it may. */
@Injectable()
export class AlertEvaluator {
  constructor(
    private readonly observer: FleetObserver,
    private readonly minutes: FleetHistory,
    private readonly reports: ReportStore,
    private readonly book: AlertStore,
    private readonly teller: AlertNotifier,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * One look.
   * @param run  asked before anything is written or told; left out by who knows that nobody else looks
   * Fails: JobOvertakenError; else at the end, with everything that could not be done: no part keeps the others from being done. The next
   * look begins from what is written down.
   */
  @LeasedInterval(ALERTS_JOB, EVALUATE_EVERY_MS)
  async run(run?: Pick<JobRun, 'confirm'>): Promise<void> {
    const attempts = new JobParts();
    await attempts.make('minutes', () => this.minutes.keep());
    const observation = await this.observer.observe();
    // An observation without the database would end what it cannot see.
    if (observation.stored === null) throw new Error('nothing could be read from the database');
    const { findings, blind } = evaluateEach(observation);
    for (const [rule, fault] of blind) attempts.note(`rule ${rule}`, fault);
    await run?.confirm();
    await this.write(attempts, { findings, blind }, observation.nowMs);
    await run?.confirm();
    await attempts.make('telling', () => this.tellBegun());
    await run?.confirm();
    await attempts.make('telling the end', () => this.tellOver());
    await attempts.make('past alerts', () => this.book.prune());
    await attempts.make('past reports', () => this.reports.prune(observation.nowMs));
    attempts.demandAll();
  }

  private async write(attempts: JobParts, { findings, blind }: RuleResults, nowMs: Moment): Promise<void> {
    const { AlertsEnabled, AlertRulesOff } = this.options.values();
    const off = new Set(AlertRulesOff);
    const watched = findings.filter(({ rule }) => AlertsEnabled && !off.has(rule));
    const byKey = new Map(watched.map((finding) => [findingKey(finding), finding]));
    for (const row of await this.book.open()) {
      const key = findingKey({ rule: isRule(row.rule) ? row.rule : 'job-failed', subject: row.subject });
      const finding = row.openKey === key ? byKey.get(key) : undefined;
      byKey.delete(key);
      // Whether it lasts cannot be told now.
      if (finding === undefined && isRule(row.rule) && blind.has(row.rule)) continue;
      await attempts.make(`alert ${key}`, async () => {
        if (finding === undefined) await this.book.end(row.id, nowMs);
        else if (row.facts !== JSON.stringify(finding.facts) || row.severity !== finding.severity)
          await this.book.refresh(row.id, finding);
      });
    }
    for (const [key, finding] of byKey) {
      if (nowMs - finding.sinceMs >= finding.tellAfterMs)
        await attempts.make(`alert ${key}`, () => this.book.begin(finding, nowMs, this.quietMs()));
    }
  }

  private async tellBegun(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const rows = (await this.book.open()).filter(
      (row) =>
        row.owesRecovery === 0 && row.acknowledgedBy === 0 && nowMs - row.notifiedAtMs >= this.quietMs(),
    );
    if (rows.length === 0) return;
    const telling = await this.teller.tell(rows.flatMap((row) => newsOf(row, 'begun')));
    if (telling.reached > 0) {
      await this.book.told(idsOf(rows), nowMs, telling.fault);
      return;
    }
    const tired = rows.filter(({ tellAttempts }) => tellAttempts + 1 >= MOST_ATTEMPTS);
    // Whoever cannot be reached now is tried again after the quiet time.
    await this.book.noteNotNotified(tired, telling, nowMs);
    await this.book.noteNotNotified(
      rows.filter((row) => !tired.includes(row)),
      telling,
      null,
    );
  }

  private async tellOver(): Promise<void> {
    const rows = await this.book.owingRecovery();
    if (rows.length === 0) return;
    const telling = await this.teller.tell(rows.flatMap((row) => newsOf(row, 'over')));
    const tired = rows.filter(({ tellAttempts }) => tellAttempts + 1 >= MOST_ATTEMPTS);
    const done = telling.reached > 0 ? rows : tired;
    if (done.length > 0) await this.book.noteRecoveryNotified(idsOf(done));
    if (telling.reached === 0)
      await this.book.noteNotNotified(
        rows.filter((row) => !tired.includes(row)),
        telling,
        null,
      );
  }

  private quietMs(): number {
    return this.options.values().AlertQuietMinutes * 60_000;
  }
}

const idsOf = (rows: readonly AlertEntity[]): number[] => rows.map(({ id }) => id);

/** Nothing for a rule of another version: this one has no words for it. */
function newsOf(row: AlertEntity, phase: AlertPhase): AlertMessage[] {
  const { rule, subject, sinceMs, overAtMs } = row;
  if (!isRule(rule)) return [];
  const facts = readFacts(row.facts);
  return [
    { phase, rule, subject, severity: row.severity as Severity, facts, sinceMs: momentOf(sinceMs), overAtMs },
  ];
}

/** Facts another hand wrote must not keep the other alerts from being told: then the sentence has gaps. */
function readFacts(text: string): Facts {
  const facts = parseJson(text);
  return typeof facts === 'object' && facts !== null ? (facts as Facts) : {};
}
