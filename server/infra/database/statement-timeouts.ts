import type { DataSource } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import type { ConnectionAcquireLimit } from './connection-acquire-limit.js';
import { DATABASE_LIMITS } from './database-limits.js';
import { gateOf } from './gate-connections.js';

/** Silence is counted in pieces: one that this process was too busy to end in time is no sign of the database. */
const PIECE_MS = 100;
const TIMELY_MS = 2 * PIECE_MS;
/** A wait behind others goes on while their turns end, and fails when none has ended for this long. */
const STALLED_AT_MOST_MS = 5_000;
/** A statement with none in front of it waits for a row lock, whose holder may be gone. */
const ALONE_AT_MOST_MS = 1_500;

interface Wait {
  idleMs: number;
  /** Time without a statement in front. */
  aloneMs: number;
  /** Deadline, extended by every turn that ends. */
  dueMs: number;
  readonly latestMs: number;
  readonly onLate: () => void;
}

/**
 * Distinguishes a database that hangs, or is late with every answer, from a busy one, and from a busy process: a wait ends early
 * only if no statement is answered in good time.
 */
export class StatementTimeouts {
  private readonly waits = new Set<Wait>();
  private answersSeen = 0;
  private turnsSeen = 0;
  private begunAtMs = 0;
  private stopTimer: (() => void) | undefined;

  /**
   * @param answers  number of statements answered in good time so far
   * @param silenceMs  longest wait while none is answered
   * @param isCrowded  true when statements wait for their turn at the database
   * @param turnsEnded  number of finished turns
   */
  constructor(
    private readonly clock: Clock,
    private readonly answers: () => number,
    private readonly silenceMs: number,
    private readonly isCrowded: () => boolean,
    private readonly turnsEnded: () => number,
  ) {}

  /** Watches the database behind a data source; one without a gate is a file, which answers or is busy with this process. */
  static of(
    dataSource: DataSource,
    clock: Clock,
    silenceMs: number,
    turns: ConnectionAcquireLimit,
  ): StatementTimeouts {
    return new StatementTimeouts(
      clock,
      () => gateOf(dataSource)?.promptAnswers ?? 0,
      silenceMs,
      () => turns.waiting > 0 || (gateOf(dataSource)?.waiting ?? 0) > 0,
      () => turns.departures,
    );
  }

  /** @param onLate  called once, when nothing is to be waited for any more. @returns what ends the watch */
  begin(onLate: () => void): () => void {
    const nowMs = this.clock.monotonicMs();
    const wait: Wait = {
      idleMs: 0,
      aloneMs: 0,
      dueMs: nowMs + STALLED_AT_MOST_MS,
      latestMs: nowMs + DATABASE_LIMITS.crowdWaitMs,
      onLate,
    };
    this.waits.add(wait);
    if (this.stopTimer === undefined) this.schedule();
    return () => this.end(wait);
  }

  private end(wait: Wait): void {
    this.waits.delete(wait);
    if (this.waits.size > 0) return;
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  private schedule(): void {
    this.answersSeen = this.answers();
    this.turnsSeen = this.turnsEnded();
    this.begunAtMs = this.clock.monotonicMs();
    this.stopTimer = this.clock.after(PIECE_MS, () => this.look());
  }

  private look(): void {
    const nowMs = this.clock.monotonicMs();
    const isAnswering = this.answers() !== this.answersSeen;
    const isTimely = nowMs - this.begunAtMs < TIMELY_MS;
    const isCrowded = this.isCrowded();
    const isMoving = this.turnsEnded() !== this.turnsSeen;
    const late: Wait[] = [];
    for (const wait of this.waits) {
      if (isAnswering) wait.idleMs = 0;
      else if (isTimely) wait.idleMs += PIECE_MS;
      if (isTimely && !isCrowded) wait.aloneMs += PIECE_MS;
      if (isMoving) wait.dueMs = nowMs + STALLED_AT_MOST_MS;
      const isOverdue = nowMs >= wait.dueMs || nowMs >= wait.latestMs;
      if (wait.idleMs >= this.silenceMs || wait.aloneMs >= ALONE_AT_MOST_MS || isOverdue) late.push(wait);
    }
    this.stopTimer = undefined;
    for (const wait of late) this.waits.delete(wait);
    if (this.waits.size > 0) this.schedule();
    for (const { onLate } of late) onLate();
  }
}
