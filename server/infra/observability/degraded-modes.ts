import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';

/** Every way in which this process may work less well than it should, and what that means for those who call it. */
export const DEGRADED_MODES = {
  'safe-mode': 'dynamic options are ignored, because SAFE_MODE is set',
  'shared-store-away':
    'Redis is gone, too slow or refuses: quota is reserved in the database, limits are shared out per process',
  'shared-store-evicts':
    'Redis may throw away what it holds: pools would start anew, and limits forget what they counted',
  'database-away': 'the database does not answer: calls are served from quota already set aside',
  'database-read-only':
    'the database takes no changes: calls are served from quota already set aside, and reading goes on',
  'database-behind':
    'the database lost what was already seen of it, as after an older copy was put in its place: calls and sign-ins are refused until an operator restores it or accepts its state',
  'database-slow': 'the database answers slowly: reporting waits first, then the console, calls last',
  'log-database-away': 'the database of the usage log does not answer: log rows wait on the spool',
  'spool-full': 'the disk of DATA_DIR is full or failing: paid calls are refused',
  'settlements-waiting': 'charges wait on the spool longer than they should',
  'options-not-converged': 'this process works with older options, prices or channels than the others',
  'event-loop-slow': 'this process is overloaded: new calls are refused',
  'clock-skewed': 'the clock of this machine differs from that of the database or of Redis',
} as const satisfies Record<string, string>;

export type DegradedMode = keyof typeof DEGRADED_MODES;

export interface ActiveDegradedMode {
  readonly mode: DegradedMode;
  /** Wall clock, milliseconds since 1970. */
  readonly sinceMs: number;
  /** Observed cause, without secrets; may change while the mode lasts. */
  readonly cause: string;
}

/** @param change  the mode that began, or null when it is over */
export type DegradedModeListener = (mode: DegradedMode, change: ActiveDegradedMode | null) => void;

/**
 * Degraded modes of this process. The code that detects a mode sets and clears it here; pages, metrics and alerts read it here.
 * Setting a mode again costs a look-up, so that it may be set at every observation.
 */
@Injectable()
export class DegradedModes {
  private readonly logger = new Logger('DegradedModes');
  private readonly active = new Map<DegradedMode, ActiveDegradedMode>();
  private readonly listeners = new Set<DegradedModeListener>();

  constructor(private readonly clock: Clock) {}

  /** @param cause  what was observed; null = the mode is over. Logged once per beginning and end. */
  set(mode: DegradedMode, cause: string | null): void {
    const current = this.active.get(mode);
    if (cause === null) {
      if (current !== undefined) this.end(current);
      return;
    }
    if (current?.cause === cause) return;
    const next = { mode, sinceMs: current?.sinceMs ?? this.clock.nowMs(), cause };
    this.active.set(mode, next);
    if (current !== undefined) return;
    this.logger.warn(`${mode}: ${cause} (${DEGRADED_MODES[mode]})`);
    this.notifyListeners(mode, next);
  }

  has(mode: DegradedMode): boolean {
    return this.active.has(mode);
  }

  /** Current modes, oldest first. */
  list(): readonly ActiveDegradedMode[] {
    return [...this.active.values()].sort((left, right) => left.sinceMs - right.sinceMs);
  }

  /** @returns a function that stops listening */
  on(listener: DegradedModeListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private end(current: ActiveDegradedMode): void {
    this.active.delete(current.mode);
    const lastedSeconds = Math.max(0, Math.round((this.clock.nowMs() - current.sinceMs) / 1_000));
    this.logger.log(`${current.mode} is over after ${lastedSeconds} s`);
    this.notifyListeners(current.mode, null);
  }

  private notifyListeners(mode: DegradedMode, change: ActiveDegradedMode | null): void {
    for (const listener of this.listeners) {
      try {
        listener(mode, change);
      } catch (error) {
        // A failing listener must not stop the others, or the code that set the mode.
        this.logger.error(`a listener failed at ${mode}: ${String(error)}`);
      }
    }
  }
}
