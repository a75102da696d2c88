import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Env } from '../../config/env.js';
import { SharedStore } from '../../infra/shared-store/shared-store.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { Notifier } from '../notifications/notifier.js';
import { OptionsService } from '../options/options.service.js';
import { AlertBook } from './alert-book.js';
import { AlertTeller } from './alert-teller.js';
import type { Finding } from './rules/finding.js';
import { StoreProbe } from './store-probe.js';

const LOOK_EVERY_MS = 10_000;
const TELL_AFTER_MS = 60_000;
/** Root accounts are remembered for the time when they cannot be read. */
const KNOW_ROOTS_EVERY_MS = 600_000;
const LEASE_MS = 900_000;

/**
 * Tells that the database is away, which is where all other alerts are kept. One worker does: whoever gets a lease of the shared
 * store, and without one the first worker of each instance.
 */
@Injectable()
export class DatabaseAlarm implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private cancel: () => void = () => undefined;
  private isStopped = false;
  private rootsKnownAtMs = Number.NEGATIVE_INFINITY;
  /** Set while an outage is known: since when, and when this worker told of it; null = another one did. */
  private outage: { readonly sinceMs: number; readonly toldAtMs: number | null } | undefined;

  constructor(
    @Inject(StoreProbe) private readonly probe: StoreProbe,
    @Inject(SharedStore) private readonly shared: SharedStore,
    @Inject(AlertTeller) private readonly teller: AlertTeller,
    @Inject(AlertBook) private readonly book: AlertBook,
    @Inject(Notifier) private readonly notifier: Notifier,
    @Inject(OptionsService) private readonly options: OptionsService,
    @Inject(Env) private readonly env: Env,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.plan();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    this.cancel();
  }

  /** One look at what the last probe found. Never fails. */
  async look(): Promise<void> {
    try {
      const sinceMs = this.probe.awaySinceMs('database');
      if (sinceMs === undefined) await this.allIsWell();
      else if (this.outage === undefined && this.clock.nowMs() - sinceMs >= TELL_AFTER_MS)
        await this.begin(sinceMs);
    } catch (error) {
      this.logger.warn(`could not tell of the database: ${String(error)}`);
    }
  }

  private plan(): void {
    if (this.isStopped) return;
    this.cancel = this.clock.after(LOOK_EVERY_MS, () => void this.look().finally(() => this.plan()));
  }

  private async begin(sinceMs: number): Promise<void> {
    this.outage = { sinceMs, toldAtMs: null };
    const { AlertsEnabled, AlertRulesOff } = this.options.values();
    if (!AlertsEnabled || AlertRulesOff.includes('database-away') || !(await this.isMine())) return;
    const toldAtMs = this.clock.nowMs();
    const { fault } = await this.teller.tell([{ ...findingOf(sinceMs), phase: 'begun', overAtMs: null }]);
    if (fault !== '') this.logger.warn(`not everybody was told that the database is away: ${fault}`);
    this.outage = { sinceMs, toldAtMs };
  }

  private async allIsWell(): Promise<void> {
    const { outage } = this;
    this.outage = undefined;
    const overAtMs = this.clock.nowMs();
    if (outage !== undefined && outage.toldAtMs !== null) {
      const finding = findingOf(outage.sinceMs);
      await this.teller.tell([{ ...finding, phase: 'over', overAtMs }]);
      await this.book.noteEnded(finding, { toldAtMs: outage.toldAtMs, overAtMs });
    }
    if (this.clock.monotonicMs() - this.rootsKnownAtMs < KNOW_ROOTS_EVERY_MS) return;
    await this.notifier.rememberRoots();
    this.rootsKnownAtMs = this.clock.monotonicMs();
  }

  private async isMine(): Promise<boolean> {
    try {
      return (await this.shared.leases.acquire('alarm:database-away', LEASE_MS)) !== null;
    } catch {
      // Both stores are away: better told once by every instance than by nobody.
      return this.env.workerIndex === 0;
    }
  }
}

const findingOf = (sinceMs: number): Finding => ({
  rule: 'database-away',
  subject: '',
  severity: 'fault',
  facts: {},
  sinceMs,
  tellAfterMs: TELL_AFTER_MS,
});
