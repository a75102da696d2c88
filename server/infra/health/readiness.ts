import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type DegradedMode, DegradedModes } from '../observability/degraded-modes.js';
import { EventLoopWatch } from './event-loop-watch.js';

const PROBE_TIMEOUT_MS = 2_000;

/** Balancers that ask send calls to an instance whose database is there, and is as it was. */
const WITHOUT_TRAFFIC = ['database-away', 'database-behind'] as const satisfies readonly DegradedMode[];

/**
 * Phase of a shutdown: `leaving` still serves all requests while balancers notice, `closed` refuses those that arrive on an old
 * connection.
 */
export type StopPhase = 'serving' | 'leaving' | 'closed';

/** Readiness of this process for traffic: not while it stops, not without its database, not while its event loop is blocked. */
@Injectable()
export class Readiness {
  private phase: StopPhase = 'serving';
  private readonly conditions: { readonly isMet: () => boolean; readonly mode: DegradedMode }[] = [];

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly eventLoop: EventLoopWatch,
    private readonly modes: DegradedModes,
  ) {}

  beginStopping(): void {
    if (this.phase === 'serving') this.phase = 'leaving';
  }

  beginClosing(): void {
    this.phase = 'closed';
  }

  get stopping(): boolean {
    return this.phase !== 'serving';
  }

  /** All further requests are refused. */
  get closing(): boolean {
    return this.phase === 'closed';
  }

  /** A further condition: cheap, and true while this process may receive traffic. @param mode  what it is in while it may not */
  require(isMet: () => boolean, mode: DegradedMode): void {
    this.conditions.push({ isMet, mode });
  }

  /** Degraded modes in which this process receives no traffic. */
  get reasons(): readonly DegradedMode[] {
    const unmet = this.conditions.filter(({ isMet }) => !isMet()).map(({ mode }) => mode);
    return [...WITHOUT_TRAFFIC.filter((mode) => this.modes.has(mode)), ...unmet];
  }

  async isReady(): Promise<boolean> {
    // An unreachable database is known already: a scrape has no time to find out once more.
    if (this.stopping || this.eventLoop.isBlocked || this.reasons.length > 0) return false;
    const timeout = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => timeout.resolve(false), PROBE_TIMEOUT_MS);
    const probe = this.dataSource.query('SELECT 1').then(
      () => true,
      // Away is an answer, not a fault: the load balancer sends traffic elsewhere.
      () => false,
    );
    const isUp = await Promise.race([probe, timeout.promise]);
    clearTimeout(timer);
    return isUp;
  }
}
