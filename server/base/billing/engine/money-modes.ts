import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DegradedModes } from '../../../infra/observability/degraded-modes.js';
import { Readiness } from '../../../infra/health/readiness.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { Clock } from '../../../common/clock.js';
import { MoneyService } from './money.service.js';

const CHECK_INTERVAL_MS = 1_000;
/** Charges are to be booked within a second; one that waits this long turns the degraded mode on. */
const LATE_MS = 30_000;

/** Says when the money mechanism cannot do what it should: no room for records, or charges that do not get into the database. */
@Injectable()
export class MoneyModes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isStopped = false;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly money: MoneyService,
    private readonly modes: DegradedModes,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    // Without room for records no paid call is taken here: a balancer that asks sends them to another instance.
    this.readiness.require(() => this.money.spool.isAccepting, 'spool-full');
    // Numbers given since a copy was made would be given again once it is in the copy's place.
    this.stopListening = this.modes.on((mode, change) => {
      if (mode === 'database-behind' && change !== null) this.money.advanceIdSequences();
    });
    if (this.modes.has('database-behind')) this.money.advanceIdSequences();
    this.look();
  }

  /** A spool that was closed takes nothing, and that is no fault. */
  beforeApplicationShutdown(): void {
    this.isStopped = true;
    this.stopListening();
  }

  @Interval('money-modes', CHECK_INTERVAL_MS)
  look(): void {
    if (this.isStopped) return;
    const { spool } = this.money;
    this.modes.set(
      'spool-full',
      spool.isAccepting ? null : 'the spool in DATA_DIR cannot be written, or its disk is nearly full',
    );
    this.modes.set('settlements-waiting', this.lateness());
  }

  private lateness(): string | null {
    const { flusher } = this.money;
    if (flusher.isBacklogged) return 'so many charges wait for the database that no paid call is taken';
    if (flusher.pauseMs > 0) return 'so many charges wait for the database that new calls are slowed down';
    const { oldestSettledAtMs } = flusher;
    const isLate = oldestSettledAtMs !== undefined && this.clock.nowMs() - oldestSettledAtMs > LATE_MS;
    return isLate ? `the oldest charge waits longer than ${LATE_MS / 1_000} s` : null;
  }
}
