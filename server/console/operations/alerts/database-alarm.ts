import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '../../../infra/schedule/interval.js';
import { Clock } from '../../../common/clock.js';
import { Notifier } from '../../../base/notifications/notifier.js';
import { DatabaseFaults } from './database-faults.js';
import { DirectNotifier, NotifiedOutages } from './direct-notifier.js';

const CHECK_INTERVAL_MS = 10_000;
/** Root accounts are remembered for the time when they cannot be read. */
const KNOW_ROOTS_EVERY_MS = 600_000;

/** Alerts on a database that is away or takes no changes: all other alerts are kept there, and none would be sent before it is back. */
@Injectable()
export class DatabaseAlarm {
  private readonly logger = new Logger('Operations');
  private readonly told: NotifiedOutages;
  private rootsKnownAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly faults: DatabaseFaults,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    telling: DirectNotifier,
  ) {
    this.told = new NotifiedOutages(telling);
  }

  /** Checks the results of the last probe and the last evaluation. Never fails. */
  @Interval('database-alarm', CHECK_INTERVAL_MS)
  async look(): Promise<void> {
    try {
      const found = this.faults.findings();
      await this.told.update(found);
      if (found.length === 0) await this.learnRoots();
    } catch (error) {
      this.logger.warn(`could not tell of the database: ${String(error)}`);
    }
  }

  private async learnRoots(): Promise<void> {
    if (this.clock.monotonicMs() - this.rootsKnownAtMs < KNOW_ROOTS_EVERY_MS) return;
    await this.notifier.rememberRoots();
    this.rootsKnownAtMs = this.clock.monotonicMs();
  }
}
