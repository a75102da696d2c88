import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { TaskKind } from './task-kinds.js';
import type { TaskRow } from './task-rows.js';

/** Longest time a task may still be waiting for its booking after its caller got the answer. */
const PATIENCE_MS = 2_000;
const CHECK_INTERVAL_MS = 100;
/** Maximum number of waiting readers: made-up ids must not keep the database busy. */
const MAX_WAITING = 100;

/** Finds one task of a caller, also one that was taken on a moment ago: a record is made by the booking of its charge, not by the call. */
@Injectable()
export class BookedTasks {
  private waiting = 0;

  constructor(private readonly clock: Clock) {}

  /** @returns null when the caller has no such task, after at most 2 s. Fails: with the database's error. */
  async find<Row extends TaskRow>(kind: TaskKind<Row>, userId: number, name: string): Promise<Row | null> {
    const look = async (): Promise<Row | null> => (await kind.rows.ownOf(userId, [name]))[0] ?? null;
    const found = await look();
    if (found !== null || this.waiting >= MAX_WAITING) return found;
    this.waiting += 1;
    try {
      const untilMs = this.clock.monotonicMs() + PATIENCE_MS;
      while (this.clock.monotonicMs() < untilMs) {
        await new Promise<void>((resolve) => this.clock.after(CHECK_INTERVAL_MS, resolve));
        const late = await look();
        if (late !== null) return late;
      }
      return null;
    } finally {
      this.waiting -= 1;
    }
  }
}
