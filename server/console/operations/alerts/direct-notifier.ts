import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { AlarmLeases } from './alarm-leases.js';
import { AlertStore } from './alert-store.js';
import { AlertNotifier } from './alert-notifier.js';
import { type Finding, findingKey } from '../model/finding.js';

/** A known fault: its finding, and when this worker sent it; null = another one did. */
interface Outage {
  readonly finding: Finding;
  readonly notifiedAtMs: number | null;
}

/** Faults that one watcher sent without the alert job, and whose resolution it sends. */
export class NotifiedOutages {
  private readonly outages = new Map<string, Outage>();

  constructor(private readonly ways: DirectNotifier) {}

  /** @param found  all current faults; those within their tolerance wait. Fails: when no recipient could be reached. */
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

/** Sends at once what the alert job cannot. One worker does. */
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

  /** @returns time of sending; null = another worker sends it, or there are no recipients */
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

  /** Sends the resolution, and stores the alert as a past one. Fails: with the database's error. */
  async notifyResolved(finding: Finding, notifiedAtMs: number): Promise<void> {
    const overAtMs = this.clock.nowMs();
    await this.leases.release(alarmOf(finding));
    await this.notifier.notify([{ ...finding, phase: 'over', overAtMs }]);
    await this.book.recordResolved(finding, { notifiedAtMs, overAtMs });
  }
}

const alarmOf = ({ subject, rule }: Finding): string => subject || rule;
