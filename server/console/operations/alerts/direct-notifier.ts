import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { AlarmLeases } from './alarm-leases.js';
import { AlertStore } from './alert-store.js';
import { AlertNotifier } from './alert-notifier.js';
import { type Finding, findingKey } from '../model/finding.js';

/** A fault that is known: how it is told, and when this worker told of it; null = another one did. */
interface Outage {
  readonly finding: Finding;
  readonly notifiedAtMs: number | null;
}

/** What one watcher has told, without the job that looks for alerts, and tells again when it is over. */
export class NotifiedOutages {
  private readonly outages = new Map<string, Outage>();

  constructor(private readonly ways: DirectNotifier) {}

  /** @param found  everything that is wrong now; what lasts less than its time waits. Fails: when nobody could be told. */
  async update(found: readonly Finding[]): Promise<void> {
    for (const [key, outage] of this.outages) {
      if (found.some((finding) => findingKey(finding) === key)) continue;
      this.outages.delete(key);
      if (outage.notifiedAtMs !== null) await this.ways.notifyResolved(outage.finding, outage.notifiedAtMs);
    }
    for (const finding of found) {
      const key = findingKey(finding);
      if (this.outages.has(key) || this.ways.nowMs() - finding.sinceMs < finding.notifyAfterMs) continue;
      this.outages.set(key, { finding, notifiedAtMs: null });
      this.outages.set(key, { finding, notifiedAtMs: await this.ways.notifyFiring(finding) });
    }
  }
}

/** Tells receivers at once what the alert job cannot. One worker does. */
@Injectable()
export class DirectNotifier {
  private readonly logger = new Logger('Operations');

  constructor(
    private readonly leases: AlarmLeases,
    private readonly notifier: AlertNotifier,
    private readonly book: AlertStore,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  nowMs(): number {
    return this.clock.nowMs();
  }

  /** @returns when it was told; null = another worker tells it, or nobody is to */
  async notifyFiring(finding: Finding): Promise<number | null> {
    const { AlertsEnabled, AlertRulesOff } = this.options.values();
    if (
      !AlertsEnabled ||
      AlertRulesOff.includes(finding.rule) ||
      !(await this.leases.acquire(alarmOf(finding)))
    )
      return null;
    const notifiedAtMs = this.clock.nowMs();
    const { fault } = await this.notifier.notify([{ ...finding, phase: 'begun', overAtMs: null }]);
    if (fault !== '') this.logger.warn(`not everybody was told of ${findingKey(finding)}: ${fault}`);
    return notifiedAtMs;
  }

  /** Tells that it is over, and keeps it among the past alerts. Fails: with the database's error. */
  async notifyResolved(finding: Finding, notifiedAtMs: number): Promise<void> {
    const overAtMs = this.clock.nowMs();
    await this.leases.release(alarmOf(finding));
    await this.notifier.notify([{ ...finding, phase: 'over', overAtMs }]);
    await this.book.recordResolved(finding, { notifiedAtMs, overAtMs });
  }
}

const alarmOf = ({ subject, rule }: Finding): string => subject || rule;
