import { Injectable } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import type { LogStatView } from './dto/log.dto.js';
import { type LogFilter, LogsRepository } from './logs.repository.js';

/** The same question within this time is answered once (DB-04). */
const MAX_AGE_MS = 2_000;
const MAX_ENTRIES = 500;
const RECENT_SECONDS = 60;

interface Entry {
  readonly askedAtMs: number;
  readonly answer: Promise<LogStatView>;
}

/** Sums over the log: charge of all matching calls; calls and tokens of the last minute (console API 16.4). */
@Injectable()
export class LogStatistics {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly logs: LogsRepository,
    private readonly clock: Clock,
  ) {}

  async of(filter: LogFilter): Promise<LogStatView> {
    const key = JSON.stringify(filter);
    const nowMs = this.clock.nowMs();
    const known = this.entries.get(key);
    if (known !== undefined && nowMs - known.askedAtMs < MAX_AGE_MS) return known.answer;
    const answer = this.ask(filter, nowMs);
    this.entries.delete(key);
    this.entries.set(key, { askedAtMs: nowMs, answer });
    if (this.entries.size > MAX_ENTRIES) this.dropOldest();
    try {
      return await answer;
    } catch (error) {
      // A failed sum must not be answered again from memory.
      this.entries.delete(key);
      throw error;
    }
  }

  private async ask(filter: LogFilter, nowMs: number): Promise<LogStatView> {
    const since = Math.floor(nowMs / 1000) - RECENT_SECONDS;
    const [quota, recent] = await Promise.all([
      this.logs.sumQuota(filter),
      this.logs.sumRecent(filter, since),
    ]);
    return { quota, rpm: recent.calls, tpm: recent.tokens };
  }

  private dropOldest(): void {
    for (const key of this.entries.keys()) {
      this.entries.delete(key);
      return;
    }
  }
}
