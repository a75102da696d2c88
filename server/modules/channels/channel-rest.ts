import { Injectable } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';

/** Breaker figures of the security reference, 2.10. */
const WINDOW_MS = 30_000;
const MIN_CALLS = 20;
const MAX_FAILURE_SHARE = 0.5;
const OPEN_MS = 30_000;
/** Pause after "too many requests" without a time of its own, and the longest one an upstream may ask for. */
const DEFAULT_COOL_DOWN_MS = 2_000;
const MAX_COOL_DOWN_MS = 300_000;
const MAX_ENTRIES = 10_000;

interface RestRecord {
  windowStartedAtMs: number;
  calls: number;
  failures: number;
  restsUntilMs: number;
  /** After a rest one call is let through; the next ones wait for its outcome. */
  isProbing: boolean;
}

/**
 * Which channels are better left alone for a while, per channel and model, in this process only. A resting channel is
 * chosen when nothing else is left: refusing everything ourselves would be worse than trying.
 */
@Injectable()
export class ChannelRest {
  private readonly records = new Map<string, RestRecord>();

  constructor(private readonly clock: Clock) {}

  isResting(channelId: number, model: string): boolean {
    if (this.records.size === 0) return false;
    const record = this.records.get(keyOf(channelId, model));
    if (record === undefined || record.restsUntilMs === 0) return false;
    if (record.restsUntilMs > this.clock.monotonicMs() || record.isProbing) return true;
    record.isProbing = true;
    return false;
  }

  recordSuccess(channelId: number, model: string): void {
    // Only channels that failed lately are worth a record.
    if (this.records.size === 0) return;
    const record = this.records.get(keyOf(channelId, model));
    if (record === undefined) return;
    if (record.restsUntilMs !== 0) {
      this.records.delete(keyOf(channelId, model));
      return;
    }
    this.roll(record);
    record.calls += 1;
  }

  recordFailure(channelId: number, model: string): void {
    const record = this.recordOf(keyOf(channelId, model));
    this.roll(record);
    record.calls += 1;
    record.failures += 1;
    const isBroken = record.calls >= MIN_CALLS && record.failures >= record.calls * MAX_FAILURE_SHARE;
    if (isBroken || record.isProbing) this.rest(record, OPEN_MS);
  }

  /** The upstream asked to be left alone. */
  coolDown(channelId: number, model: string, retryAfterMs: number | undefined): void {
    const pauseMs = Math.min(Math.max(0, retryAfterMs ?? DEFAULT_COOL_DOWN_MS), MAX_COOL_DOWN_MS);
    this.rest(this.recordOf(keyOf(channelId, model)), pauseMs);
  }

  private rest(record: RestRecord, pauseMs: number): void {
    record.restsUntilMs = Math.max(record.restsUntilMs, this.clock.monotonicMs() + pauseMs);
    record.isProbing = false;
  }

  private roll(record: RestRecord): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - record.windowStartedAtMs < WINDOW_MS) return;
    record.windowStartedAtMs = nowMs;
    record.calls = 0;
    record.failures = 0;
  }

  private recordOf(key: string): RestRecord {
    let record = this.records.get(key);
    if (record === undefined) {
      if (this.records.size >= MAX_ENTRIES) this.records.clear();
      record = {
        windowStartedAtMs: this.clock.monotonicMs(),
        calls: 0,
        failures: 0,
        restsUntilMs: 0,
        isProbing: false,
      };
      this.records.set(key, record);
    }
    return record;
  }
}

const keyOf = (channelId: number, model: string): string => `${channelId} ${model}`;
