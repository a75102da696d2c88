import { Injectable, Logger } from '@nestjs/common';
import { type DegradedMode, DegradedModes } from '../../../infra/observability/degraded-modes.js';
import { momentOf } from '../../../common/moment.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { Notifier } from '../../notifications/notifier.js';
import { DirectNotifier, NotifiedOutages } from './direct-notifier.js';
import { placeName } from '../rules/fleet-rules.js';
import type { Finding } from '../model/finding.js';
import { StoreProbe } from '../fleet/store-probe.js';
import { WorkerIdentity } from '../fleet/worker-identity.js';

const LOOK_EVERY_MS = 10_000;
const TELL_AFTER_MS = 60_000;
/** Root accounts are remembered for the time when they cannot be read. */
const KNOW_ROOTS_EVERY_MS = 600_000;

const READ_ONLY = 'database-read-only' satisfies DegradedMode;

/** Tells that the database is away or takes no changes: all other alerts are kept there, and nobody would hear before it is over. */
@Injectable()
export class DatabaseAlarm {
  private readonly logger = new Logger('Operations');
  private readonly told: NotifiedOutages;
  private rootsKnownAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly probe: StoreProbe,
    private readonly modes: DegradedModes,
    private readonly identity: WorkerIdentity,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    telling: DirectNotifier,
  ) {
    this.told = new NotifiedOutages(telling);
  }

  /** One look at what the last probe and the last look found. Never fails. */
  @Interval('database-alarm', LOOK_EVERY_MS)
  async look(): Promise<void> {
    try {
      const found = [...this.away(), ...this.readOnly()];
      await this.told.follow(found);
      if (found.length === 0) await this.learnRoots();
    } catch (error) {
      this.logger.warn(`could not tell of the database: ${String(error)}`);
    }
  }

  private away(): Finding[] {
    const sinceMs = this.probe.awaySinceMs('database');
    if (sinceMs === undefined) return [];
    const about = { rule: 'database-away', subject: '', severity: 'fault', facts: {} } as const;
    return [{ ...about, sinceMs: momentOf(sinceMs), tellAfterMs: TELL_AFTER_MS }];
  }

  private readOnly(): Finding[] {
    const active = this.modes.list().find(({ mode }) => mode === READ_ONLY);
    if (active === undefined) return [];
    const { mode, cause, sinceMs } = active;
    const { host, instance, worker } = this.identity.describe();
    const workers = placeName({ host, id: instance }, worker);
    const facts = { mode, workers, cause: cause.slice(0, 300) };
    const about = { rule: 'degraded-mode', subject: mode, severity: 'fault', facts } as const;
    return [{ ...about, sinceMs: momentOf(sinceMs), tellAfterMs: TELL_AFTER_MS }];
  }

  private async learnRoots(): Promise<void> {
    if (this.clock.monotonicMs() - this.rootsKnownAtMs < KNOW_ROOTS_EVERY_MS) return;
    await this.notifier.rememberRoots();
    this.rootsKnownAtMs = this.clock.monotonicMs();
  }
}
