import { Injectable } from '@nestjs/common';
import type { Moment } from '../../../common/moment.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { findingKey, isRule } from '../model/finding.js';
import type { RuleResults } from '../rules/evaluate-rules.js';
import { AlertStore } from './alert-store.js';
import type { JobParts } from '../../../infra/schedule/job-parts.js';

/** Records alerts that began, changed and ended between two evaluations. */
@Injectable()
export class AlertRecorder {
  constructor(
    private readonly book: AlertStore,
    private readonly options: OptionsService,
  ) {}

  /** Fails: with the database's error, when open alerts cannot be read; all other errors are collected in `attempts`. */
  async write(attempts: JobParts, { findings, blind }: RuleResults, nowMs: Moment): Promise<void> {
    const { AlertsEnabled, AlertRulesOff, AlertQuietMinutes } = this.options.values();
    const off = new Set(AlertRulesOff);
    const watched = findings.filter(({ rule }) => AlertsEnabled && !off.has(rule));
    const byKey = new Map(watched.map((finding) => [findingKey(finding), finding]));
    for (const row of await this.book.open()) {
      const key = findingKey({ rule: isRule(row.rule) ? row.rule : 'job-failed', subject: row.subject });
      const finding = row.openKey === key ? byKey.get(key) : undefined;
      byKey.delete(key);
      // Unknown at present: the alert stays as it is.
      if (finding === undefined && isRule(row.rule) && blind.has(row.rule)) continue;
      await attempts.make(`alert ${key}`, async () => {
        if (finding === undefined) await this.book.end(row.id, nowMs);
        else if (row.facts !== JSON.stringify(finding.facts) || row.severity !== finding.severity)
          await this.book.refresh(row.id, finding);
      });
    }
    for (const [key, finding] of byKey) {
      if (nowMs - finding.sinceMs >= finding.notifyAfterMs)
        await attempts.make(`alert ${key}`, () =>
          this.book.begin(finding, nowMs, AlertQuietMinutes * 60_000),
        );
    }
  }

  /** Forgets the oldest of the past alerts. Fails: with the database's error. */
  prune(): Promise<void> {
    return this.book.prune();
  }
}
