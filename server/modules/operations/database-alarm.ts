import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Env } from '../../config/env.js';
import { type DegradedMode, DegradedModes } from '../../infra/observability/degraded-modes.js';
import { SharedStore } from '../../infra/shared-store/shared-store.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { Notifier } from '../notifications/notifier.js';
import { OptionsService } from '../options/options.service.js';
import { AlertBook } from './alert-book.js';
import { AlertTeller } from './alert-teller.js';
import { placeName } from './rules/fleet-rules.js';
import { type Finding, findingKey } from './rules/finding.js';
import { StoreProbe } from './store-probe.js';
import { WorkerIdentity } from './worker-identity.js';

const LOOK_EVERY_MS = 10_000;
const TELL_AFTER_MS = 60_000;
/** Root accounts are remembered for the time when they cannot be read. */
const KNOW_ROOTS_EVERY_MS = 600_000;
const LEASE_MS = 900_000;

const READ_ONLY = 'database-read-only' satisfies DegradedMode;

/** A fault of the database that is known: how it is told, and when this worker told of it; null = another one did. */
interface Outage {
  readonly finding: Finding;
  readonly toldAtMs: number | null;
}

/**
 * Tells that the database is away or takes no changes: all other alerts are kept there, and nobody would hear before it is over. One
 * worker does: whoever gets a lease of the shared store, and without one the first worker of each instance.
 */
@Injectable()
export class DatabaseAlarm implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private cancel: () => void = () => undefined;
  private isStopped = false;
  private rootsKnownAtMs = Number.NEGATIVE_INFINITY;
  private readonly outages = new Map<string, Outage>();

  constructor(
    @Inject(StoreProbe) private readonly probe: StoreProbe,
    @Inject(DegradedModes) private readonly modes: DegradedModes,
    @Inject(WorkerIdentity) private readonly identity: WorkerIdentity,
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

  /** One look at what the last probe and the last look found. Never fails. */
  async look(): Promise<void> {
    try {
      const found = [...this.away(), ...this.readOnly()];
      for (const [key, outage] of this.outages)
        if (!found.some((finding) => findingKey(finding) === key)) await this.end(key, outage);
      for (const finding of found)
        if (!this.outages.has(findingKey(finding)) && this.clock.nowMs() - finding.sinceMs >= TELL_AFTER_MS)
          await this.begin(finding);
      if (found.length === 0) await this.learnRoots();
    } catch (error) {
      this.logger.warn(`could not tell of the database: ${String(error)}`);
    }
  }

  private away(): Finding[] {
    const sinceMs = this.probe.awaySinceMs('database');
    if (sinceMs === undefined) return [];
    const about = { rule: 'database-away', subject: '', severity: 'fault', facts: {} } as const;
    return [{ ...about, sinceMs, tellAfterMs: TELL_AFTER_MS }];
  }

  private readOnly(): Finding[] {
    const active = this.modes.list().find(({ mode }) => mode === READ_ONLY);
    if (active === undefined) return [];
    const { mode, cause, sinceMs } = active;
    const { host, instance, worker } = this.identity.describe();
    const workers = placeName({ host, id: instance }, worker);
    const facts = { mode, workers, cause: cause.slice(0, 300) };
    const about = { rule: 'degraded-mode', subject: mode, severity: 'fault', facts } as const;
    return [{ ...about, sinceMs, tellAfterMs: TELL_AFTER_MS }];
  }

  private plan(): void {
    if (this.isStopped) return;
    this.cancel = this.clock.after(LOOK_EVERY_MS, () => void this.look().finally(() => this.plan()));
  }

  private async begin(finding: Finding): Promise<void> {
    const key = findingKey(finding);
    this.outages.set(key, { finding, toldAtMs: null });
    const { AlertsEnabled, AlertRulesOff } = this.options.values();
    if (!AlertsEnabled || AlertRulesOff.includes(finding.rule) || !(await this.isMine(finding))) return;
    const toldAtMs = this.clock.nowMs();
    const { fault } = await this.teller.tell([{ ...finding, phase: 'begun', overAtMs: null }]);
    if (fault !== '') this.logger.warn(`not everybody was told that the database fails: ${fault}`);
    this.outages.set(key, { finding, toldAtMs });
  }

  private async end(key: string, { finding, toldAtMs }: Outage): Promise<void> {
    this.outages.delete(key);
    if (toldAtMs === null) return;
    const overAtMs = this.clock.nowMs();
    await this.teller.tell([{ ...finding, phase: 'over', overAtMs }]);
    await this.book.noteEnded(finding, { toldAtMs, overAtMs });
  }

  private async learnRoots(): Promise<void> {
    if (this.clock.monotonicMs() - this.rootsKnownAtMs < KNOW_ROOTS_EVERY_MS) return;
    await this.notifier.rememberRoots();
    this.rootsKnownAtMs = this.clock.monotonicMs();
  }

  private async isMine({ rule, subject }: Finding): Promise<boolean> {
    try {
      return (await this.shared.leases.acquire(`alarm:${subject || rule}`, LEASE_MS)) !== null;
    } catch {
      // Both stores are away: better told once by every instance than by nobody.
      return this.env.workerIndex === 0;
    }
  }
}
